import type { Fix } from '../../language/finding.ts';
import type { Clause } from '../../language/tree.ts';
import type { Occur } from '../clauses.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { removeClauses } from './fixes/remove-clauses.ts';
import { type Level, startOf } from './views/level.ts';

/**
 * A part that asks once more for what another part of its level asks for. It
 * changes nothing; one of the two was probably meant to be something else.
 */
export const repeatedPart: Rule = {
  code: 'repeated-part',
  heading: 'A part says the same as another one',
  severity: 'warning',
  level: checkLevel,
};

function checkLevel(level: Level, context: RuleContext): void {
  if (!level.sound || level.parts.length < 2) return;
  const sayings = context.sayings(level);
  if (sayings.length < 2) return;
  const seen: { [O in Occur]?: Set<string> } = {};
  for (const { clause, occur, saying } of sayings) {
    seen[occur] ??= new Set();
    const said = seen[occur];
    if (said.size === said.add(saying).size) {
      const place = { from: startOf(clause), to: clause.to };
      context.report(place, 'Another part of this level says the same already', () => removal(level, clause));
    }
  }
}

/** Where AND is mixed with OR, taking a part out changes how the others are taken. */
function removal({ parts, ands, members }: Level, clause: Clause): Fix[] {
  const isMixed = 0 < ands && ands < members.length - 1;
  return isMixed ? [] : removeClauses(parts, [clause]);
}
