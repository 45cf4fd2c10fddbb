import type { Occur } from '../meaning/resolve.ts';
import type { Fix } from '../parse/finding.ts';
import type { Clause } from '../parse/tree.ts';
import { removeClauses } from './fixes.ts';
import { type QueryLevel, startOf } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';

/**
 * A part that asks for the same as another part of its level. It changes nothing;
 * one of the two was probably meant otherwise.
 */
export const repeatedPart: LintRule = {
  code: 'repeated-part',
  heading: 'A part says the same as another one',
  severity: 'warning',
  level: checkLevel,
};

function checkLevel(level: QueryLevel, context: LintContext): void {
  if (!level.sound || level.parts.length < 2) return;
  for (const repetition of context.repetitions(level)) {
    const seen = new Set<Occur>();
    for (const { clause, occur } of repetition) {
      if (seen.has(occur)) {
        const span = { from: startOf(clause), to: clause.to };
        context.report(span, 'Another part of this level says the same already', () =>
          removal(level, clause),
        );
      }
      seen.add(occur);
    }
  }
}

/** Removes the clause, unless AND is mixed with OR: the other parts would then be read otherwise. */
function removal({ parts, members, counts: { ands } }: QueryLevel, clause: Clause): Fix[] {
  const isMixed = 0 < ands && ands < members.length - 1;
  return isMixed ? [] : removeClauses(parts, [clause]);
}
