import type { Rule, RuleContext } from '../rule.ts';
import type { Member } from './views/level.ts';
import { askedText } from './views/terms.ts';

/**
 * A number among bare words. It is looked up in the text fields only: with the
 * words beside it it is one text, and that is no number (section 1.4 of the
 * language specification).
 */
export const numberInRun: Rule = {
  code: 'number-in-run',
  heading: 'A number among words is not looked up as a number',
  severity: 'hint',
  check: (context) => ({
    Level: ({ members }) => {
      for (const member of members) if (1 < member.clauses.length) checkRun(member, context);
    },
  }),
};

function checkRun({ clauses }: Member, { targets, misread, report }: RuleContext): void {
  const { named, fields } = targets(clauses[0]);
  const field = fields.find(({ type }) => type === 'integer');
  if (named !== undefined || !field) return;
  for (const clause of clauses) {
    const { item } = clause;
    // Codes of logs have four to six digits; other numbers are part of what a message says.
    if (!/^\d{4,6}$/.test(askedText(item) ?? '') || misread(clause)) continue;
    report(
      item,
      `Words side by side are one text, which is no number, so this is not looked up in "${field.name}"`,
      () => [
        {
          title: `Ask ${field.name} for it`,
          edits: [{ from: item.from, to: item.from, insert: `${field.name}:` }],
        },
      ],
    );
  }
}
