import { type Interval, numberLine } from '../logic/theories.ts';
import { analyze } from '../meaning/analyze.ts';
import {
  type FieldContext,
  type FieldResolver,
  fieldsNamed,
  resolveComparison,
  resolvePhrase,
  resolveRange,
  resolveRegexp,
  resolveWildcard,
  resolveWord,
  type Targets,
} from '../meaning/resolve.ts';
import type { Field, Schema } from '../meaning/schema.ts';
import { type NumberValue, parseNumber } from '../meaning/values.ts';
import type { Engine } from '../parse/engine.ts';
import { withoutEscapes, withoutQuotes } from '../parse/lex.ts';
import type { Clause, Item, Part, Query, Span } from '../parse/tree.ts';

/** The fields that a clause searches, with their types. */
export interface SearchTargets extends Targets {
  readonly hasText: boolean;
  readonly hasKeyword: boolean;
  /** True if there is a field of numbers or dates. */
  readonly hasNumbers: boolean;
}

function toSearchTargets(named: string | undefined, fields: readonly Field[]): SearchTargets {
  const has = (type: Field['type']) => fields.some((field) => field.type === type);
  return {
    named,
    fields,
    hasText: has('text'),
    hasKeyword: has('keyword'),
    hasNumbers: has('integer') || has('decimal') || has('date'),
  };
}

/**
 * A lookup of the fields that a clause searches. Only groups with a field are
 * visited beforehand; any other clause names its field, or searches the defaults.
 */
export function targetLookup(
  query: Query,
  schema: Schema,
  engine: Engine,
): (clause: Clause) => SearchTargets {
  const defaults = toSearchTargets(undefined, schema.defaults);
  const targetsNamed = memoize((rawName: string) => {
    const named = withoutEscapes(rawName).text;
    return toSearchTargets(named, fieldsNamed(named, schema, engine));
  });
  const inherited = new Map<Clause, SearchTargets>();
  handDown(query.parts, undefined);
  return (clause) =>
    clause.field ? targetsNamed(clause.field.name.text) : (inherited.get(clause) ?? defaults);

  function handDown(parts: readonly Part[], targets: SearchTargets | undefined): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const own = part.field ? targetsNamed(part.field.name.text) : targets;
      if (own && !part.field) inherited.set(part, own);
      if (part.item.kind === 'Group') handDown(part.item.parts, own);
    }
  }
}

/** A function that works out the answer for each key once. Lives as long as the view of one query. */
export function memoize<K, V>(work: (key: K) => V): (key: K) => V {
  const answers = new Map<K, { readonly value: V }>();
  return (key) => {
    let answer = answers.get(key);
    if (!answer) {
      answer = { value: work(key) };
      answers.set(key, answer);
    }
    return answer.value;
  };
}

/** The filter of an item on a single field. Undefined for a group and for a missing item. */
export function itemFilter(item: Item): FieldResolver | undefined {
  switch (item.kind) {
    case 'Word': {
      const [compared, text] = [resolveComparison(item), resolveWord(item)];
      if (!compared) return text;
      return (field, context) => (context.engine.comparisons ? compared : text)(field, context);
    }
    case 'Phrase':
      return resolvePhrase(item);
    case 'Range':
      return resolveRange(item);
    case 'Wildcard':
      return resolveWildcard(item);
    case 'Regexp':
      return resolveRegexp(item);
    case 'Group':
    case 'Missing':
      return undefined;
  }
}

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

/** The field that a clause, or a group around it, names. Undefined unless it is a single known field. */
export function namedField(clause: Clause, targets: (clause: Clause) => Targets): Field | undefined {
  return fieldOfTargets(targets(clause));
}

/** The field that targets name. Undefined unless it is a single known field. */
export function fieldOfTargets({ named, fields }: Targets): Field | undefined {
  return named !== undefined && fields.length === 1 ? fields[0] : undefined;
}

/** The fields that can have these bounds: those of numbers, or those of dates if one of the bounds is no number. */
export function boundFields(bounds: readonly string[], fields: Iterable<Field>): Field[] {
  const areNumbers = bounds.every((bound) => parseNumber(bound) !== undefined);
  return [...fields].filter(({ type }) =>
    areNumbers ? type === 'integer' || type === 'decimal' : type === 'date',
  );
}

/** The text that a word or a phrase asks for, without quotes and escapes; undefined for any other item. */
export function askedText(item: Item): string | undefined {
  if (item.kind === 'Word') return withoutEscapes(item.term.text).text;
  if (item.kind === 'Phrase') return withoutEscapes(withoutQuotes(item.term.text)).text;
  return undefined;
}

/** Returns whether analysis leaves a text whole, as nearly every word: ASCII letters and digits (section 4 of the language specification). */
export function isOneToken(text: string): boolean {
  return /^[A-Za-z0-9]{1,255}$/.test(text);
}

/** The tokens of a word or a phrase on text fields; none for any other item. Each text is analysed once. */
export function termLookup(): (clause: Clause) => readonly string[] {
  const termsOf = memoize(analyze);
  return ({ item }) => {
    if (item.kind === 'Word' && isOneToken(item.term.text)) return [item.term.text.toLowerCase()];
    const text = askedText(item);
    return text === undefined ? noTerms : termsOf(text);
  };
}

const noTerms: readonly string[] = [];

/** The numbers or dates that an item asks of a field, whole ones on integer and date fields. Undefined if it asks for anything else. */
export function numberInterval(
  item: Item,
  field: Field,
  context: Readonly<Pick<FieldContext, 'now' | 'engine'>>,
): Interval<NumberValue> | undefined {
  const { type } = field;
  if (type === 'text' || type === 'keyword') return undefined;
  const filter = itemFilter(item)?.(field, { defaultOperator: 'or', ...context });
  return filter?.kind === 'range' ? numberLine(type).interval(filter) : undefined;
}

/** Returns whether an interval contains no number. */
export function isEmptyInterval({ from, to }: Interval<NumberValue>): boolean {
  return from === Number.POSITIVE_INFINITY || (from !== undefined && to !== undefined && to <= from);
}

/** The numbers in both intervals. */
export function intersectIntervals(
  a: Interval<NumberValue>,
  b: Interval<NumberValue>,
): Interval<NumberValue> {
  return {
    from: b.from === undefined || (a.from !== undefined && b.from < a.from) ? a.from : b.from,
    to: b.to === undefined || (a.to !== undefined && a.to < b.to) ? a.to : b.to,
  };
}
