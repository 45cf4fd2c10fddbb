import { withoutQuotes } from '../../language/escape.ts';
import type { Clause, Phrase, Span, Word } from '../../language/tree.ts';
import type { FieldContext } from '../../meaning/field-filter.ts';
import type { Field } from '../../meaning/fields.ts';
import { fieldFilterOf } from './field-filter-of.ts';
import { isPlainItem } from './plain-clause.ts';

/** A text that a clause holds against the values of its field. */
export interface AskedValue extends Span {
  readonly text: string;
  /** `exact` asks for just this value; the others are the two ends of a range. */
  readonly as: 'exact' | 'lower' | 'upper';
  readonly inclusive: boolean;
}

/** On a keyword field everything is asked for as it is written. */
const verbatim: Field = { name: 'verbatim', type: 'keyword', about: '' };

/**
 * What a clause on one field asks for: one value, or the ends of a range, of
 * which an open one is left out. None for groups and patterns.
 */
export function askedValues({ item }: Clause, { engine }: Pick<FieldContext, 'engine'>): AskedValue[] {
  if (item.kind !== 'Word' && item.kind !== 'Phrase' && item.kind !== 'Range') return [];
  if (item.kind !== 'Range' && isPlainItem(item)) return [plainValue(item)];
  const filter = fieldFilterOf(item)?.(verbatim, {
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

/** The value of a plain item, which is written as it is. */
function plainValue({ kind, term }: Word | Phrase): AskedValue {
  const text = kind === 'Word' ? term.text : withoutQuotes(term.text);
  return { text, as: 'exact', inclusive: true, from: term.from, to: term.to };
}

function spanOf({ from, to }: Span): Span {
  return { from, to };
}
