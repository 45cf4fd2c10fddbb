import type { Token } from '../parse/token.ts';
import type { QueryLevel } from './level.ts';
import type { QueryView } from './query-view.ts';

/**
 * The first NOT of a level that the server takes otherwise than a person does.
 * Undefined beside an AND, where another rule reports the mixture, and beside a
 * plus: people who write one know how the server reads.
 */
export function looseNotOn(level: QueryLevel, { readingsDiffer }: QueryView): Token | undefined {
  const { nots, ands, pluses } = level.counts;
  if (nots === 0 || 0 < ands || 0 < pluses || !readingsDiffer(level)) return undefined;
  return level.members.find(({ modifier }) => modifier === 'not')?.clauses[0].modifier;
}
