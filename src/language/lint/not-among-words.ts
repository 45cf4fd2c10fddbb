import { rewriteFixes } from './fixes.ts';
import { looseNotOn } from './loose-not.ts';
import type { LintRule } from './rule.ts';
import { describeLevel } from './wording.ts';

/** NOT beside parts without an operator. It excludes from the whole level, as many people mean it. */
export const notBesideWords: LintRule = {
  code: 'not-among-words',
  heading: 'NOT beside words excludes from all of them',
  severity: 'hint',
  level: (level, context) => {
    const not = level.counts.ors === 0 ? looseNotOn(level, context) : undefined;
    if (!not) return;
    context.report(
      not,
      () =>
        `NOT binds to the whole level, not to the part beside it: the server ${describeLevel(level, context)}`,
      () => rewriteFixes(level, context),
    );
  },
};
