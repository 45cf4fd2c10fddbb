import { describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { servedLogs, startAwkward } from './awkward-export.ts';
import {
  bytes,
  counted,
  dropping,
  ordered,
  perLevel,
  type Rule,
  rules,
  type ServedOrder,
} from './awkward-server.ts';

const logs = servedLogs(250);
const now = (logs.at(-1)?.time ?? 0) + 3_600_000;
const orders: readonly ServedOrder[] = ['as asked', 'oldest first', 'changing', 'shuffled'];

const limits: readonly (readonly [name: string, order: ServedOrder, rule: Rule])[] = orders.flatMap(
  (order) => [
    ['60 logs', order, rules(ordered(order), counted(60))] as const,
    ['8 kB', order, rules(ordered(order), bytes(8000))] as const,
    ['20 logs of a level', order, rules(ordered(order), perLevel(20))] as const,
  ],
);

describe('a limit that a deployment does not name', () => {
  test.each(sampled(limits, 4))(
    'of %s, %s, hides no log from an export that is complete',
    async (_, _order, rule) => {
      await using setting = await startAwkward({ logs, rule, now });
      const { complete, lost, extra, gaps, logs: count } = await setting.run();
      expect(extra).toBe(0);
      expect(complete ? lost === 0 : 0 < gaps.length).toBe(true);
      if (complete) expect(count).toBe(logs.length);
    },
  );

  test('of a level is found by asking again', async () => {
    const rule = rules(ordered('as asked'), perLevel(20));
    await using setting = await startAwkward({ logs, rule, now });
    expect(await setting.run()).toMatchObject({ lost: 0, extra: 0 });
    expect(setting.said).toContainEqual(expect.stringContaining('left out'));
  });
});

test('a limit of bytes that lets only few logs through hides none from an export that is complete', async () => {
  const few = servedLogs(17, 2);
  const rule = rules(ordered('as asked'), bytes(1500));
  await using setting = await startAwkward({ logs: few, rule, now });
  const { complete, gaps, logs: count } = await setting.run();
  expect([complete, gaps.length, count]).toEqual([false, 1, expect.any(Number)]);
  expect(count).toBeLessThanOrEqual(10);
});

test('ascending order is proved as descending is', async () => {
  const calls = async (order: ServedOrder) => {
    await using setting = await startAwkward({ logs, rule: rules(ordered(order), counted(60)), now });
    const { complete, lost, extra, calls: made, doubts } = await setting.run();
    expect([complete, lost, extra]).toEqual([true, 0, 0]);
    expect(doubts.map(({ code }) => code)).not.toContain('UNSORTED');
    return made;
  };
  expect(Math.abs((await calls('oldest first')) - (await calls('as asked')))).toBeLessThanOrEqual(4);
});

test('replies that differ are no proof, and all that came is there', async () => {
  const rule = rules(ordered('as asked'), counted(), dropping(0.06));
  await using setting = await startAwkward({ logs, rule, now });
  const { complete, extra, gaps } = await setting.run();
  expect([complete, extra]).toEqual([false, 0]);
  expect(gaps.length).toBeGreaterThan(0);
});

test('an export that is done twice has all logs that come in either', async () => {
  const rule = rules(ordered('as asked'), counted(100), dropping(0.02));
  await using once = await startAwkward({ logs, rule, now });
  await using twice = await startAwkward({ logs, rule, now });
  const [first, second] = [await once.run(), await twice.run({}, { twice: true })];
  expect(second.lost).toBeLessThanOrEqual(first.lost);
  expect(second.complete ? second.lost : 0).toBe(0);
  await using sound = await startAwkward({ logs, rule: rules(ordered('as asked'), counted(100)), now });
  expect(await sound.run({}, { twice: true })).toMatchObject({
    complete: true,
    lost: 0,
    extra: 0,
    logs: logs.length,
  });
});
