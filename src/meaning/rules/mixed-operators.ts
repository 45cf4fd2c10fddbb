import type { Group, Query } from '../../language/tree.ts';
import { occursOf, operatorsOf, unitsOf } from '../clauses.ts';
import type { Rule, RuleContext } from '../rule.ts';

/**
 * AND beside OR on one level. The server knows no precedence: what stands
 * beside an AND must match, and the rest of the level then filters nothing
 * (section 2 of the language specification).
 */
export const mixedOperators: Rule = {
  code: 'mixed-operators',
  heading: 'AND and OR are mixed on one level',
  severity: 'warning',
  check: (context) => ({
    Query: (node) => checkLevel(node, context),
    Group: (node) => checkLevel(node, context),
  }),
};

function checkLevel(level: Query | Group, { report }: RuleContext): void {
  const units = unitsOf(level.parts, 'server');
  const occurs = occursOf(
    units.map(([clause]) => ({ ...operatorsOf(clause), kept: true })),
    'or',
  );
  if (!occurs.includes('must')) return;
  for (const [index, unit] of units.entries()) {
    const [from, to] = [unit[0].modifier ?? unit[0].field ?? unit[0].item, unit.at(-1)];
    if (occurs[index] !== 'should' || !to) continue;
    report(
      { from: from.from, to: to.to },
      'This part filters nothing: the server has no precedence, and beside AND only the parts joined by AND decide',
    );
  }
}
