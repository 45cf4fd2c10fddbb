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
  joins: true,
  level: checkLevel,
};

function checkLevel(level: Level, context: RuleContext): void {
  if (level.counts.ands === 0 || !context.readingsDiffer(level)) return;
  const joints = level.members.slice(1).map(({ clauses: [{ conjunction }] }) => conjunction);
  const place = turn(joints) ?? joints.find((joint) => joint?.kind === 'And');
  if (!place) return;
  const other = 0 < level.counts.ors ? 'OR' : 'parts without an operator';
  context.report(
    place,
    () => `AND and ${other} stand on one level; the server has no precedence and ${inWords(level, context)}`,
    () => rewriteFixes(level, context),
  );
}

/** The first operator that is another than the ones before it. */
function turn(joints: readonly (Token | undefined)[]): Token | undefined {
  const isAnd = joints[0]?.kind === 'And';
  return joints.find((joint) => (joint?.kind === 'And') !== isAnd);
}
