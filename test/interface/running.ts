import { type Client, type ClientOptions, openClient } from '../../src/client/client.ts';
import { createDeployment, type Deployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { addressesFor } from '../client/deployment.ts';
import { formBody } from '../emulator/calls.ts';

/** A user with all privileges, and one without any. */
export const admin = { username: 'admin', password: 'correct horse battery staple' } as const;
export const guest = { username: 'guest', password: 'a guest is welcome', privileges: [] } as const;

/** A deployment that listens on loopback, and a client that calls it. Their common clock goes on when the client waits. */
export interface Running extends AsyncDisposable {
  readonly url: string;
  readonly deployment: Deployment;
  readonly client: Client;
  /** Lets time pass. */
  readonly wait: (milliseconds: number) => void;
  /** Another client of the same deployment. */
  readonly open: (options: Partial<ClientOptions>) => Client;
}

/** Starts both. Closing ends both. */
export async function startRunning(options: DeploymentOptions = {}): Promise<Running> {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const wait = (milliseconds: number) => {
    ahead += milliseconds;
  };
  const deployment = await createDeployment({ users: [admin, guest], now, ...options });
  const served = await serveDeployment(deployment);
  const clock = {
    now,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      wait(milliseconds);
    },
  };
  const open = (changes: Partial<ClientOptions>) =>
    openClient({
      addresses: addressesFor(served.url),
      credentials: { kind: 'password', ...admin },
      clock,
      ...changes,
    });
  const client = open({});
  const close = async () => {
    await client[Symbol.asyncDispose]();
    await served.close();
    await deployment[Symbol.asyncDispose]();
  };
  return { url: served.url, deployment, client, wait, open, [Symbol.asyncDispose]: close };
}

/** Sends a form without the client and reads the JSON of the answer. */
export async function postForm(address: string, form: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(address, {
    method: 'POST',
    body: formBody(address, { f: 'json', ...form }),
  });
  return response.json();
}

/** A token of a user, bound to the caller's address. */
export async function tokenOf(
  { url }: Running,
  account: { username: string; password: string } = admin,
): Promise<string> {
  const reply = await postForm(`${url}/sharing/rest/generateToken`, {
    username: account.username,
    password: account.password,
    client: 'requestip',
  });
  return (reply as { token: string }).token;
}
