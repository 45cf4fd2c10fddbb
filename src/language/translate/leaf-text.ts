import type { LeafFilter } from '../logic/boolean-logic.ts';
import { termInterval } from '../logic/interval.ts';
import type { Dialect } from '../meaning/dialect.ts';
import type { Field } from '../meaning/fields.ts';
import type { Filter, FilterBound, RangeFilter } from '../meaning/filter.ts';
import { type NumberValue, numberText } from '../meaning/number-value.ts';
import type { Engine } from '../parse/engine.ts';
import { withEscapes } from '../parse/escape.ts';
import { isPlainValue, quote } from '../parse/quote.ts';

/**
 * Texts that may express a leaf, without its field, the plainest first. The caller must test them:
 * analysis and types decide which are exact.
 */
export function leafTexts(leaf: LeafFilter, dialect: Dialect, engine: Engine): readonly string[] {
  const isWhole = dialect === 'lucene';
  switch (leaf.kind) {
    case 'term':
      return isPlainValue(leaf.term) ? [leaf.term, quote(leaf.term)] : [quote(leaf.term)];
    case 'phrase': {
      const phrase = quote(leaf.terms.join(' '));
      if (leaf.slop === 0) return [phrase];
      return isWhole ? [`${phrase}~${leaf.slop}`] : [];
    }
    case 'range':
      return rangeTexts(leaf);
    case 'termRange':
      return [rangeText(leaf, boundText)];
    case 'exists':
      return isWhole && engine.leadingWildcard ? ['*', '[* TO *]'] : ['[* TO *]'];
    case 'prefix':
      return isWhole ? [`${withEscapes(leaf.prefix)}*`] : [prefixAsRange(leaf)];
    case 'wildcard':
      return isWhole && (engine.leadingWildcard || !/^[*?]/.test(leaf.pattern)) ? [leaf.pattern] : [];
    case 'regexp':
      return isWhole ? [`/${leaf.pattern}/`] : [];
    case 'fuzzy':
      return isWhole ? [`${withEscapes(leaf.term)}~${leaf.edits}`] : [];
  }
}

/** The words of a clause that analysis split, side by side; undefined for any other filter. */
export function runText(filter: Filter): string | undefined {
  if (filter.kind !== 'bool' || 0 < filter.mustNot.length) return undefined;
  const parts = 0 < filter.must.length ? filter.must : filter.should;
  const words = parts.flatMap((part) => (part.kind === 'term' && isPlainValue(part.term) ? [part.term] : []));
  return 1 < words.length && words.length === parts.length ? words.join(' ') : undefined;
}

/** The name of a field as written before its colon. */
export function fieldText({ name }: Field): string {
  return withEscapes(name);
}

/** A clause that matches nothing: an empty range. */
export function noMatchClause(fields: Iterable<Field>): string {
  const all = [...fields];
  const field = all.find(({ type }) => type === 'integer' || type === 'decimal');
  const [first] = all;
  if (field) return `${fieldText(field)}:{0 TO 0}`;
  return first?.type === 'date'
    ? `${fieldText(first)}:{1970 TO 1970}`
    : `${first ? fieldText(first) : 'none'}:{a TO a}`;
}

/** A date relative to now is written as such first, then as its present value. */
function rangeTexts(range: RangeFilter): string[] {
  const { lower, upper, field } = range;
  const write = (value: NumberValue) => numberText(field.type, value);
  const texts = rangeTextsOf(range, ({ value }) => write(value));
  if (lower?.relative === undefined && upper?.relative === undefined) return texts;
  return [...rangeTextsOf(range, ({ value, relative }) => relative ?? write(value)), ...texts];
}

function rangeTextsOf(range: RangeFilter, write: (bound: FilterBound<NumberValue>) => string): string[] {
  const { lower, upper } = range;
  const text = rangeText(range, write);
  const value = lower?.inclusive && upper?.inclusive ? write(lower) : undefined;
  if (value === undefined || value !== (upper && write(upper))) return [text];
  return /^\d+(\.\d+)?$/.test(value) ? [value, text] : [quote(value), text];
}

function rangeText<V>(
  {
    lower,
    upper,
  }: { readonly lower?: FilterBound<V> | undefined; readonly upper?: FilterBound<V> | undefined },
  write: (bound: FilterBound<V>) => string,
): string {
  const open = lower && !lower.inclusive ? '{' : '[';
  const close = upper && !upper.inclusive ? '}' : ']';
  return `${open}${lower ? write(lower) : '*'} TO ${upper ? write(upper) : '*'}${close}`;
}

function boundText({ value }: FilterBound<string>): string {
  return isPlainValue(value) ? value : quote(value);
}

function prefixAsRange(leaf: LeafFilter): string {
  const { from, to } = termInterval(leaf) ?? {};
  return rangeText(
    {
      lower: from === undefined ? undefined : { value: from, inclusive: true },
      upper: to === undefined ? undefined : { value: to, inclusive: false },
    },
    boundText,
  );
}
