import type { Clause, Span } from '../../../language/tree.ts';
import { comparison, type FieldFilter, phrase, range, word } from '../../field-filter.ts';
import type { Field } from '../../fields.ts';

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
export function askedValues({ item }: Clause): AskedValue[] {
  switch (item.kind) {
    case 'Word':
      return valuesOf(comparison(item) ?? word(item), {
        exact: item.term,
        lower: item.term,
        upper: item.term,
      });
    case 'Phrase':
      return valuesOf(phrase(item), { exact: item.term, lower: item.term, upper: item.term });
    case 'Range':
      return valuesOf(range(item), { exact: item, lower: item.lower ?? item, upper: item.upper ?? item });
    default:
      return [];
  }
}

function valuesOf(filterFor: FieldFilter, places: Readonly<Record<AskedValue['as'], Span>>): AskedValue[] {
  const filter = filterFor(verbatim, { defaultOperator: 'or', now: 0 });
  const value = (as: AskedValue['as'], text: string, inclusive: boolean): AskedValue => {
    const { from, to } = places[as];
    return { text, as, inclusive, from, to };
  };
  if (filter?.kind === 'term') return [value('exact', filter.term, true)];
  if (filter?.kind !== 'termRange') return [];
  const { lower, upper } = filter;
  return [
    ...(lower ? [value('lower', lower.value, lower.inclusive)] : []),
    ...(upper ? [value('upper', upper.value, upper.inclusive)] : []),
  ];
}
