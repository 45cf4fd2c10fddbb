import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { type Client, type ClientOptions, openClient } from '../../src/client/client.ts';
import type { Clock } from '../../src/client/retry.ts';
import type { Transport } from '../../src/client/transport.ts';
import { createDeployment, type Deployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import type { ExportProgress } from '../../src/export/run/job.ts';
import type { Log } from '../../src/records/log.ts';
import { addressesFor, noPause } from '../client/deployment.ts';

/** The logs that the deployments of these tests hold, one a second. */
export const logs: readonly Log[] = Array.from({ length: 25 }, (_, index) => ({
  time: 1_700_000_000_000 + index * 1000,
  logLevel: index % 5 === 0 ? 'SEVERE' : 'INFO',
  logCode: 9000 + index,
  msg: `log number ${index}`,
}));

/** The calls that show that no logs are older than those that came. */
export const proofs = 1;

/** The first moment after all logs, so that a window up to it holds none of the deployment's own. */
export const afterLogs = 1_700_000_000_000 + 25 * 1000;

/** The clock of this machine, except that nobody waits. */
const hurried: Clock = { now: Date.now, sleep: async (_ms, signal) => signal?.throwIfAborted() };

/** A deployment, a client of it and an empty case in a folder of its own. */
export interface Exporting extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly client: Client;
  readonly into: Case;
  readonly progress: ExportProgress[];
  readonly onProgress: (progress: ExportProgress) => void;
  /** Another client of the deployment. */
  readonly openClient: (options: Partial<ClientOptions>) => Client;
  /** Number of requests for each path below the administrative one. */
  readonly calls: Map<string, number>;
  /** The files beside the case. */
  readonly leftovers: () => Promise<readonly string[]>;
  /** Closes the case and opens it again, as another process would. */
  readonly reopen: () => Promise<Case>;
}

/** Starts all of it. Jobs end at once unless the options say otherwise. */
export async function startExporting(options: DeploymentOptions = {}): Promise<Exporting> {
  const folder = await mkdtemp(join(tmpdir(), 'export-test-'));
  const path = join(folder, 'incident.duckdb');
  const deployment = await createDeployment({ logs, pace: { queued: 0, running: 0, perLog: 0 }, ...options });
  const calls = new Map<string, number>();
  const transport: Transport = (request) => {
    const [, operation = ''] = /\/(export|jobs|uploads|generateToken)/.exec(request.url) ?? [];
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    return deployment.fetch(request);
  };
  const open = (more: Partial<ClientOptions>) =>
    openClient({
      addresses: addressesFor(`https://gis.example.com${deployment.paths.context}`),
      credentials: { kind: 'password', ...deployment.account },
      transport,
      retry: noPause,
      clock: hurried,
      ...more,
    });
  const client = open({});
  let into = await openCase(path, { access: 'write', create: true });
  const progress: ExportProgress[] = [];
  return {
    deployment,
    client,
    openClient: open,
    get into() {
      return into;
    },
    progress,
    onProgress: (one) => progress.push(one),
    calls,
    leftovers: async () => (await readdir(folder)).filter((name) => name.includes('.downloads')),
    reopen: async () => {
      await into[Symbol.asyncDispose]();
      into = await openCase(path, { access: 'write' });
      return into;
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await into[Symbol.asyncDispose]();
      await deployment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
