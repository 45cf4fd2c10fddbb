import { describe, expect, test } from 'vitest';
import { findExports } from '../../src/case/contents/exports.ts';
import { exportWindows, retryGaps } from '../../src/export/run/export-windows.ts';
import { orderSinceLast } from '../../src/export/run/open-export.ts';
import { rounds, sampled } from '../effort.ts';
import { servedLogs, startAwkward } from './awkward-export.ts';
import { counted, ordered, rules, type ServedLog, type ServedOrder } from './awkward-server.ts';
import { textsOf } from './exporting-windows.ts';

const count = rounds(600, 300);
const logs = servedLogs(count);
const now = (logs.at(-1)?.time ?? 0) + 3_600_000;

/** Deletes the oldest logs first, one each `every` milliseconds, from `begin` milliseconds after the start on. */
function deleting(all: readonly ServedLog[], { begin, every }: { begin: number; every: number }) {
  return all.map((log, index) => ({ ...log, leaves: now + begin + index * every }));
}

describe('a deployment that deletes its oldest logs during an export', () => {
  const cases: readonly (readonly [order: ServedOrder, jobs: number, begin: number])[] = [
    ['as asked', 1, 10],
    ['as asked', 4, 30],
    ['oldest first', 1, 10],
    ['oldest first', 3, 25],
    ['shuffled', 2, 10],
  ];
  test.each(sampled(cases, 2))(
    '%s, %d jobs, from %d ms on: says that some are gone',
    async (order, jobs, begin) => {
      const rule = rules(ordered(order), counted(60));
      await using setting = await startAwkward({
        logs: deleting(logs, { begin, every: 2 }),
        rule,
        now,
        pace: 9,
      });
      const result = await setting.run({}, { jobs });
      expect(result.lost).toBeGreaterThan(0);
      expect(result).toMatchObject({ complete: false, extra: 0 });
      expect(result.gaps.every(({ kind }) => kind === 'capped')).toBe(true);
      expect(setting.said.some((message) => message.includes('deleted'))).toBe(true);
      // What is deleted never comes, so that asking again does not close the gap.
      const again = await retryGaps(setting.options);
      expect(again.complete).toBe(false);
    },
  );

  test('after all of them came is complete', async () => {
    const rule = rules(ordered('as asked'), counted(60));
    await using setting = await startAwkward({
      logs: deleting(logs, { begin: 600_000, every: 2 }),
      rule,
      now,
    });
    expect(await setting.run()).toMatchObject({ complete: true, lost: 0 });
  });

  test.each(sampled([2, 4], 1))('is complete with %d jobs where nothing is deleted', async (jobs) => {
    const rule = rules(ordered('as asked'), counted(60));
    await using setting = await startAwkward({ logs, rule, now });
    expect(await setting.run({}, { jobs })).toMatchObject({ complete: true, lost: 0 });
    expect(setting.said).toEqual([]);
  });
});

describe('logs that arrive late', () => {
  test('during the export make the next one overlap by twice as much', async () => {
    const few = servedLogs(300);
    const present = (few.at(-1)?.time ?? 0) + 1;
    // Every third of the newest logs shows eight minutes after its time.
    const late = few.map((log, index) =>
      present - 500_000 < log.time && index % 3 === 0 ? { ...log, arrives: log.time + 480_000 } : log,
    );
    const rule = rules(ordered('as asked'), counted(60));
    await using setting = await startAwkward({ logs: late, rule, now: present, pace: 4000 });
    const first = await setting.run({ newest: present + 86_400_000 });
    expect(first.doubts.map(({ code }) => code)).toContain('LATE');
    const [stored] = await findExports(setting.options.into);
    expect(Number(stored?.learnt.late)).toBeGreaterThan(300_000);
    const { clock } = setting.server;
    await clock.sleep(600_000);
    const since = await orderSinceLast(setting.options.into, { now: clock.now() });
    expect((stored?.newest ?? 0) - since.order.oldest).toBeGreaterThanOrEqual(
      2 * Number(stored?.learnt.late),
    );
    const next = await exportWindows({ ...setting.options, ...since });
    expect([next.gaps, next.complete]).toEqual([[], true]);
    expect((await textsOf(setting.options.into)).length).toBe(300);
  });
});
