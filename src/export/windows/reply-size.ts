import type { StoredWindow } from '../../store/index.ts';

/** Sizes that decide whether a reply may have been cut off. */
export interface ReplySizes {
  /** As many logs as were asked for. */
  readonly num: number;
  /** Records of the largest reply of the export so far. */
  readonly largest: number;
}

/** No deployment returns fewer logs a call than this, so that a reply of this size or less is never cut off by a cap. */
const leastCap = 10;

/**
 * Returns whether a reply may lack logs because of a cap. A deployment can
 * have one of its own, below `num`, and need not say so. A smaller reply than
 * another one of the export stays below that cap; the largest one does not,
 * nor does one whose size looks like a setting.
 */
export function mayBeCut(records: number, { num, largest }: ReplySizes): boolean {
  if (num <= records) return true;
  return leastCap < records && (largest <= records || isRound(records));
}

/** Caps are thousands, or one less where an upper bound is excluded. */
function isRound(records: number): boolean {
  return 999 <= records && (records % 1000 === 0 || records % 1000 === 999);
}

/** The size of the largest reply among those that brought windows, or were too large for them. */
export function largestReply(windows: readonly StoredWindow[]): number {
  return windows.reduce((most, { records = 0 }) => Math.max(most, records), 0);
}
