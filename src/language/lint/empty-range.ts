import type { Field } from '../meaning/schema.ts';
import type { Fix } from '../parse/finding.ts';
import { parse } from '../parse/parse.ts';
import type { Clause, Item, Range } from '../parse/tree.ts';
import { isEmptyInterval, itemFilter, numberInterval } from './clause.ts';
import type { LintContext, LintRule } from './rule.ts';

/**
 * A range in which no number or date lies: its bounds are the wrong way round,
 * or exclude all that is between them. It matches nothing, without an error
 * (section 5 of the language specification).
 */
export const emptyRange: LintRule = {
  code: 'empty-range',
  heading: 'A range is empty',
  severity: 'warning',
  clause: (clause, context) => {
    if (clause.item.kind === 'Range') checkRange(clause, clause.item, context);
  },
};

function checkRange(clause: Clause, range: Range, context: LintContext): void {
  // On several fields a range is hardly meant for the numbers among them.
  const [field, second] = context.targets(clause).fields;
  if (!field || second || !isEmptyOn(field, range, context)) return;
  const filter = itemFilter(range)?.(field, {
    defaultOperator: 'or',
    now: context.now,
    engine: context.engine,
  });
  const { lower, upper } = filter?.kind === 'range' ? filter : {};
  const isReversed = lower && upper && upper.value < lower.value;
  const reason = isReversed ? 'its lower bound is above its upper one' : 'nothing lies between its bounds';
  context.report(range, `This range is empty: ${reason}`, () => fixesFor(range, field, context));
}

function isEmptyOn(field: Field, item: Item, context: LintContext): boolean {
  const numbers = numberInterval(item, field, context);
  return numbers !== undefined && isEmptyInterval(numbers);
}

/** The first change that makes the range non-empty: bounds swapped, included, or both. */
function fixesFor({ from, to, open, lower, upper, close }: Range, field: Field, context: LintContext): Fix[] {
  const [first, second] = [lower?.term.text, upper?.term.text];
  // The parser reports a missing bracket; the fix completes it.
  const end = close?.text ?? ']';
  const ways = [
    { title: 'Swap the bounds', text: `${open.text}${second} TO ${first}${end}` },
    { title: 'Include the bounds', text: `[${first} TO ${second}]` },
    { title: 'Swap and include the bounds', text: `[${second} TO ${first}]` },
  ];
  const way = ways.find(({ text }) => {
    const [part] = parse(text).query.parts;
    return part?.kind === 'Clause' && !isEmptyOn(field, part.item, context);
  });
  return way ? [{ title: way.title, edits: [{ from, to: close?.to ?? to, insert: way.text }] }] : [];
}
