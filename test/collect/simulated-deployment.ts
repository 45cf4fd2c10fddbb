import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addLogs, type Case, deleteLogs, openCase, streamLogs } from '../../src/case/index.ts';
import { type Clock, editLogSettings, openClient, readLogSettings } from '../../src/client/index.ts';
import { openCollected } from '../../src/collect/collector.ts';
import type { CollectConfiguration, SourceConfiguration } from '../../src/collect/configuration.ts';
import { readCollectConfiguration } from '../../src/collect/configuration.ts';
import { readStatus, type SourceStatus } from '../../src/collect/status.ts';
import { type CollectedSource, type CollectTools, runTurn } from '../../src/collect/turn.ts';
import {
  createDeployment,
  type DeploymentOptions,
  type Served,
  serveDeployment,
} from '../../src/emulator/index.ts';
import { filterOfText, matchAllFilter } from '../../src/language/index.ts';
import { addressesOf } from '../../src/protocol/index.ts';
import type { Log } from '../../src/records/index.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

const password = 'simulated';

/** A deployment whose clock is driven, its logs, and a store that is collected into. */
export interface Simulation extends AsyncDisposable {
  /** The time of all clocks, in milliseconds since the epoch. */
  time: number;
  /** False: its address answers nothing. */
  isUp: boolean;
  readonly clock: Clock;
  /** All logs of the deployment. */
  readonly logs: Case;
  readonly store: string;
  /** What the collector said. */
  readonly said: string[];
  readonly tools: CollectTools;
  /** Runs one turn of a collector that was started anew, or goes on with the one before. */
  readonly turn: (options?: {
    readonly restarted?: boolean;
    readonly signal?: AbortSignal;
  }) => Promise<boolean>;
  readonly status: () => Promise<SourceStatus>;
  /** Deletes the logs that are older than some days, as a deployment does. */
  readonly forget: (days: number) => Promise<void>;
  /** Changes for how many days the deployment keeps logs. */
  readonly keepDays: (days: number) => Promise<void>;
}

/** Settings of a simulation. */
export interface SimulationOptions extends DeploymentOptions {
  readonly start: number;
  readonly entries: readonly Log[];
  readonly source?: Readonly<Record<string, unknown>>;
  readonly rest?: Readonly<Record<string, unknown>>;
}

/** Starts a simulation over HTTP on this machine. */
export async function simulate({
  start,
  entries,
  source = {},
  rest = {},
  ...behaviour
}: SimulationOptions): Promise<Simulation> {
  const store = await mkdtemp(join(tmpdir(), 'logquarry-collect-'));
  const logs = await openCase(':memory:', { access: 'write' });
  await addLogs(logs, entries, { part: 'logs' });
  const state = { time: start, isUp: true };
  const clock: Clock = {
    now: () => state.time,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      state.time += milliseconds;
    },
  };
  const deployment = await createDeployment({
    users: [{ username: 'ann', password }],
    pace: { queued: 0, running: 0, perLog: 0 },
    now: clock.now,
    ...behaviour,
    logs,
  });
  const served: Served = await serveDeployment(deployment);
  const addresses = addressesOf(served.url);
  if ('problem' in addresses) throw new Error(addresses.problem);
  const said: string[] = [];
  const tools: CollectTools = {
    clock,
    report: (line) => said.push(line),
    sealCase: async (_path, seal) => {
      const { writeFile } = await import('node:fs/promises');
      await writeFile(seal, '{}');
      return true;
    },
    openClient: async () => {
      const credentials = { kind: 'password', username: 'ann', password } as const;
      // A closed port refuses at once.
      const away = addressesOf('http://127.0.0.1:9/gis');
      if ('problem' in away) throw new Error(away.problem);
      return openClient({
        addresses: state.isUp ? addresses : away,
        credentials,
        clock,
        retry: { attempts: 1 },
      });
    },
  };
  const configuration = readConfiguration(store, { ...source }, rest);
  let collected: CollectedSource | undefined;
  return Object.assign(state, {
    clock,
    logs,
    store,
    said,
    tools,
    async turn({ restarted = false, signal }: { restarted?: boolean; signal?: AbortSignal } = {}) {
      const own = signal ? { ...tools, signal } : tools;
      if (!collected || restarted || signal)
        collected = await openCollected(configuration, onlySource(configuration), own);
      return await runTurn(collected, state.time + hour);
    },
    async status() {
      const [found] = await readStatus(configuration, state.time);
      if (!found) throw new Error('There is no source');
      return found;
    },
    async forget(days: number) {
      await deleteLogs(logs, filterOfText(`time:[0 TO ${state.time - days * day - 1}]`, { now: state.time }));
    },
    async keepDays(days: number) {
      await using client = await tools.openClient(onlySource(configuration));
      await editLogSettings(client, { ...(await readLogSettings(client)), maxLogAgeDays: days });
    },
    async [Symbol.asyncDispose]() {
      await served.close();
      await deployment[Symbol.asyncDispose]();
      await logs[Symbol.asyncDispose]();
      await rm(store, { recursive: true, force: true });
    },
  });
}

function readConfiguration(store: string, source: object, rest: object): CollectConfiguration {
  const gis = { url: 'http://gis.test/gis', user: 'ann', interval: '1h', ...source };
  const text = JSON.stringify({ store, sources: { gis }, minimumFree: '1kB', ...rest });
  const read = readCollectConfiguration(text, join(store, 'collect.json'));
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.configuration;
}

function onlySource({ sources }: CollectConfiguration): SourceConfiguration {
  const [source] = sources;
  if (!source) throw new Error('There is no source');
  return source;
}

/** Logs one after the other, with a step in milliseconds between them. */
export function steadyLogs(
  from: number,
  { count, step }: { readonly count: number; readonly step: number },
): Log[] {
  return Array.from({ length: count }, (_, index) => ({
    time: from + index * step,
    logLevel: 'INFO',
    logCode: 100_000 + index,
    source: 'Sharing',
    msg: `Log ${index}`,
  }));
}

/** Each log of an interval as one text, in order, so that two sets of logs can be compared. */
export async function textsOf(
  of: Case,
  { oldest, newest }: { oldest: number; newest: number },
): Promise<string[]> {
  const texts: string[] = [];
  for await (const { log } of streamLogs(of, matchAllFilter)) {
    const { time = 0, msg, logCode, requestID } = log;
    if (oldest <= time && time <= newest) texts.push([time, logCode, requestID, msg].join(' '));
  }
  return texts.sort();
}

/** Each log of all cases of a store, and the names of the cases. */
export async function textsOfStore(store: string, times: { oldest: number; newest: number }) {
  const names = (await readdir(store)).filter((name) => name.endsWith('.duckdb')).sort();
  const texts: string[] = [];
  for (const name of names) {
    await using of = await openCase(join(store, name), { access: 'read' });
    texts.push(...(await textsOf(of, times)));
  }
  return { names, texts: texts.sort() };
}
