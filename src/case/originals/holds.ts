import type { Case } from '../file/case.ts';

/**
 * Holders of an original, until it is decided if the case refers to it. Equal files are one
 * original: adding one may fail while another is loaded from it.
 */
export interface Hold {
  readonly sha256: string;
  /** Number of holders. */
  holders: number;
  /** The original did not exist before the first hold. */
  isNew: boolean;
}

const holds = new WeakMap<Case, Map<string, Hold>>();

/** Holds an original, existing or not. */
export function beginHold(of: Case, sha256: string): Hold {
  const all = holds.get(of) ?? new Map<string, Hold>();
  holds.set(of, all);
  const known = all.get(sha256);
  // When all others have released it, one of them may be about to remove it: this hold is separate.
  const hold = known && 0 < known.holders ? known : { sha256, holders: 0, isNew: known?.isNew ?? false };
  hold.holders += 1;
  all.set(sha256, hold);
  return hold;
}

/** Reports if an original is held at this moment. */
export function isHeld(of: Case, sha256: string): boolean {
  return holds.get(of)?.has(sha256) === true;
}

/**
 * Ends a hold on an original. Returns the hold if it was the last one and the original is new: the
 * caller then decides if it stays.
 */
export function endHold(of: Case, sha256: string): Hold | undefined {
  const hold = holds.get(of)?.get(sha256);
  if (!hold || 0 < --hold.holders) return undefined;
  if (hold.isNew) return hold;
  holds.get(of)?.delete(sha256);
  return undefined;
}

/** Removes a hold unless it was renewed; returns whether it was removed. */
export function forgetHold(of: Case, hold: Hold): boolean {
  const isOver = holds.get(of)?.get(hold.sha256) === hold;
  return isOver && holds.get(of)?.delete(hold.sha256) === true;
}
