import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openClient } from '../../src/client/index.ts';
import { exportWindows } from '../../src/export/index.ts';
import { type JobOutcome, observe, startConcurrency } from '../../src/export/windows/concurrency.ts';
import { addressesFor, noPause } from '../client/deployment.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf, transportTo } from './exporting-windows.ts';

const done = (milliseconds = 1000): JobOutcome => ({ kind: 'done', milliseconds });
const overloaded: JobOutcome = { kind: 'overloaded' };
const permitsAfter = (outcomes: readonly JobOutcome[], permits: number, limit: number) =>
  outcomes.reduce(observe, startConcurrency(permits, limit));

describe('the number of jobs', () => {
  test('grows by one a round while the deployment answers well, to its limit', () => {
    expect(permitsAfter(Array(5).fill(done()), 2, 16).permits).toBe(4);
    expect(permitsAfter(Array(500).fill(done()), 2, 16).permits).toBe(16);
    expect(permitsAfter(Array(500).fill(done()), 3, 3).permits).toBe(3);
  });

  test('is halved once for all jobs of a round that fail together, and grows again', () => {
    const outcomes = Array(8).fill(overloaded);
    expect(permitsAfter(outcomes, 8, 16).permits).toBe(4);
    expect(permitsAfter([...outcomes, overloaded], 8, 16).permits).toBe(2);
    expect(permitsAfter([...outcomes, ...Array(9).fill(done())], 8, 16).permits).toBe(6);
  });

  test('does not grow while jobs take much longer than the quickest', () => {
    const outcomes = Array.from({ length: 40 }, (_, index) => done(index % 2 === 0 ? 1000 : 9000));
    expect(permitsAfter(outcomes, 2, 16).permits).toBe(2);
  });

  test('stays within its limits whatever comes, and ends at one or the limit when nothing changes', () => {
    const outcome = fc.oneof(
      fc.constant(overloaded),
      fc.integer({ min: 0, max: 1e6 }).map((milliseconds) => done(milliseconds)),
    );
    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 100 }),
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 1, max: 16 }),
        (outcomes, permits, limit) => {
          let state = startConcurrency(permits, limit);
          for (const each of outcomes) {
            const before = state.permits;
            state = observe(state, each);
            expect(state.permits).toBeGreaterThanOrEqual(1);
            expect(state.permits).toBeLessThanOrEqual(limit);
            expect(state.permits - before).toBeLessThanOrEqual(each.kind === 'done' ? 1 : 0);
          }
          expect(Array(400).fill(done()).reduce(observe, state).permits).toBe(limit);
          expect(Array(100).fill(overloaded).reduce(observe, state).permits).toBe(1);
        },
      ),
    );
  });
});

test.each(['auto', 4] as const)(
  'an export by %s jobs keeps all logs when the deployment is overloaded',
  async (jobs) => {
    const logs = burstyLogs(400);
    await using setting = await startWindows({
      ...{ logs, cap: 60 },
      faults: [{ on: 'job', skip: 2, every: 5, effect: 'status', status: 503 }],
    });
    const result = await exportWindows({ ...setting, order: setting.order(), jobs });
    expect(result).toMatchObject({ logs: logs.length, complete: true });
    expect(setting.client.overloads()).toBeGreaterThan(0);
    expect(await textsOf(setting.into)).toEqual(sortedTexts(logs));
  },
);

test('the rate holds for all jobs together, sign-ins and repetitions among the requests', async () => {
  const logs = burstyLogs(200, { spread: 0.4 });
  await using setting = await startWindows({
    ...{ logs, cap: 60 },
    faults: [{ on: 'job', every: 4, effect: 'status', status: 503 }],
  });
  const { clock } = setting;
  const sent: number[] = [];
  const client = openClient({
    addresses: addressesFor(`https://gis.example.com${setting.deployment.paths.context}`),
    transport: transportTo(setting.deployment, () => sent.push(clock.now())),
    credentials: { kind: 'password', ...setting.deployment.account },
    ...{ clock, retry: noPause, maxRate: 2 },
  });
  await exportWindows({ ...setting, client, order: setting.order(), jobs: 4 });
  expect(sent.length).toBeGreaterThan(20);
  const spans = sent.slice(10).map((time, index) => time - (sent[index] ?? 0));
  // Ten requests after any one take five seconds at least.
  expect(Math.min(...spans)).toBeGreaterThanOrEqual(10 * 500);
});
