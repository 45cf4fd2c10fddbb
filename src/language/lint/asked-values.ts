import type { Field } from '../meaning/fields.ts';
import type { FieldContext } from '../meaning/resolve-item.ts';
import type { Clause, Span } from '../parse/tree.ts';
import { itemFilter } from './item-filter.ts';

/** A text that a clause compares with the values of its field. */
export interface AskedValue extends Span {
  readonly text: string;
  /** `exact` asks for this value alone; the others are the two ends of a range. */
  readonly as: 'exact' | 'lower' | 'upper';
  readonly inclusive: boolean;
}

/** On a keyword field a value is compared as it is written. */
const verbatim: Field = { name: 'verbatim', type: 'keyword', about: '' };

/** The values that a clause on one field asks for: one, or the closed ends of a range. None for groups and patterns. */
export function askedValues({ item }: Clause, { engine }: Pick<FieldContext, 'engine'>): AskedValue[] {
  if (item.kind !== 'Word' && item.kind !== 'Phrase' && item.kind !== 'Range') return [];
  const filter = itemFilter(item)?.(verbatim, {
    defaultOperator: 'or',
    now: 0,
    engine,
  });
  if (filter?.kind === 'term') {
    const { from, to } = item.kind === 'Range' ? item : item.term;
    return [{ text: filter.term, as: 'exact', inclusive: true, from, to }];
  }
  if (filter?.kind !== 'termRange') return [];
  const { lower, upper } = filter;
  const values: AskedValue[] = [];
  const [from, to] =
    item.kind === 'Range' ? [item.lower ?? item, item.upper ?? item] : [item.term, item.term];
  if (lower) values.push({ text: lower.value, as: 'lower', inclusive: lower.inclusive, ...spanOf(from) });
  if (upper) values.push({ text: upper.value, as: 'upper', inclusive: upper.inclusive, ...spanOf(to) });
  return values;
}

function spanOf({ from, to }: Span): Span {
  return { from, to };
}
