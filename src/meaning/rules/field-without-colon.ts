import { quote } from '../../language/quote.ts';
import type { Rule } from '../rule.ts';
import { asRange } from './fixes/as-range.ts';
import type { Uncolonned } from './views/uncolonned.ts';
import { named } from './views/wording.ts';

/**
 * `logLevel=SEVERE` and `elapsed > 5`. A colon joins a field and its value; the
 * signs of other languages are letters of a word (section 1.1 of the language
 * specification).
 */
export const fieldWithoutColon: Rule = {
  code: 'field-without-colon',
  heading: 'A field and its value are not joined by a colon',
  severity: 'warning',
  looksFor: 'misread',
  clause: (clause, { report }, { misread: found }) => {
    if (found?.kind !== 'uncolonned' || found.parts[0] !== clause) return;
    const { from, to, field, value } = found;
    report(
      found,
      `Only a colon asks a field; this looks for the words ${named(field)} and ${named(value)}`,
      () => [{ title: 'Ask the field', edits: [{ from, to, insert: asClause(found) }] }],
    );
  },
};

function asClause({ field, sign, value }: Uncolonned): string {
  if (/[<>]/.test(sign)) return `${field}:${asRange(sign, value)}`;
  // A sign in front of a number would be an operator.
  const asked = /^[-+]/.test(value) ? quote(value) : value;
  return `${sign === '!=' ? 'NOT ' : ''}${field}:${asked}`;
}
