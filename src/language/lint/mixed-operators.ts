import type { Token } from '../parse/tree.ts';
import { rewriteFixes } from './fixes.ts';
import type { LevelMember, QueryLevel } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';
import { describeLevel } from './wording.ts';

/**
 * AND beside OR, or beside words without an operator, on one level. The server has
 * no precedence: the parts beside an AND must match, and the rest of the level
 * then filters nothing (section 2 of the language specification).
 */
export const mixedOperators: LintRule = {
  code: 'mixed-operators',
  heading: 'AND and OR are mixed on one level',
  severity: 'warning',
  level: checkLevel,
};

function checkLevel(level: QueryLevel, context: LintContext): void {
  if (level.counts.ands === 0 || !context.readingsDiffer(level)) return;
  const token = firstTurn(level.members) ?? firstAnd(level.members);
  if (!token) return;
  const other = 0 < level.counts.ors ? 'OR' : 'parts without an operator';
  context.report(
    token,
    () =>
      `AND and ${other} stand on one level; the server has no precedence and ${describeLevel(level, context)}`,
    () => rewriteFixes(level, context),
  );
}

/** The operator of the first member that is joined otherwise than the ones before it, if there is one. */
function firstTurn(members: readonly LevelMember[]): Token | undefined {
  const isAnd = members[1]?.conjunction === 'and';
  const turning = members.find(({ conjunction }, index) => 1 < index && (conjunction === 'and') !== isAnd);
  return turning?.clauses[0].conjunction;
}

function firstAnd(members: readonly LevelMember[]): Token | undefined {
  const joined = members.find(({ conjunction }, index) => 0 < index && conjunction === 'and');
  return joined?.clauses[0].conjunction;
}
