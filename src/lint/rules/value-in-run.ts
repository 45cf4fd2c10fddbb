import type { Field } from '../../meaning/fields.ts';
import type { Rule, RuleContext } from '../rule.ts';
import type { Level, Member } from '../views/level.ts';
import { askedText } from '../views/terms.ts';

/**
 * A code or a known value among bare words. It is looked up in the text fields
 * only: with the words beside it it is one text, and for a number or keyword
 * field that is another value (section 1.4 of the language specification).
 */
export const valueInRun: Rule = {
  code: 'value-in-run',
  heading: 'A value among words is not looked up in its field',
  severity: 'hint',
  joins: true,
  level: ({ runs, misreads }, context) => {
    for (const run of runs) checkRun(run, misreads, context);
  },
};

function checkRun(
  { clauses, at, sought }: Member,
  misreads: Level['misreads'],
  { report }: RuleContext,
): void {
  const { named, fields } = sought;
  if (named !== undefined) return;
  for (const [place, { item }] of clauses.entries()) {
    const field = misreads[at + place] ? undefined : fieldOf(askedText(item) ?? '', fields);
    if (!field) continue;
    report(
      item,
      `With the words beside it this is one text, so it is not looked up as a value of "${field.name}"`,
      () => [
        {
          title: `Ask ${field.name} for it`,
          edits: [{ from: item.from, to: item.from, insert: `${field.name}:` }],
        },
      ],
    );
  }
}

/** The field of which a word is likely a value. */
function fieldOf(text: string, fields: readonly Field[]): Field | undefined {
  // Codes of logs have four to six digits; other numbers are part of what a message says.
  if (/^\d{4,6}$/.test(text)) return fields.find(({ type }) => type === 'integer');
  return fields.find(({ type, values }) => type === 'keyword' && values?.includes(text));
}
