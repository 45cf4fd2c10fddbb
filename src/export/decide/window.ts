import type { StoredWindow, WindowState } from '../../case/index.ts';

/** An interval of time with both ends included, in milliseconds since the epoch. */
export interface Window {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Lower end of a window without a lower bound: the earliest time possible. It is
 * never sent to a deployment.
 */
export const openStart = -8_640_000_000_000_000;

/** No window is cut before this time: no such logs exist, and a deployment may reject such times. */
export const earliestCut = 0;

/** Length of a window in milliseconds. */
export function windowLength({ oldest, newest }: Window): number {
  return newest - oldest + 1;
}

/** Returns whether a window contains a time. */
export function containsTime({ oldest, newest }: Window, time: number): boolean {
  return oldest <= time && time <= newest;
}

/** Subtracts other windows from one; the remaining parts come newest first. */
export function subtractWindows(window: Window, others: readonly Window[]): readonly Window[] {
  let left: readonly Window[] = [window];
  for (const other of others) left = left.flatMap((each) => cut(each, other));
  return [...left].sort((a, b) => b.newest - a.newest);
}

function cut({ oldest, newest }: Window, other: Window): Window[] {
  if (other.newest < oldest || newest < other.oldest) return [{ oldest, newest }];
  return [
    { oldest, newest: other.oldest - 1 },
    { oldest: other.newest + 1, newest },
  ].filter((each) => each.oldest <= each.newest);
}

/** Rounds a time down to a multiple of `step`. */
export function floorTo(time: number, step: number): number {
  return Math.floor(time / step) * step;
}

/** Rounds a time up to a multiple of `step`. */
export function ceilTo(time: number, step: number): number {
  return Math.ceil(time / step) * step;
}

/** Returns whether a window begins and ends at whole steps. */
export function isAligned({ oldest, newest }: Window, step: number): boolean {
  return oldest % step === 0 && (newest + 1) % step === 0;
}

/** Prepares a window for a new run: one that was given up is planned again. */
export function reviveWindow(window: StoredWindow): StoredWindow {
  if (window.state === 'failed') return resetWindow({ ...window, attempts: 0 });
  return window;
}

/** Resets a window to be requested again. */
export function resetWindow({
  window,
  export: exportNumber,
  oldest,
  newest,
  slice,
  expected,
  attempts,
  logs,
  updated,
}: StoredWindow): StoredWindow {
  return {
    ...{ window, export: exportNumber, oldest, newest, state: 'planned' as const, attempts, updated },
    // Logs of earlier replies stay in the case and are not added again.
    ...(logs !== undefined && { logs }),
    ...(slice !== undefined && { slice }),
    ...(expected !== undefined && { expected }),
  };
}

/** States of a window whose job is known and whose logs are not in the case yet. */
export const underWayStates: ReadonlySet<WindowState> = new Set(['submitted', 'ready', 'fetched']);

/** Longest halved interval, in milliseconds: a window without a lower bound has no middle. */
const longestHalf = 2 * 86_400_000;

/** Reason for giving up a window, and the number of a new window for its older half. */
export interface GiveUpReason {
  readonly reason: string;
  readonly attempts: number;
  readonly number: number;
}

/** Marks a window as failed for this run. */
export function giveUpWindow(
  window: StoredWindow,
  { reason, attempts }: Omit<GiveUpReason, 'number'>,
): StoredWindow {
  return { ...resetWindow(window), state: 'failed', attempts, reason };
}

/**
 * Halves a window whose zip stays damaged: the newer half is given up, the older
 * one planned, because one damaged zip says nothing about older times. Undefined
 * for a window that cannot be halved.
 */
export function giveUpNewerHalf(
  window: StoredWindow,
  { reason, attempts, number }: GiveUpReason,
): readonly [StoredWindow, StoredWindow] | undefined {
  if (windowLength(window) < 2 || window.slice !== undefined) return undefined;
  const middle = window.newest + 1 - Math.floor(Math.min(windowLength(window), longestHalf) / 2);
  const { expected: _, logs, ...fresh } = resetWindow({ ...window, attempts: 0 });
  return [
    { ...fresh, ...(logs !== undefined && { logs }), oldest: middle, state: 'failed', attempts, reason },
    { ...fresh, window: number, newest: middle - 1 },
  ];
}
