import type { Rule } from '../rule.ts';

/**
 * `TO` between two numbers or dates without brackets around them: three words
 * (section 5 of the language specification).
 */
export const rangeWithoutBrackets: Rule = {
  code: 'range-without-brackets',
  heading: 'A range stands without its brackets',
  severity: 'warning',
  looksFor: 'misread',
  clause: (clause, { schema, targets, report }, { misread: found }) => {
    if (found?.kind !== 'bare range' || found.first !== clause) return;
    const { from, to, lower, upper } = found;
    const range = `[${lower} TO ${upper}]`;
    report(found, `"TO" makes a range only in brackets, as in ${range}`, () => {
      // A range over all default fields is rarely meant; the first of them with numbers is.
      const number = schema.defaults.find(({ type }) => type === 'integer' || type === 'decimal');
      const field = targets(clause).named === undefined && number ? `${number.name}:` : '';
      return [{ title: 'Make it a range', edits: [{ from, to, insert: field + range }] }];
    });
  },
};
