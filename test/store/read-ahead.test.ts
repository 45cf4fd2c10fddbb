import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAhead } from '../../src/case/loading/read-entry.ts';
import { rounds } from '../effort.ts';

/** Lets everything go on that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('items come in order, and those put and not dealt with weigh no more than the limit but for one', async () => {
  const weights = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 30 });
  const pauses = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(weights, fc.integer({ min: 1, max: 20 }), pauses, async (all, limit, isSlow) => {
      let held = 0;
      const items = readAhead<number>(limit, async (put) => {
        for (const [index, weight] of all.entries()) {
          expect(held).toBeLessThan(limit);
          held += weight;
          if (isSlow[index]) await settle();
          await put(index, weight);
        }
      });
      const taken: number[] = [];
      for await (const item of items) {
        taken.push(item);
        if (isSlow.at(-item)) await settle();
        // It counts until the next is asked for.
        held -= all[item] ?? 0;
      }
      expect(taken).toEqual([...all.keys()]);
    }),
    { numRuns: rounds(200, 40) },
  );
});

test('items are produced while those before them are used, as many as there is room for', async () => {
  let put = 0;
  const items = readAhead<number>(3, async (putOne) => {
    for (; put < 20; ) await putOne(put++, 1);
  });
  for await (const item of items) {
    await settle();
    expect(put).toBe(Math.min(20, item + 3));
  }
  expect(put).toBe(20);
});

test('one that weighs as much as the limit holds the others until all up to it are dealt with', async () => {
  const order: string[] = [];
  const items = readAhead<string>(10, async (put) => {
    await put('first', 1);
    await put('second', 10);
    order.push('held no longer');
    await put('third', 1);
  });
  for await (const item of items) {
    await settle();
    order.push(item);
  }
  expect(order).toEqual(['first', 'second', 'held no longer', 'third']);
});

test('a failure is met behind what was put before', async () => {
  const items = readAhead<number>(3, async (put) => {
    await put(1, 1);
    throw new Error('no more');
  });
  await settle();
  expect(await items.next()).toEqual({ done: false, value: 1 });
  await expect(items.next()).rejects.toThrow('no more');
});

test.each([1, 100])('who asks for no more has the work end, with room for %d', async (limit) => {
  let isEnded = false;
  const items = readAhead<number>(limit, async (put) => {
    try {
      for (let item = 0; ; item++) {
        await settle();
        await put(item, 1);
      }
    } finally {
      await settle();
      isEnded = true;
    }
  });
  for await (const _ of items) break;
  expect(isEnded).toBe(true);
});

test('what nobody asks for is not begun', async () => {
  let isBegun = false;
  const items = readAhead<number>(1, async () => {
    isBegun = true;
  });
  await items.return();
  await settle();
  expect(isBegun).toBe(false);
});
