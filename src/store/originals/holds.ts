import type { Case } from '../case/case.ts';

/**
 * Those who count on an original, as long as it is not decided whether the case
 * refers to it. Equal files are one original: adding one of them may fail while
 * another one is loaded from it.
 */
export interface Hold {
  readonly sha256: string;
  /** How many they are. */
  holders: number;
  /** The original was not there before the first of them. */
  isNew: boolean;
}

const holds = new WeakMap<Case, Map<string, Hold>>();

/** Counts on an original from now on, whether it is there yet or not. */
export function beginHold(of: Case, sha256: string): Hold {
  const all = holds.get(of) ?? new Map<string, Hold>();
  holds.set(of, all);
  const known = all.get(sha256);
  // Where all others have let go, one of them may be about to take it back: this one is not theirs.
  const hold = known && 0 < known.holders ? known : { sha256, holders: 0, isNew: known?.isNew ?? false };
  hold.holders += 1;
  all.set(sha256, hold);
  return hold;
}

/** Tells whether somebody counts on an original at this moment. */
export function isHeld(of: Case, sha256: string): boolean {
  return holds.get(of)?.has(sha256) === true;
}

/** No longer counts on an original. Gives what was held, where nobody else does and it was new: then somebody has to decide whether it stays. */
export function endHold(of: Case, sha256: string): Hold | undefined {
  const hold = holds.get(of)?.get(sha256);
  if (!hold || 0 < --hold.holders) return undefined;
  if (hold.isNew) return hold;
  holds.get(of)?.delete(sha256);
  return undefined;
}

/** Forgets what was held, where nobody has begun to count on it again; gives whether it did. */
export function forgetHold(of: Case, hold: Hold): boolean {
  const isOver = holds.get(of)?.get(hold.sha256) === hold;
  return isOver && holds.get(of)?.delete(hold.sha256) === true;
}
