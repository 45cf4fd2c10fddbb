import { bracketFix } from './fixes.ts';
import type { LintRule } from './rule.ts';

/**
 * `TO` between two numbers or dates without brackets around them: three words
 * (section 5 of the language specification).
 */
export const rangeWithoutBrackets: LintRule = {
  code: 'range-without-brackets',
  heading: 'A range stands without its brackets',
  severity: 'warning',
  clause: (clause, context, { construct: found }) => {
    if (found?.kind !== 'bare range' || found.first !== clause) return;
    const range = `[${found.lower} TO ${found.upper}]`;
    context.report(found, `"TO" makes a range only in brackets, as in ${range}`, () => [
      bracketFix(found, context),
    ]);
  },
};
