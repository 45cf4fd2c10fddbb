import { documentedSchema, type Field } from '../meaning/schema.ts';
import type { Clause } from '../parse/tree.ts';
import { askedValues, namedField } from './clause.ts';
import { orFix } from './fixes.ts';
import type { LevelMember } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A clause that finds other logs if its field is indexed as a keyword. The documentation does not say so
 * (section 8 of the language specification). A schema of the deployment decides the type.
 */
export const dependsOnType: LintRule = {
  code: 'depends-on-type',
  heading: 'The answer depends on how the field is indexed',
  severity: 'hint',
  level: ({ runs }, context) => {
    for (const run of runs) checkRun(run, context);
  },
  clause: (clause, context) => {
    const field = assumedField(clause, context);
    if (field?.values && clause.item.kind !== 'Range') checkCase(clause, field, context);
  },
};

/** The field of a clause when its type is an assumption, and its known values make it likely to be a keyword. */
function assumedField(clause: Clause, { targets }: LintContext): Field | undefined {
  const field = namedField(clause, targets);
  const isAssumed =
    field?.values && field.type === 'text' && documentedSchema.fields.get(field.name) === field;
  return isAssumed ? field : undefined;
}

/** Words side by side are one value on a keyword field. */
function checkRun(run: LevelMember, context: LintContext): void {
  const field = assumedField(run.clauses[0], context);
  if (!field) return;
  const message = `If "${field.name}" is indexed as a keyword, words side by side are one value`;
  context.report(run, message, () => [orFix(run)]);
}

/** A keyword field tells upper from lower case. */
function checkCase(clause: Clause, { name, values = [] }: Field, { engine, report }: LintContext): void {
  for (const { text, as, from, to } of askedValues(clause, { engine })) {
    const known = values.find((value) => value.toLowerCase() === text.toLowerCase());
    if (as !== 'exact' || known === undefined || known === text) continue;
    report(
      { from, to },
      `If "${name}" is indexed as a keyword, this does not find ${quoteName(known)}`,
      () => [{ title: `Change to ${known}`, edits: [{ from, to, insert: known }] }],
    );
  }
}
