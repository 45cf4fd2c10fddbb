import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findWindows } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';
import { openClient } from '../../src/client/client.ts';
import type { Clock } from '../../src/client/retry.ts';
import { burstLogs } from '../../src/emulator/bursts.ts';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { readScenario, scenarioOptions } from '../../src/emulator/scenario.ts';
import {
  exportWindows,
  type WindowsOptions,
  type WindowsResult,
} from '../../src/export/run/export-windows.ts';
import { orderSinceLast } from '../../src/export/run/open-export.ts';
import type { ExportOrder } from '../../src/export/run/order.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { addressesFor, noPause } from '../client/deployment.ts';
import { sampled } from '../effort.ts';
import { sortedTexts, textsOf, transportTo } from './exporting-windows.ts';

const minute = 60_000;

/** An export from a deployment of the samples, in this process and without waiting. */
interface Rehearsal extends AsyncDisposable {
  readonly options: WindowsOptions;
  readonly clock: Clock;
  readonly run: () => Promise<WindowsResult>;
  /** Logs of the sample that the case lacks, and those that it has twice. */
  readonly compare: () => Promise<{ readonly lost: number; readonly extra: number }>;
  readonly messages: readonly string[];
}

async function rehearse(name: string): Promise<Rehearsal> {
  const read = readScenario(readFileSync(`samples/scenarios/${name}.json`, 'utf8'));
  if ('problem' in read) throw new Error(read.problem);
  const { pace: _, ...deploymentOptions } = scenarioOptions(read.scenario);
  const logs = burstLogs(read.scenario.logs ?? { count: 0 });
  const [oldest, last] = [logs[0]?.time ?? 0, logs.at(-1)?.time ?? 0];
  let now = last + 1000;
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      now += milliseconds;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const pace = { queued: 0, running: 0, perLog: 0 };
  // What the deployment logs of itself would be among what is compared.
  const deployment = await createDeployment({
    ...deploymentOptions,
    logs,
    pace,
    now: clock.now,
    logLevel: 'SEVERE',
  });
  const addresses = addressesFor(`https://gis.example.com${deployment.paths.context}`);
  const client = openClient({
    addresses,
    clock,
    retry: { ...noPause, patience: 5 * minute },
    transport: transportTo(deployment, () => {
      now += 1;
    }),
    credentials: { kind: 'password', ...deployment.account },
  });
  const into = await openCase(':memory:', { access: 'write', create: true, memory: 'little' });
  const messages: string[] = [];
  const options: WindowsOptions = {
    client,
    into,
    jobs: 1,
    onProgress: (progress) => {
      if (progress.event === 'trouble') messages.push(progress.message);
    },
  };
  const order: ExportOrder = {
    deployment: addresses.root,
    request: { ...newestLogsRequest, logLevel: 'DEBUG', num: read.scenario.exports?.cap ?? 10_000 },
    via: 'search',
    windowBy: 'auto',
    timeField: 'time',
    oldest: oldest - 60 * minute,
    newest: last,
    to: last,
    given: now,
  };
  return {
    options,
    clock,
    messages,
    run: () => exportWindows({ ...options, order }),
    compare: async () => {
      const left = new Map<string, number>();
      for (const text of sortedTexts(logs)) left.set(text, (left.get(text) ?? 0) + 1);
      for (const text of await textsOf(into)) left.set(text, (left.get(text) ?? 0) - 1);
      const sum = (sign: number) =>
        [...left.values()].reduce((total, count) => total + Math.max(0, sign * count), 0);
      return { lost: sum(1), extra: sum(-1) };
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await into[Symbol.asyncDispose]();
      await deployment[Symbol.asyncDispose]();
    },
  };
}

/** The samples of what an export must not believe, and what it says of each. Their counterparts, by other rules, are in
 * clocks, limits, late-and-deleted and addresses-and-restarts of this folder. */
const rehearsals: readonly (readonly [name: string, isComplete: boolean, message: string | undefined])[] = [
  ['wrong-date', true, undefined],
  ['slow-date', false, undefined],
  ['byte-limit', true, undefined],
  ['mixed-order', true, undefined],
  ['level-limit', true, 'left out logs'],
  ['other-replies', false, 'came before'],
  ['retention', false, 'deleted its oldest logs'],
  ['internal-host', true, undefined],
  ['restart', true, undefined],
];

test.each(sampled(rehearsals, 3))('%s is rehearsed: complete is %s', async (name, isComplete, message) => {
  await using rehearsal = await rehearse(name);
  const { complete, gaps } = await rehearsal.run();
  const { lost, extra } = await rehearsal.compare();
  expect({ complete, extra }).toEqual({ complete: isComplete, extra: 0 });
  if (complete) expect(lost).toBe(0);
  else expect(gaps.length).toBeGreaterThan(0);
  if (message !== undefined) expect(rehearsal.messages).toContainEqual(expect.stringContaining(message));
  // A password in an address of the deployment is not kept.
  expect(JSON.stringify(await findWindows(rehearsal.options.into))).not.toContain('hunter2');
});

test('late-logs is rehearsed: what came late comes with the next export', async () => {
  await using rehearsal = await rehearse('late-logs');
  const { options, clock, messages } = rehearsal;
  await rehearsal.run();
  const { lost } = await rehearsal.compare();
  expect(lost).toBeGreaterThan(10);
  await clock.sleep(10 * minute);
  const more = await orderSinceLast(options.into, { now: clock.now() });
  await exportWindows({ ...options, ...more });
  expect(await rehearsal.compare()).toEqual({ lost: 0, extra: 0 });
  expect(messages).toContainEqual(expect.stringContaining('came late'));
});
