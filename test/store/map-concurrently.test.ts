import { expect, test } from 'vitest';
import { mapConcurrently } from '../../src/store/loading/entries/map-concurrently.ts';

/** Numbers that are counted as they are asked for. */
function counted(to: number) {
  const state = { asked: 0, isClosed: false };
  async function* items() {
    try {
      for (; state.asked < to; ) yield state.asked++;
    } finally {
      state.isClosed = true;
    }
  }
  return { state, items: items() };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

test('results come in the order of their items, however long each takes', async () => {
  const results: number[] = [];
  const wait = async (delay: number) => {
    await new Promise((resolve) => setTimeout(resolve, delay));
    return delay;
  };
  for await (const result of mapConcurrently([30, 0, 20, 10], wait, 3)) results.push(result);
  expect(results).toEqual([30, 0, 20, 10]);
});

test('items are asked for while the results before them are used, but no more than there may be at once', async () => {
  const { state, items } = counted(20);
  let [begun, used] = [0, 0];
  for await (const result of mapConcurrently(items, async (item) => ++begun && item, 3)) {
    expect(result).toBe(used++);
    await soon();
    expect(begun - used).toBe(Math.min(3, 20 - used));
    expect(state.asked).toBe(Math.min(20, used + 3));
  }
  expect(used).toBe(20);
});

test('a failure is met when its turn comes', async () => {
  const results: number[] = [];
  const reading = (async () => {
    for await (const result of mapConcurrently(
      [1, 2, 3],
      (item) => (item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(item)),
      3,
    ))
      results.push(result);
  })();
  await expect(reading).rejects.toThrow('two');
  expect(results).toEqual([1]);
});

test('a failure of the items is met behind what came before', async () => {
  async function* items() {
    yield 1;
    throw new Error('no more');
  }
  const results = mapConcurrently(items(), async (item) => item, 3);
  expect(await results.next()).toEqual({ done: false, value: 1 });
  await expect(results.next()).rejects.toThrow('no more');
});

test('who asks for no more has the items end', async () => {
  const { state, items } = counted(20);
  for await (const _ of mapConcurrently(items, async (item) => item, 3)) break;
  expect(state).toEqual({ asked: 4, isClosed: true });
});
