import { refusedPatternsOf } from './refused.ts';
import type { LintRule } from './rule.ts';

/**
 * A regular expression, a wildcard or a distance that the engine refuses. It has a
 * syntax error, or would take too much work (sections 6 and 7.8 of the language
 * specification).
 */
export const refusedPattern: LintRule = {
  code: 'refused-pattern',
  heading: 'The engine refuses this pattern',
  severity: 'error',
  clause: (clause, context) => {
    for (const refused of refusedPatternsOf(clause, context)) context.report(refused, refused.message);
  },
};
