import type { Field } from '../meaning/schema.ts';
import { parseNumber } from '../meaning/values.ts';
import type { Fix } from '../parse/finding.ts';
import type { Clause, Span } from '../parse/tree.ts';
import { type AskedValue, askedText, askedValues, boundFields, namedField } from './clause.ts';
import { isBehindColon } from './constructs.ts';
import { quoteFix } from './fixes.ts';
import type { LintContext, LintRule } from './rule.ts';

/**
 * A range on a text or keyword field. It compares letter by letter, so `[9 TO 10]`
 * is empty (section 5 of the language specification). Ranges are for numbers
 * (rule 5 of section 4.2.1 of the interface document).
 */
export const rangeOnText: LintRule = {
  code: 'range-on-text',
  heading: 'A range compares text letter by letter',
  severity: 'warning',
  clause: (clause, context, { level, index }) => {
    // Only a word with such a sign can be a range; most are none.
    if (clause.item.kind === 'Word' && !/^\\?[<>]/.test(clause.item.term.text)) return;
    const bounds = askedValues(clause, context).filter(({ as }) => as !== 'exact');
    if (bounds.length === 0) return;
    const { named, fields } = context.targets(clause);
    const field = namedField(clause, context.targets);
    if (field) checkNamed(clause, { field, bounds, context });
    else if (named === undefined && 1 < fields.length && !isBehindColon(level.parts[index - 1], clause))
      checkUnnamed(clause, bounds, context);
  },
};

interface Checking {
  readonly field: Field;
  readonly bounds: readonly AskedValue[];
  readonly context: LintContext;
}

function checkNamed({ item }: Clause, { field, bounds, context }: Checking): void {
  if (field.type !== 'text' && field.type !== 'keyword') return;
  // Values of one length, such as dates, are in the right order.
  if (field.type === 'keyword' && !bounds.some(({ text }) => isNumber(text))) return;
  if (item.kind === 'Range') {
    const order = field.values ? 'not in the order of its known values' : 'where "10" comes before "9"';
    const message = `A range on "${field.name}" compares letter by letter, ${order}`;
    context.report(item, message, () => listFix(item, field, bounds));
  } else {
    const message = `The sign makes this a range on "${field.name}", which compares letter by letter`;
    context.report(item, message, () => [quoteFix(item, askedText(item) ?? '')]);
  }
}

/** A range over all default fields is letter by letter on most of them. */
function checkUnnamed(
  { item }: Clause,
  bounds: readonly AskedValue[],
  { schema, report, text }: LintContext,
): void {
  if (item.kind !== 'Range' || !bounds.every(({ text }) => isNumber(text))) return;
  const texts = bounds.map(({ text }) => text);
  const [field] = boundFields(texts, schema.defaults);
  const message = 'A range without a field is held against all default fields, on text letter by letter';
  report(item, message, () =>
    field
      ? [
          {
            title: `Ask ${field.name}`,
            edits: [
              { from: item.from, to: item.from, insert: nameBefore(field, text().slice(0, item.from)) },
            ],
          },
        ]
      : [],
  );
}

/** A field and its colon, apart from what stands before them. */
function nameBefore({ name }: Field, before: string): string {
  return /[^\s(+\-!]$/.test(before) ? ` ${name}:` : `${name}:`;
}

function isNumber(text: string): boolean {
  return parseNumber(text) !== undefined;
}

/** The known values from one bound to the other, in the order in which the field has them. */
function listFix({ from, to }: Span, { values = [] }: Field, bounds: readonly AskedValue[]): Fix[] {
  const positions = bounds.map(({ text }) =>
    values.findIndex((value) => value.toLowerCase() === text.toLowerCase()),
  );
  const [one = -1, other = -1] = positions;
  if (one === -1 || other === -1) return [];
  const [first, last] = one < other ? [one, other] : [other, one];
  const listed = values.filter((_, index) => {
    const bound = positions.indexOf(index);
    return first <= index && index <= last && (bound === -1 || bounds[bound]?.inclusive);
  });
  if (listed.length === 0) return [];
  const insert = listed.length === 1 ? `${listed[0]}` : `(${listed.join(' OR ')})`;
  return [{ title: 'List the values', edits: [{ from, to, insert }] }];
}
