import type { Token } from '../../language/token.ts';
import type { Level } from './level.ts';
import type { QueryView } from './query-view.ts';

/**
 * The first NOT of a level on which the server takes it otherwise than a person
 * does. None where there is an AND, since then the mixing is to blame, and none
 * beside a plus: who writes one knows how the server reads.
 */
export function looseNotOn(level: Level, { readingsDiffer }: QueryView): Token | undefined {
  const { nots, ands, pluses } = level.counts;
  if (nots === 0 || 0 < ands || 0 < pluses || !readingsDiffer(level)) return undefined;
  return level.members.find(({ modifier }) => modifier === 'not')?.clauses[0].modifier;
}
