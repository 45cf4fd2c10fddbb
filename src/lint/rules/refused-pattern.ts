import { refusedPatternsOf } from '../refused/refused-patterns.ts';
import type { Rule } from '../rule.ts';

/**
 * A regular expression, a wildcard or a distance that the engine refuses: it is
 * not written as one, or it would take too much work (sections 6 and 7.8 of
 * the language specification).
 */
export const refusedPattern: Rule = {
  code: 'refused-pattern',
  heading: 'The engine refuses this pattern',
  severity: 'error',
  items: ['Word', 'Phrase', 'Wildcard', 'Regexp'],
  looksFor: 'odd',
  clause: (clause, context) => {
    for (const refused of refusedPatternsOf(clause, context)) context.report(refused, refused.message);
  },
};
