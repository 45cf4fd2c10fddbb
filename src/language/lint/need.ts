import type { Field } from '../meaning/fields.ts';
import type { Engine } from '../parse/engine.ts';
import type { Clause, Phrase, Range, Word } from '../parse/tree.ts';
import { isEmptyInterval, numberInterval } from './number-interval.ts';
import type { SearchTargets } from './target-lookup.ts';

/** Everything that the needs of a clause depend on. */
export interface NeedReader {
  readonly terms: (clause: Clause) => readonly string[];
  /** The value of `now` in a date, in milliseconds since the epoch. */
  readonly now: number;
  readonly engine: Engine;
}

/**
 * The condition of a clause, other than a group, on a log. It asks for any or
 * all of some words in a text, or for a value of one field. `nothing` matches no
 * log; `unclear` would take more to decide.
 */
export type Need = Words | Value | { readonly kind: 'nothing' } | { readonly kind: 'unclear' };

interface Words {
  readonly kind: 'any' | 'all';
  readonly terms: readonly string[];
  /** Names of fields of values that may match the same text. */
  readonly values: readonly string[];
}

interface Value {
  readonly kind: 'value';
  readonly field: string;
  /** The value as it is written, without the white space in a range. */
  readonly text: string;
}

/** The need of a clause that is no group. */
export function needOf(clause: Clause, searchTargets: SearchTargets, reader: NeedReader): Need {
  const { item } = clause;
  const { named, fields, hasText, hasKeyword, hasNumbers } = searchTargets;
  const [field, second] = fields;
  // `_exists_` names no field: its meaning depends on its value.
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
    values: hasKeyword || (hasNumbers && numeric.test(text)) ? valueFields(fields, text) : [],
  };
}

/** The beginning of a text that can be a number or a date. */
const numeric = /^"?[-+.\d]/;

function valueNeed({ item }: Clause, field: Field, context: NeedReader): Need {
  if (item.kind !== 'Word' && item.kind !== 'Phrase' && item.kind !== 'Range') return { kind: 'unclear' };
  if (item.kind !== 'Range' && 0 < item.suffixes.length) return { kind: 'unclear' };
  const value: Value = { kind: 'value', field: field.name, text: writtenValue(item) };
  if (field.type === 'keyword') return item.kind === 'Range' ? { kind: 'unclear' } : value;
  const numbers = numberInterval(item, field, context);
  return numbers && !isEmptyInterval(numbers) ? value : { kind: 'nothing' };
}

function writtenValue(item: Word | Phrase | Range): string {
  if (item.kind !== 'Range') return item.term.text;
  return `${item.open.text}${item.lower?.term.text} ${item.upper?.term.text}${item.close?.text}`;
}

/** Names of the fields that can hold a text as a value. */
function valueFields(fields: readonly Field[], text: string): string[] {
  const isNumeric = numeric.test(text);
  return fields
    .filter(({ type }) => type === 'keyword' || (type !== 'text' && isNumeric))
    .map(({ name }) => name);
}
