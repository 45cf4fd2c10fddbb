import type { StoredWindow } from '../../store/index.ts';
import { afresh } from './afresh.ts';
import { lengthOf } from './window.ts';

/** A window without a beginning has no middle: no more than half of this is given up, in milliseconds. */
const longest = 2 * 86_400_000;

/** Why a window is given up, and the number of a new window for its older half. */
export interface GivingUp {
  readonly reason: string;
  readonly attempts: number;
  readonly number: number;
}

/** A window that is given up for this run. */
export function givenUp(window: StoredWindow, { reason, attempts }: Omit<GivingUp, 'number'>): StoredWindow {
  return { ...afresh(window), state: 'failed', attempts, reason };
}

/**
 * The two halves of a window whose zip stays damaged: the newer one is given
 * up, the older one planned, because what is wrong with one zip says nothing
 * of the times below it. Undefined for a window that cannot be halved.
 */
export function givenUpInHalves(
  window: StoredWindow,
  { reason, attempts, number }: GivingUp,
): readonly [StoredWindow, StoredWindow] | undefined {
  if (lengthOf(window) < 2 || window.slice !== undefined) return undefined;
  const middle = window.newest + 1 - Math.floor(Math.min(lengthOf(window), longest) / 2);
  const { expected: _, ...fresh } = afresh({ ...window, attempts: 0 });
  return [
    { ...fresh, oldest: middle, state: 'failed', attempts, reason },
    { ...fresh, window: number, newest: middle - 1 },
  ];
}
