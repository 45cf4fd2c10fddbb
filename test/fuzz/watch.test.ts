import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { processorTime, watch } from './watch.ts';
import { Beat } from './work.ts';

/** Milliseconds. */
const patience = 500;

/** Is as busy as a text that hangs. */
function hang(): void {
  const end = processorTime() + 2 * patience;
  while (processorTime() < end);
}

test('work that stands still is stuck once it took the processor for long, not when time has passed', async () => {
  const progress = new Int32Array(3);
  const isStuck = watch(progress, patience);
  await setTimeout(2 * patience);
  expect(isStuck()).toBe(false);
  hang();
  expect(isStuck()).toBe(true);
  Atomics.add(progress, Beat.count, 1);
  expect(isStuck()).toBe(false);
});
