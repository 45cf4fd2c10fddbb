import type { Token } from '../../language/token.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { rewriteFixes } from './fixes/rewrite-level.ts';
import { inWords } from './views/in-words.ts';
import type { Level } from './views/level.ts';

/**
 * AND beside OR, or beside words that nothing joins, on one level. The server
 * knows no precedence: what stands beside an AND must match, and the rest of
 * the level then filters nothing (section 2 of the language specification).
 */
export const mixedOperators: Rule = {
  code: 'mixed-operators',
  heading: 'AND and OR are mixed on one level',
  severity: 'warning',
  check: (context) => ({ Level: (level) => checkLevel(level, context) }),
};

function checkLevel(level: Level, context: RuleContext): void {
  const joints = level.members.slice(1).map(({ clauses: [{ conjunction }] }) => conjunction);
  const and = joints.find((joint) => joint?.kind === 'And');
  if (!and || !context.readingsDiffer(level)) return;
  const other = joints.some((joint) => joint?.kind === 'Or') ? 'OR' : 'parts without an operator';
  context.report(
    turn(joints) ?? and,
    `AND and ${other} stand on one level; the server has no precedence and ${inWords(level, context)}`,
    () => rewriteFixes(level, context),
  );
}

/** The first operator that is another than the ones before it. */
function turn(joints: readonly (Token | undefined)[]): Token | undefined {
  const isAnd = joints[0]?.kind === 'And';
  return joints.find((joint) => (joint?.kind === 'And') !== isAnd);
}
