import type { Token } from '../../../language/token.ts';
import type { Level } from './level.ts';
import type { QueryView } from './query-view.ts';

/**
 * The first NOT of a level on which the server takes it otherwise than a person
 * does. None where there is an AND: then the mixing is to blame.
 */
export function looseNotOn(level: Level, { readingsDiffer }: QueryView): Token | undefined {
  const not = level.members.find(({ modifier }) => modifier === 'not')?.clauses[0].modifier;
  const hasAnd = level.members.some(({ conjunction }) => conjunction === 'and');
  return not && !hasAnd && readingsDiffer(level) ? not : undefined;
}
