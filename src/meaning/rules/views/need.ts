import type { Clause } from '../../../language/tree.ts';
import type { Field } from '../../fields.ts';
import type { Targets } from '../../targets.ts';
import { isEmpty, numbersOf } from './number-interval.ts';

/** What the needs of a clause depend on. */
export interface NeedReader {
  readonly targets: (clause: Clause) => Targets;
  readonly terms: (clause: Clause) => readonly string[];
  /** What `now` means in a date, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * What a clause that is no group needs of a log: any or all of these words in a
 * text, or a value of one field. No log may do (`nothing`), or it would take
 * more to tell (`unclear`). Clauses with the same saying need the same.
 */
export type Need = Words | Value | { readonly kind: 'nothing' } | { readonly kind: 'unclear' };

interface Words {
  readonly kind: 'any' | 'all';
  readonly saying: string;
  readonly terms: readonly string[];
  /** Fields of values in which the text may be found as well. */
  readonly values: readonly string[];
}

interface Value {
  readonly kind: 'value';
  readonly saying: string;
  readonly field: string;
}

/** Tells what a clause needs; of a group it is unclear. A clause is looked at once. */
export function needLookup(reader: NeedReader): (clause: Clause) => Need {
  let known: Map<Clause, Need> | undefined;
  return (clause) => {
    known ??= new Map();
    const need = known.get(clause) ?? needOf(clause, reader);
    known.set(clause, need);
    return need;
  };
}

function needOf(clause: Clause, reader: NeedReader): Need {
  const { item } = clause;
  const { named, fields } = reader.targets(clause);
  const [field, second] = fields;
  if (!field) return { kind: 'nothing' };
  if (!second && field.type !== 'text') return valueNeed(clause, field, reader);
  if ((item.kind !== 'Word' && item.kind !== 'Phrase') || 0 < item.suffixes.length)
    return { kind: 'unclear' };
  const { text } = item.term;
  const terms = reader.terms(clause);
  const isComparison = !second && /^[<>]/.test(text);
  if (terms.length === 0 || isComparison || !fields.some(({ type }) => type === 'text'))
    return { kind: 'unclear' };
  return {
    kind: item.kind === 'Word' ? 'any' : 'all',
    saying: `${named ?? ''}:${text}`,
    terms,
    values: fields.filter(({ type }) => isValue(type, text)).map(({ name }) => name),
  };
}

function valueNeed({ item }: Clause, field: Field, { now }: NeedReader): Need {
  if (item.kind !== 'Word' && item.kind !== 'Phrase' && item.kind !== 'Range') return { kind: 'unclear' };
  if (item.kind !== 'Range' && 0 < item.suffixes.length) return { kind: 'unclear' };
  const text = item.kind === 'Range' ? `${item.from}` : item.term.text;
  const value: Value = { kind: 'value', saying: `${field.name}:${text}`, field: field.name };
  if (field.type === 'keyword') return item.kind === 'Range' ? { kind: 'unclear' } : value;
  const numbers = numbersOf(item, field, now);
  return numbers && !isEmpty(numbers) ? value : { kind: 'nothing' };
}

/** Whether a text can be a value of a field of this type. */
function isValue(type: Field['type'], text: string): boolean {
  return type === 'keyword' || (type !== 'text' && /^"?[-+.\d]/.test(text));
}
