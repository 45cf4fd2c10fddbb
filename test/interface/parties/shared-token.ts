import { admin, postForm, type Running } from '../running.ts';

const tokens = new WeakMap<Running, Map<string, Promise<string>>>();

/** A token of a user that lives two weeks. The same each time: checking a password takes long. */
export function sharedToken(
  running: Running,
  account: { readonly username: string; readonly password: string } = admin,
): Promise<string> {
  const known = tokens.get(running) ?? new Map<string, Promise<string>>();
  tokens.set(running, known);
  const token = known.get(account.username) ?? signIn(running, account);
  known.set(account.username, token);
  return token;
}

async function signIn(
  { url }: Running,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<string> {
  const form = { username, password, client: 'requestip', expiration: '20160' };
  const reply = await postForm(`${url}/sharing/rest/generateToken`, form);
  return (reply as { token: string }).token;
}
