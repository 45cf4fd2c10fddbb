import { test } from 'vitest';
import { isFull } from './effort.ts';

/**
 * A test that takes seconds, and whose code other tests reach in less: only with
 * `TEST_EFFORT=full`. Files of such tests alone are named `*.large.test.ts`.
 */
export function largeTest(name: string, run: () => Promise<void> | void): void {
  if (isFull) test(name, run);
}
