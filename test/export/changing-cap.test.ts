import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openClient } from '../../src/client/client.ts';
import { exportWindows, retryGaps, type WindowsResult } from '../../src/export/run/export-windows.ts';
import { addressesFor, noPause } from '../client/deployment.ts';
import { rounds, sampled } from '../effort.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from './exporting-windows.ts';

const count = rounds(400, 200);

/** The number of logs that a deployment returns for its n-th export, however many are asked for. */
type Cap = (call: number) => number;

/** Exports from a deployment whose cap changes, and returns whether all logs are in the case. */
async function exportWith(order: 'sorted' | 'cut first' | 'unsorted', cap: Cap, logs = burstyLogs(count)) {
  await using setting = await startWindows({ logs, exports: { order } });
  const { deployment, clock } = setting;
  let calls = 0;
  const transport = async (request: Request) => {
    if (!request.url.endsWith('/logs/export')) return deployment.fetch(request);
    const form = new URLSearchParams(await request.text());
    calls += 1;
    form.set('num', String(Math.min(cap(calls), Number(form.get('num')))));
    const { url, method, headers } = request;
    return deployment.fetch(new Request(url, { method, headers, body: form }));
  };
  const addresses = addressesFor(`https://gis.example.com${deployment.paths.context}`);
  const credentials = { kind: 'password', ...deployment.account } as const;
  await using client = openClient({ addresses, transport, clock, retry: noPause, credentials });
  const run = { ...setting, client };
  const result = await exportWindows({ ...run, order: setting.order() });
  const retried = result.complete ? result : await retryGaps(run);
  const texts = await textsOf(setting.into);
  return { result, retried, hasAll: texts.join() === sortedTexts(logs).join(), calls, logs: texts.length };
}

const caps: readonly (readonly [name: string, cap: Cap])[] = [
  ['falls from 100 to 60', (call) => (6 < call ? 60 : 100)],
  ['falls from 90 to 50', (call) => (6 < call ? 50 : 90)],
  ['falls after the first call', (call) => (1 < call ? 53 : 100)],
  ['rises from 50 to 90', (call) => (6 < call ? 90 : 50)],
  ['falls and rises', (call) => (6 < call && call < 14 ? 57 : 100)],
  ['differs from call to call', (call) => 40 + ((call * 37) % 61)],
];

/** A claim holds if the logs are all there, each once, whenever it says so, and the numbers agree. */
function expectTrue({ complete, logs }: WindowsResult, has: { hasAll: boolean; logs: number }) {
  if (complete) expect(has).toMatchObject({ hasAll: true, logs });
}

describe('a cap that changes during the export', () => {
  test.each(sampled(caps, 1))('loses nothing where the deployment sorts: it %s', async (_, cap) => {
    const { result, hasAll, calls } = await exportWith('sorted', cap);
    expect([result.complete, result.logs, hasAll]).toEqual([true, count, true]);
    // A cap that falls right after the first call may hide the order: then all come once more, by a quarter of it.
    expect(calls).toBeLessThanOrEqual(8 + count / 4);
  });

  test.each(sampled(caps, 1))('is found out where it cuts before it sorts: it %s', async (_, cap) => {
    const ran = await exportWith('cut first', cap);
    expectTrue(ran.retried, ran);
  });

  test.each(sampled(caps, 1))('is found out where it does not sort: it %s', async (_, cap) => {
    const ran = await exportWith('unsorted', cap);
    expectTrue(ran.retried, ran);
  });

  test('never loses a log of a deployment that sorts, whatever the caps are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 40, max: 100 }), { minLength: 1, maxLength: 12 }),
        async (each) => {
          const cap = (call: number) => each[call % each.length] ?? 100;
          const { result, hasAll } = await exportWith('sorted', cap, burstyLogs(250));
          expect(result.complete ? hasAll : 0 < result.gaps.length).toBe(true);
        },
      ),
      { numRuns: rounds(20, 2) },
    );
  });
});

test.each(['unsorted', 'cut first'] as const)(
  'logs right beside the times of an export are no sign of another cap, where logs are %s',
  async (order) => {
    const logs = burstyLogs(60);
    const newest = Math.max(...logs.map(({ time = 0 }) => time));
    const later = burstyLogs(20).map((log) => ({ ...log, time: newest + 1 }));
    await using setting = await startWindows({ logs: [...logs, ...later], exports: { order } });
    const result = await exportWindows({ ...setting, order: setting.order({ newest }) });
    expect(result).toMatchObject({ complete: true, logs: 60 });
    expect(setting.progress.filter(({ event }) => event === 'trouble')).toEqual([]);
  },
);
