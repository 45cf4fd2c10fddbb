import { rewriteFixes } from '../fixes/rewrite-level.ts';
import type { Rule } from '../rule.ts';
import { inWords } from '../views/in-words.ts';
import { looseNotOn } from '../views/loose-not-on.ts';

/**
 * NOT beside OR. It is no operand of the OR for the server: it excludes from
 * the whole level (section 2.1 of the language specification).
 */
export const looseNot: Rule = {
  code: 'loose-not',
  heading: 'NOT beside OR excludes from the whole level',
  severity: 'warning',
  joins: true,
  level: (level, context) => {
    const not = 0 < level.counts.ors ? looseNotOn(level, context) : undefined;
    if (!not) return;
    context.report(
      not,
      () => `NOT binds to the whole level, not to OR: the server ${inWords(level, context)}`,
      () => rewriteFixes(level, context),
    );
  },
};
