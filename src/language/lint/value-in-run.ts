import type { Field } from '../meaning/schema.ts';
import { askedText } from './clause.ts';
import { isBehindColon } from './constructs.ts';
import type { LevelMember, QueryLevel } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';

/**
 * A code or a known value beside bare words. It is looked up in text fields only.
 * With its neighbours it is one text, which is another value for a number or
 * keyword field (section 1.4 of the language specification).
 */
export const valueInRun: LintRule = {
  code: 'value-in-run',
  heading: 'A value among words is not looked up in its field',
  severity: 'hint',
  level: (level, context) => {
    for (const run of level.runs) checkRun(run, level, context);
  },
};

function checkRun(
  { clauses, at, searchTargets }: LevelMember,
  { parts, constructs }: QueryLevel,
  { report }: LintContext,
): void {
  const { named, fields } = searchTargets;
  if (named !== undefined) return;
  for (const [position, clause] of clauses.entries()) {
    const { item } = clause;
    const field = constructs[at + position] ? undefined : likelyField(askedText(item) ?? '', fields);
    if (!field || isBehindColon(parts[at + position - 1], clause)) continue;
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

/** The field that a word is likely a value of; undefined if there is none. */
export function likelyField(text: string, fields: readonly Field[]): Field | undefined {
  // Codes of logs have four to six digits; other numbers belong to messages.
  if (/^\d{4,6}$/.test(text)) return fields.find(({ type }) => type === 'integer');
  return fields.find(({ type, values }) => type === 'keyword' && values?.includes(text));
}
