import type { Engine } from '../../language/engine.ts';
import type { Clause } from '../../language/tree.ts';
import type { Field } from '../../meaning/fields.ts';
import { isEmpty, numbersOf } from './number-interval.ts';
import type { Sought } from './target-lookup.ts';

/** What the needs of a clause depend on. */
export interface NeedReader {
  readonly terms: (clause: Clause) => readonly string[];
  /** What `now` means in a date, in milliseconds since the epoch. */
  readonly now: number;
  readonly engine: Engine;
}

/**
 * What a clause that is no group needs of a log: any or all of these words in a
 * text, or a value of one field. No log may do (`nothing`), or it would take
 * more to tell (`unclear`).
 */
export type Need = Words | Value | { readonly kind: 'nothing' } | { readonly kind: 'unclear' };

interface Words {
  readonly kind: 'any' | 'all';
  readonly terms: readonly string[];
  /** Fields of values in which the text may be found as well. */
  readonly values: readonly string[];
}

interface Value {
  readonly kind: 'value';
  readonly field: string;
}

/** What a clause needs that is no group. */
export function needOf(clause: Clause, sought: Sought, reader: NeedReader): Need {
  const { item } = clause;
  const { named, fields, hasText, hasKeyword, hasNumbers } = sought;
  const [field, second] = fields;
  // Of no field is `_exists_` the name: what it asks for depends on its value.
  if (!field) return { kind: named === '_exists_' ? 'unclear' : 'nothing' };
  if (!second && field.type !== 'text') return valueNeed(clause, field, reader);
  if ((item.kind !== 'Word' && item.kind !== 'Phrase') || 0 < item.suffixes.length)
    return { kind: 'unclear' };
  const { text } = item.term;
  const terms = reader.terms(clause);
  const isComparison = !second && /^[<>]/.test(text);
  if (terms.length === 0 || isComparison || !hasText) return { kind: 'unclear' };
  return {
    kind: item.kind === 'Word' ? 'any' : 'all',
    terms,
    values: hasKeyword || (hasNumbers && numeric.test(text)) ? valueFields(fields, text) : noFields,
  };
}

/** How a text begins that can be a number or a date. */
const numeric = /^"?[-+.\d]/;
const noFields: readonly string[] = [];

function valueNeed({ item }: Clause, field: Field, context: NeedReader): Need {
  if (item.kind !== 'Word' && item.kind !== 'Phrase' && item.kind !== 'Range') return { kind: 'unclear' };
  if (item.kind !== 'Range' && 0 < item.suffixes.length) return { kind: 'unclear' };
  const value: Value = { kind: 'value', field: field.name };
  if (field.type === 'keyword') return item.kind === 'Range' ? { kind: 'unclear' } : value;
  const numbers = numbersOf(item, field, context);
  return numbers && !isEmpty(numbers) ? value : { kind: 'nothing' };
}

/** The fields of which a text can be a value. */
function valueFields(fields: readonly Field[], text: string): string[] {
  const isNumeric = numeric.test(text);
  return fields
    .filter(({ type }) => type === 'keyword' || (type !== 'text' && isNumeric))
    .map(({ name }) => name);
}
