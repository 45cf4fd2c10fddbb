import { orFix } from './fixes.ts';
import { type LevelMember, memberText } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * Words side by side on a keyword or number field. The engine reads them as one
 * value: `logLevel:(SEVERE WARNING)` asks for `SEVERE WARNING` (section 1.4 of the
 * language specification). On any field it reads those behind a comparison as its bound.
 */
export const runAsOneValue: LintRule = {
  code: 'run-as-one-value',
  heading: 'Words side by side are one value on this field',
  severity: 'warning',
  level: ({ runs }, context) => {
    for (const run of runs) checkRun(run, context);
  },
};

function checkRun(run: LevelMember, { targets, engine, text, report }: LintContext): void {
  const { named: name, fields } = targets(run.clauses[0]);
  const [field] = fields;
  if (name === undefined || !field) return;
  if (fields.some(({ type }) => type === 'text')) {
    const [, sign, bound] = /^([<>]=?)(.+)$/s.exec(memberText(run, text())) ?? [];
    if (!engine.comparisons || sign === undefined || bound === undefined) return;
    report(
      run,
      `Words side by side are one text, so all of ${quoteName(bound)} is compared by "${sign}"`,
      () => [orFix(run)],
    );
    return;
  }
  const kind =
    field.type === 'keyword' ? 'this one value' : `no ${field.type === 'date' ? 'date' : 'number'}`;
  report(
    run,
    `Words side by side are one text, and on ${quoteName(name)} ${quoteName(memberText(run, text()))} is ${kind}`,
    () => [orFix(run)],
  );
}
