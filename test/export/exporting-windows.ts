import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWindows } from '../../src/case/contents/exports.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { type Client, openClient } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import type { Clock } from '../../src/client/retry.ts';
import type { Transport } from '../../src/client/transport.ts';
import { createDeployment, type Deployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { BrokenConnection } from '../../src/emulator/operation.ts';
import type { WindowsProgress } from '../../src/export/decide/progress.ts';
import type { ExportOrder } from '../../src/export/run/order.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import type { Log } from '../../src/records/log.ts';
import { addressesFor, noPause } from '../client/deployment.ts';

/** A deployment whose cap is so low that a test can exceed it, a client of it, and an empty case. */
export interface WindowsSetting extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly client: Client;
  readonly into: Case;
  readonly order: (more?: Partial<ExportOrder> & { readonly search?: string }) => ExportOrder;
  readonly progress: WindowsProgress[];
  readonly onProgress: (progress: WindowsProgress) => void;
  /** Number of submitted exports. */
  readonly submissions: () => number;
  /** Time of the clock; waiting moves it on at once. */
  readonly clock: Clock;
}

export interface SettingOptions extends DeploymentOptions {
  readonly cap?: number;
  readonly onDisk?: boolean;
}

const start = 1_700_000_000_000;

/** A clock on which waiting takes no time, and moves the time of the deployment on. */
export function testClock(): Clock {
  let passed = 0;
  return {
    now: () => start + 10_000_000_000 + passed,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      passed += milliseconds;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** The connection to a deployment in this process: a broken one is told as the network tells it. */
export function transportTo(
  deployment: Deployment,
  onRequest: (request: Request) => void = () => {},
): Transport {
  return async (request) => {
    onRequest(request);
    try {
      return await deployment.fetch(request);
    } catch (error) {
      if (!(error instanceof BrokenConnection)) throw error;
      throw new ClientError('UNREACHABLE', error.message, { cause: error, arrived: true });
    }
  };
}

export async function startWindows({
  cap = 100,
  onDisk = false,
  ...options
}: SettingOptions = {}): Promise<WindowsSetting> {
  const folder = await mkdtemp(join(tmpdir(), 'windows-test-'));
  const clock = testClock();
  const deployment = await createDeployment({
    pace: { queued: 0, running: 0, perLog: 0 },
    now: clock.now,
    ...options,
    exports: { cap, ...options.exports },
  });
  let submissions = 0;
  const transport = transportTo(deployment, ({ url }) => {
    if (url.endsWith('/logs/export')) submissions += 1;
  });
  const addresses = addressesFor(`https://gis.example.com${deployment.paths.context}`);
  const client = openClient({
    addresses,
    transport,
    clock,
    retry: noPause,
    credentials: { kind: 'password', ...deployment.account },
  });
  const into = await openCase(onDisk ? join(folder, 'incident.duckdb') : ':memory:', {
    access: 'write',
    create: true,
    memory: 'little',
  });
  const progress: WindowsProgress[] = [];
  return {
    deployment,
    client,
    into,
    progress,
    clock,
    onProgress: (one) => progress.push(one),
    submissions: () => submissions,
    order: ({ search, ...more } = {}) => ({
      deployment: addresses.root,
      request: {
        ...newestLogsRequest,
        num: cap,
        logLevel: 'DEBUG',
        ...(search !== undefined && { searchQuery: search }),
      },
      via: 'search',
      windowBy: 'auto',
      timeField: 'time',
      oldest: start - 86_400_000,
      newest: start + 999_999_999,
      given: clock.now(),
      ...more,
    }),
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await into[Symbol.asyncDispose]();
      await deployment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** The logs of a case as texts, in an order that depends on nothing but them. */
export async function textsOf(of: Case): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { log } of streamLogs(of, matchAllFilter)) texts.push(textOf(log));
  return texts.sort();
}

export function textOf(log: Log): string {
  return JSON.stringify(Object.entries(log).sort());
}

/** Expects the case to hold exactly these logs, as often as they are given. */
export function sortedTexts(logs: readonly Log[]): readonly string[] {
  return logs.map(textOf).sort();
}

/** Logs by a rhythm: the time of each comes from a generator of numbers from 0 to 1, seeded. */
export function burstyLogs(count: number, { seed = 1, spread = 1.2 } = {}): readonly Log[] {
  const random = generator(seed);
  const logs: Log[] = [];
  let time = start;
  let pause = 50;
  for (let index = 0; index < count; index += 1) {
    if (index % 200 === 0) pause = 50 * Math.exp(spread * normal(random));
    // One in ten has the very time of the one before.
    if (random() < 0.9) time += Math.floor(random() * 2 * pause);
    logs.push({
      time,
      logLevel: random() < 0.1 ? 'SEVERE' : 'INFO',
      logCode: 9000 + Math.floor(random() * 20),
      source: random() < 0.5 ? 'Sharing' : 'Rest Catalog',
      msg: `request ${random() < 0.3 ? 'repeated' : index}`,
    });
  }
  return logs;
}

/** Numbers from 0 to 1 that look random. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The windows of a case that stand for its coverage, in the order of time. */
export async function coverageOf(of: Case) {
  const windows = (await findWindows(of)).filter(
    ({ state, slice }) => state !== 'split' && slice === undefined,
  );
  return windows.sort((a, b) => a.oldest - b.oldest);
}
