import { countKeys } from './survey.ts';

/** So many logs, and so many different ones among them, have to be the same: fewer could be so by chance. */
const proof = { logs: 8, different: 4 } as const;

/**
 * Whether two replies in opposite orders overlap, so that nothing lies between
 * them: the last logs of one are then the last ones of the other, mirrored, and
 * they have no others in common. Logs are given by their keys.
 */
export function mirrors(descending: readonly string[], ascending: readonly string[]): boolean {
  const common = inCommon(descending, ascending);
  if (common < proof.logs) return false;
  const end = descending.slice(-common);
  if (new Set(end).size < proof.different) return false;
  return end.every((key, index) => ascending[ascending.length - 1 - index] === key);
}

/** How many logs two replies have in common, equal ones counted as often as both have them. */
function inCommon(some: readonly string[], others: readonly string[]): number {
  const left = new Map(countKeys(others));
  let count = 0;
  for (const key of some) {
    const held = left.get(key) ?? 0;
    if (held === 0) continue;
    left.set(key, held - 1);
    count += 1;
  }
  return count;
}
