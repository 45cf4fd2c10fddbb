import { analyze } from '../analyzer/analyze.ts';
import { parseFieldNumber } from '../meaning/bounds.ts';
import type { Dialect } from '../meaning/dialect.ts';
import type { FieldValue } from '../meaning/document.ts';
import type { Field, Schema } from '../meaning/fields.ts';
import { match } from '../meaning/match.ts';
import { nearestNames } from '../meaning/nearest.ts';
import { numberText } from '../meaning/number-value.ts';
import { resolve } from '../meaning/resolve.ts';
import { withEscapes } from '../parse/escape.ts';
import { parse } from '../parse/parse.ts';
import { isPlainValue, quote } from '../parse/quote.ts';
import type { CursorPlace, Want } from './place.ts';

/**
 * The kind of a suggestion: the name of a `field`, a `value` of one, a `bound` of a
 * range, or an `operator`: AND, OR, NOT, TO, brackets and the like.
 */
export type SuggestionKind = 'field' | 'value' | 'bound' | 'operator';

/** One text that could stand at the cursor. */
export interface Suggestion {
  readonly kind: SuggestionKind;
  /** The text to insert, quoted and escaped where necessary. */
  readonly insert: string;
  /** The text to show in a list. */
  readonly label: string;
  /** A description of one line. */
  readonly detail: string;
}

/** A value of a field, and the number of logs that have it if that is known. */
export interface CountedValue {
  readonly value: FieldValue;
  readonly count?: number;
}

/** A suggestion that is not yet verified. */
export interface Candidate extends Suggestion {
  /** The text that the written beginning is compared with. */
  readonly says: string;
  /** The text that completes the query behind it, so that it can be parsed. */
  readonly ending: string;
  /** True if it selects what it promises. Called only for those that would be shown. */
  readonly holds: () => boolean;
}

/** The sources of candidates. */
export interface SuggestionSources {
  readonly schema: Schema;
  readonly dialect: Dialect;
  readonly values: ReadonlyMap<string, readonly CountedValue[]>;
}

/** The candidates at a place, one list for each expected kind, the likeliest first. */
export function candidatesFor(
  place: CursorPlace,
  source: SuggestionSources,
): readonly (readonly Candidate[])[] {
  return place.wants.map((want) => makers[want](place, source));
}

const makers: { readonly [W in Want]: (place: CursorPlace, source: SuggestionSources) => Candidate[] } = {
  name: (place, { schema }) => fieldNames(place, schema, ''),
  field: (place, { schema }) => fieldNames(place, schema, ':'),
  known: ({ written }, { schema }) => (written === '' ? [] : knownValues(written.toLowerCase(), schema)),
  value: (place, source) => (place.field ? valuesOf(place.field, place, source) : []),
  form: ({ field }, { dialect }) => (field ? formsFor(field, dialect) : []),
  join: () => [operator('AND', 'both must match', 'x '), operator('OR', 'either may match', 'x ')],
  not: () => [operator('NOT', 'excludes what follows', 'x ')],
  end: () => [operator(')', 'closes the group')],
  bound: ({ field }, source) => boundsOf(field, source),
  to: () => [operator('TO', 'stands between the two bounds')],
  close: () => [operator(']', 'includes the bound'), operator('}', 'excludes the bound')],
};

function operator(insert: string, detail: string, ending = ''): Candidate {
  return candidate({ kind: 'operator', insert, label: insert, detail }, { ending });
}

function candidate(suggestion: Suggestion, more: Partial<Candidate> = {}): Candidate {
  return { ...suggestion, says: suggestion.label, ending: '', holds: () => true, ...more };
}

/** The fields in their order. If no name contains the written text, similar names match it instead. */
function fieldNames({ written }: CursorPlace, { fields }: Schema, colon: string): Candidate[] {
  const names = [...fields.keys()];
  const lower = written.toLowerCase();
  const isKnown = names.some((name) => name.toLowerCase().includes(lower));
  const near = isKnown ? [] : nearestNames(written, names);
  return [...fields.values()].map(({ name, about }) => {
    const insert = withEscapes(name) + colon;
    return candidate(
      { kind: 'field', insert, label: name, detail: about },
      { says: near.includes(name) ? written : name, ending: colon === '' ? '' : 'x ' },
    );
  });
}

/** Known values that begin with the written text, with their fields. */
function knownValues(begun: string, schema: Schema): Candidate[] {
  return [...schema.fields.values()].flatMap((field) => {
    const known = (field.values ?? []).filter((value) => value.toLowerCase().startsWith(begun));
    return known.map((value) => {
      const text = valueText(field, value, { quoted: false });
      const insert = `${withEscapes(field.name)}:${text}`;
      return candidate(
        { kind: 'value', insert, label: `${field.name}:${value}`, detail: field.about },
        { says: value, holds: () => findsValue(field, { value, text }, schema) },
      );
    });
  });
}

/** The longest value that is suggested, in UTF-16 units: nobody picks a stack trace from a list. */
const longestValue = 200;

function valuesOf(field: Field, place: CursorPlace, { schema, values }: SuggestionSources): Candidate[] {
  // In a group plain words side by side are one value except on text, and a distance makes a word match similar ones.
  const quoted = place.hasDistance || (place.inGroup && field.type !== 'text');
  return countedValues(field, values).map(({ value, count }) => {
    const label = shownValue(field, value);
    const insert = valueText(field, label, { quoted });
    return candidate(
      {
        kind: 'value',
        insert,
        label,
        detail: count === undefined ? field.about : `${count} ${count === 1 ? 'log' : 'logs'}`,
      },
      { holds: () => findsValue(field, { value, text: insert }, schema) },
    );
  });
}

/** The known values of a field in their order, then the other ones. */
function countedValues(
  { name, values: known = [] }: Field,
  values: SuggestionSources['values'],
): CountedValue[] {
  const given = new Map((values.get(name) ?? []).map((each) => [String(each.value), each]));
  const listed = known.map((value) => given.get(value) ?? { value });
  const others = [...given.values()].filter(({ value }) => !known.includes(String(value)));
  return [...listed, ...others].filter(
    ({ value }) => 0 < String(value).length && String(value).length <= longestValue,
  );
}

function formsFor({ type }: Field, dialect: Dialect): Candidate[] {
  const isNumber = type !== 'text' && type !== 'keyword';
  const range = operator('[', 'a range: [1 TO 5]', '1 TO 5] ');
  const phrase = operator('"', 'words one after the other', 'x" ');
  const compared = ['>', '>=', '<', '<='].map((sign) => operator(sign, 'a comparison', '1 '));
  return [
    ...(isNumber ? [range] : [phrase]),
    ...(isNumber && dialect === 'lucene' ? compared : []),
    operator('(', 'several of its values: (a OR b)', 'x) '),
    operator(dialect === 'lucene' ? '*' : '[* TO *]', 'any value'),
  ];
}

/** Date expressions that people use, from now backwards. */
const moments: readonly (readonly [math: string, about: string])[] = [
  ['now', 'the present'],
  ['now-15m', '15 minutes ago'],
  ['now-1h', 'an hour ago'],
  ['now-24h', '24 hours ago'],
  ['now-7d', '7 days ago'],
];

function boundsOf(field: Field | undefined, { values }: SuggestionSources): Candidate[] {
  const open = candidate({ kind: 'bound', insert: '*', label: '*', detail: 'no bound' });
  // A range on text compares tokens, not whole values.
  if (!field || field.type === 'text') return [open];
  const relative = field.type === 'date' ? moments : [];
  return [
    ...relative.map(([insert, detail]) => candidate({ kind: 'bound', insert, label: insert, detail })),
    ...valuesAsBounds(field, values),
    open,
  ];
}

function valuesAsBounds(field: Field, values: SuggestionSources['values']): Candidate[] {
  return countedValues(field, values).map(({ value }) => {
    const label = shownValue(field, value);
    return candidate({ kind: 'bound', insert: boundText(label), label, detail: field.about });
  });
}

/** The text of a value as it is shown; dates as they are written in a query. */
export function shownValue(field: Field, value: FieldValue): string {
  return typeof value === 'string' ? value : numberText(field.type, value);
}

/** The query text that asks for this value alone, quoted if it has to be or if `quoted` is set. */
export function valueText(field: Field, shown: string, { quoted }: { readonly quoted: boolean }): string {
  return !quoted && isOneWord(field, shown) ? shown : quote(shown);
}

function isOneWord({ type }: Field, shown: string): boolean {
  if (type === 'integer' || type === 'decimal') return /^\d+(\.\d+)?$/.test(shown);
  if (type === 'date' || !isPlainValue(shown)) return false;
  return type === 'keyword' || analyze(shown).length === 1;
}

/** One end of a range as it is written. */
export function boundText(shown: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.:+-]*$/u.test(shown) && shown !== 'TO' ? shown : quote(shown);
}

/** Returns whether a clause selects the logs that have the value. It does not for `"---"`, which has no token. */
export function findsValue(field: Field, { value, text }: Asked, schema: Schema): boolean {
  const isNumber = field.type !== 'text' && field.type !== 'keyword';
  const has = isNumber && typeof value === 'string' ? parseFieldNumber(field.type, value) : value;
  const clause = parse(`${withEscapes(field.name)}:${text}`).query;
  return match(resolve(clause, { schema }), { [field.name]: has });
}

/** A value, and the query text that asks for it. */
interface Asked {
  readonly value: FieldValue;
  readonly text: string;
}
