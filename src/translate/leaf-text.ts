import { withEscapes } from '../language/escape.ts';
import { isPlain, quote } from '../language/quote.ts';
import { termInterval } from '../meaning/compare/interval.ts';
import type { Leaf } from '../meaning/compare/logic.ts';
import type { Dialect } from '../meaning/dialect.ts';
import type { Field } from '../meaning/fields.ts';
import type { Bound, Filter, Range } from '../meaning/filter.ts';

/**
 * Texts that may ask for what a leaf does, without its field, the plainest
 * first. Which of them does has to be tried: analysis and types decide.
 */
export function leafTexts(leaf: Leaf, dialect: Dialect): readonly string[] {
  const isWhole = dialect === 'lucene';
  switch (leaf.kind) {
    case 'term':
      return isPlain(leaf.term) ? [leaf.term, quote(leaf.term)] : [quote(leaf.term)];
    case 'phrase': {
      const phrase = quote(leaf.terms.join(' '));
      if (leaf.slop === 0) return [phrase];
      return isWhole ? [`${phrase}~${leaf.slop}`] : [];
    }
    case 'range':
      return rangeTexts(leaf);
    case 'termRange':
      return [between(leaf, boundText)];
    case 'exists':
      return isWhole ? ['*'] : ['[* TO *]'];
    case 'prefix':
      return isWhole ? [`${withEscapes(leaf.prefix)}*`] : [prefixAsRange(leaf)];
    case 'wildcard':
      return isWhole ? [leaf.pattern] : [];
    case 'regexp':
      return isWhole ? [`/${leaf.pattern}/`] : [];
    case 'fuzzy':
      return isWhole ? [`${withEscapes(leaf.term)}~${leaf.edits}`] : [];
  }
}

/** The words of a clause that analysis cut into several, side by side; undefined of any other filter. */
export function runText(filter: Filter): string | undefined {
  if (filter.kind !== 'bool' || 0 < filter.mustNot.length) return undefined;
  const parts = 0 < filter.must.length ? filter.must : filter.should;
  const words = parts.flatMap((part) => (part.kind === 'term' && isPlain(part.term) ? [part.term] : []));
  return 1 < words.length && words.length === parts.length ? words.join(' ') : undefined;
}

/** The name of a field as it is written in front of its colon. */
export function fieldText({ name }: Field): string {
  return withEscapes(name);
}

/** A clause that matches nothing: a range without room. */
export function nothingIn(fields: Iterable<Field>): string {
  const all = [...fields];
  const field = all.find(({ type }) => type === 'integer' || type === 'decimal');
  const [first] = all;
  if (field) return `${fieldText(field)}:{0 TO 0}`;
  return first?.type === 'date'
    ? `${fieldText(first)}:{1970 TO 1970}`
    : `${first ? fieldText(first) : 'none'}:{a TO a}`;
}

function rangeTexts(range: Range): string[] {
  const { lower, upper, field } = range;
  const say = (value: number) => (field.type === 'date' ? new Date(value).toISOString() : String(value));
  const text = between(range, say);
  if (!lower?.inclusive || !upper?.inclusive || lower.value !== upper.value) return [text];
  const value = say(lower.value);
  return /^\d+(\.\d+)?$/.test(value) ? [value, text] : [quote(value), text];
}

function between<V>(
  { lower, upper }: { readonly lower?: Bound<V> | undefined; readonly upper?: Bound<V> | undefined },
  say: (value: V) => string,
): string {
  const open = lower && !lower.inclusive ? '{' : '[';
  const close = upper && !upper.inclusive ? '}' : ']';
  return `${open}${lower ? say(lower.value) : '*'} TO ${upper ? say(upper.value) : '*'}${close}`;
}

function boundText(value: string): string {
  return isPlain(value) ? value : quote(value);
}

function prefixAsRange(leaf: Leaf): string {
  const { from, to } = termInterval(leaf) ?? {};
  return between(
    {
      lower: from === undefined ? undefined : { value: from, inclusive: true },
      upper: to === undefined ? undefined : { value: to, inclusive: false },
    },
    boundText,
  );
}
