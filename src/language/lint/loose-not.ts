import { describeLevel } from './describe-level.ts';
import { looseNotOn } from './loose-not-view.ts';
import { rewriteFixes } from './rewrite-level.ts';
import type { LintRule } from './rule.ts';

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
