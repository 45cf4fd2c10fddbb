import { compareCursors, type LogOrder } from '../case/index.ts';
import type { Filter } from '../language/index.ts';
import { type Asked, logCursors } from './log-source.ts';
import type { CursorInCases } from './several-cases.ts';

/** Options of `cursorsOfCases`. */
export interface CursorsOfCasesOptions {
  readonly order: LogOrder;
  /** Distance between two cursors, in logs. */
  readonly every: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the positions of each `every`-th log that a filter selects in some cases. Page `n + 1`
 * of `every` logs begins after cursor `n`, counted from 0.
 */
export async function cursorsOfCases(
  cases: readonly Asked[],
  filter: Filter,
  { order, every, signal }: CursorsOfCasesOptions,
): Promise<readonly CursorInCases[]> {
  // The positions of several cases depend on every log of each.
  const each = { order, every: cases.length === 1 ? every : 1, signal };
  const found = await Promise.all(cases.map((from) => logCursors(from, filter, each)));
  const all = found.flatMap((cursors, ofCase) => cursors.map((cursor) => ({ ...cursor, ofCase })));
  if (cases.length === 1) return all;
  all.sort((first, second) => compareInCases(first, second, order));
  return all.filter((_, index) => (index + 1) % every === 0);
}

/** Orders by time, then by case, then by id. */
function compareInCases(first: CursorInCases, second: CursorInCases, order: LogOrder): number {
  const byTime = compareCursors({ ...first, id: 0 }, { ...second, id: 0 }, order);
  return byTime || first.ofCase - second.ofCase || compareCursors(first, second, order);
}
