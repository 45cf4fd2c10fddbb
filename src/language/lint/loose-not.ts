import type { Token } from '../parse/tree.ts';
import { rewriteFixes } from './fixes.ts';
import type { QueryLevel } from './level.ts';
import type { LintRule, QueryView } from './rule.ts';
import { describeLevel } from './wording.ts';

/**
 * NOT beside OR. To the server it is no operand of the OR: it excludes from the
 * whole level (section 2.1 of the language specification).
 */
export const looseNot: LintRule = {
  code: 'loose-not',
  heading: 'NOT beside OR excludes from the whole level',
  severity: 'warning',
  level: (level, context) => {
    const not = 0 < level.counts.ors ? looseNotOn(level, context) : undefined;
    if (!not) return;
    context.report(
      not,
      () => `NOT binds to the whole level, not to OR: the server ${describeLevel(level, context)}`,
      () => rewriteFixes(level, context),
    );
  },
};

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
