import { askField } from './fixes.ts';
import type { LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * `logLevel=SEVERE` and `elapsed > 5`. A colon joins a field and its value; the
 * signs of other languages are letters of a word (section 1.1 of the language
 * specification).
 */
export const fieldWithoutColon: LintRule = {
  code: 'field-without-colon',
  heading: 'A field and its value are not joined by a colon',
  severity: 'warning',
  clause: (clause, { report }, { construct: found }) => {
    if (found?.kind !== 'missing colon' || found.parts[0] !== clause) return;
    const { field, value } = found;
    report(
      found,
      `Only a colon asks a field; this looks for the words ${quoteName(field)} and ${quoteName(value)}`,
      () => [askField(found)],
    );
  },
};
