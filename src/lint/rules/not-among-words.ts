import { rewriteFixes } from '../fixes/rewrite-level.ts';
import type { Rule } from '../rule.ts';
import { inWords } from '../views/in-words.ts';
import { looseNotOn } from '../views/loose-not-on.ts';

/**
 * NOT beside parts that nothing joins. It excludes from the whole level, which
 * is just what many mean by it.
 */
export const notAmongWords: Rule = {
  code: 'not-among-words',
  heading: 'NOT beside words excludes from all of them',
  severity: 'hint',
  joins: true,
  level: (level, context) => {
    const not = level.counts.ors === 0 ? looseNotOn(level, context) : undefined;
    if (!not) return;
    context.report(
      not,
      () => `NOT binds to the whole level, not to the part beside it: the server ${inWords(level, context)}`,
      () => rewriteFixes(level, context),
    );
  },
};
