import type { Fix } from '../../language/finding.ts';
import { parse } from '../../language/parse.ts';
import type { Clause, Range } from '../../language/tree.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { filterAlone } from './views/filter-alone.ts';
import { isEmpty, numbersOf } from './views/number-interval.ts';

/**
 * A range in which no number or date lies: its bounds are the wrong way round,
 * or exclude all that is between them. It matches nothing, without a word
 * (section 5 of the language specification).
 */
export const emptyRange: Rule = {
  code: 'empty-range',
  heading: 'A range is empty',
  severity: 'warning',
  check: (context) => ({
    Clause: (clause) => {
      if (clause.item.kind === 'Range') checkRange(clause, clause.item, context);
    },
  }),
};

function checkRange(clause: Clause, range: Range, context: RuleContext): void {
  // On several fields a range is hardly meant for the numbers among them.
  const asked = context.targets(clause).fields.length === 1 ? context.filter(clause) : undefined;
  const numbers = numbersOf(asked);
  if (!numbers || !isEmpty(numbers) || asked?.kind !== 'range') return;
  const isReversed = (asked.upper?.value ?? 0) < (asked.lower?.value ?? 0);
  const reason = isReversed ? 'its lower bound is above its upper one' : 'nothing lies between its bounds';
  context.report(range, `This range is empty: ${reason}`, () => fixesFor(clause, range, context));
}

/** The first of these that is not empty: the bounds swapped, included, or both. */
function fixesFor(
  clause: Clause,
  { from, to, open, lower, upper, close }: Range,
  context: RuleContext,
): Fix[] {
  const [first, second] = [lower?.term.text, upper?.term.text];
  const ways = [
    { title: 'Swap the bounds', text: `${open.text}${second} TO ${first}${close?.text}` },
    { title: 'Include the bounds', text: `[${first} TO ${second}]` },
    { title: 'Swap and include the bounds', text: `[${second} TO ${first}]` },
  ];
  const way = ways.find(({ text }) => {
    const [written] = parse(text).query.parts;
    const numbers =
      written?.kind === 'Clause' && numbersOf(filterAlone(written, context.targets(clause).fields, context));
    return numbers && !isEmpty(numbers);
  });
  return way ? [{ title: way.title, edits: [{ from, to: close?.to ?? to, insert: way.text }] }] : [];
}
