import type { Clause } from '../../language/tree.ts';
import type { Occur } from '../clauses.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { removeClauses } from './fixes/remove-clauses.ts';
import { type Level, startOf } from './views/level.ts';
import { sayingsOf } from './views/sayings.ts';

/**
 * A part that asks once more for what another part of its level asks for. It
 * changes nothing; one of the two was probably meant to be something else.
 */
export const repeatedPart: Rule = {
  code: 'repeated-part',
  heading: 'A part says the same as another one',
  severity: 'warning',
  check: (context) => ({ Level: (level) => checkLevel(level, context) }),
};

function checkLevel(level: Level, context: RuleContext): void {
  if (!level.sound || level.parts.length < 2) return;
  // Where AND is mixed with OR, taking a part out changes how the others are taken.
  const removal = isMixed(level) ? () => [] : (clause: Clause) => removeClauses(level.parts, [clause]);
  const seen: Readonly<Record<Occur, Set<string>>> = {
    must: new Set(),
    should: new Set(),
    mustNot: new Set(),
  };
  for (const { clause, occur, saying } of sayingsOf(level, context)) {
    if (seen[occur].has(saying)) {
      const place = { from: startOf(clause), to: clause.to };
      context.report(place, 'Another part of this level says the same already', () => removal(clause));
    }
    seen[occur].add(saying);
  }
}

function isMixed({ members }: Level): boolean {
  const ands = members.filter(({ conjunction }) => conjunction === 'and').length;
  return 0 < ands && ands < members.length - 1;
}
