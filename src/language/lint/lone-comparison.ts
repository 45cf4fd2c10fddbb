import type { Fix } from '../parse/finding.ts';
import type { Clause, Part, Span } from '../parse/tree.ts';
import { boundFields, namedField } from './clause.ts';
import { isBound, isPlainWord } from './constructs.ts';
import { comparisonAsRange } from './fixes.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A comparison that is read as a word. A blank separates the sign from its number, as in `elapsed:> 5`, or no
 * field is in front of it. Source: section 5 of the language specification.
 */
export const loneComparison: LintRule = {
  code: 'lone-comparison',
  heading: 'A comparison stands apart from its number or its field',
  severity: 'warning',
  clause: (clause, context, { level: { parts }, index, construct }) => {
    const comparison = comparisonAt(clause, parts[index + 1]);
    if (comparison && !construct) check(comparison, context);
  },
};

interface Comparison extends Span {
  readonly clause: Clause;
  readonly sign: string;
  readonly value: string;
  readonly isParted: boolean;
}

/** A sign and what follows it, in the same word or in the next one. */
function comparisonAt(clause: Clause, next: Part | undefined): Comparison | undefined {
  if (clause.item.kind !== 'Word') return undefined;
  const { from, to, term } = clause.item;
  if (!/^[<>]/.test(term.text)) return undefined;
  const [, sign, value] = /^([<>]=?)(.*)$/s.exec(term.text) ?? [];
  if (!sign) return undefined;
  if (value) return { clause, sign, value, isParted: false, from, to };
  const bound = isPlainWord(next) ? next : undefined;
  return {
    clause,
    sign,
    value: bound?.item.term.text ?? '',
    isParted: true,
    from,
    to: bound?.to ?? to,
  };
}

function check(comparison: Comparison, { schema, targets, report }: LintContext): void {
  const { clause, sign, value, isParted } = comparison;
  const field = namedField(clause, targets);
  const change = (title: string, head: string): Fix => ({
    title,
    edits: [{ from: comparison.from, to: comparison.to, insert: head + comparisonAsRange(sign, value) }],
  });
  if (field && isParted) {
    const message = `The sign stands apart from its number, so "${field.name}" is asked for "${sign}" alone`;
    report(comparison, message, () => (isBound(value) ? [change('Make it a range', '')] : []));
  } else if (targets(clause).named === undefined && isBound(value)) {
    report(
      comparison,
      `A comparison requires a field; without one "${sign}" is no sign, and ${quoteName(value)} a word`,
      () => boundFields([value], schema.fields.values()).map(({ name }) => change(`Ask ${name}`, `${name}:`)),
    );
  }
}
