import { matchesSloppily } from '../automata/sloppy-phrase.ts';
import { hasSequence } from '../automata/token-sequence.ts';
import { type Document, type FieldValues, toDocument } from './document.ts';
import type {
  BoolFilter,
  Filter,
  FilterBound,
  PhraseFilter,
  RangeFilter,
  TermRangeFilter,
} from './filter.ts';
import { type NumberValue, numberOrderOf } from './number-value.ts';
import { assertRunnable } from './runnable.ts';
import { termTest } from './term-test.ts';

/**
 * Returns whether a filter selects a log. This is the reference: every other way to run a filter
 * is tested against it. Throws `QueryTooComplex` if that would take too long.
 *
 * ```ts
 * match(resolve(parse('msg:timeout').query), { msg: 'Timeout after 30 s' }); // true
 * ```
 */
export function match(filter: Filter, values: FieldValues): boolean {
  assertRunnable(filter);
  return matchDocument(filter, toDocument(values));
}

/**
 * Like `match`, for a log that is matched against several filters. Does not throw.
 *
 * ```ts
 * matchDocument(filter, toDocument({ msg: 'Timeout' }));
 * ```
 */
export function matchDocument(filter: Filter, document: Document): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'term':
      return document.terms(filter.field).includes(filter.term);
    case 'phrase':
      return hasPhrase(filter, document.terms(filter.field));
    case 'range':
      return isInRange(filter, document.number(filter.field));
    case 'termRange':
      return document.terms(filter.field).some((term) => isInTermRange(filter, term));
    case 'exists':
      if (filter.byNorms) return document.hasValue(filter.field);
      return document.number(filter.field) !== undefined || 0 < document.terms(filter.field).length;
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return document.terms(filter.field).some(termTest(filter));
    case 'disMax':
      return filter.filters.some((each) => matchDocument(each, document));
    case 'bool':
      return matchBool(filter, document);
  }
}

/** Reports if a number lies in a range; a log without the field has none. */
export function isInRange(range: RangeFilter, value: NumberValue | undefined): boolean {
  return isBetween(value, range, numberOrderOf(range.field.type));
}

/** Reports if a term lies in a range of terms, in the order of code points. */
export function isInTermRange(range: TermRangeFilter, term: string): boolean {
  return isBetween(term, range, compareCodePoints);
}

function matchBool({ must, should, mustNot }: BoolFilter, document: Document): boolean {
  if (!must.every((each) => matchDocument(each, document))) return false;
  if (mustNot.some((each) => matchDocument(each, document))) return false;
  return 0 < must.length || should.length === 0 || should.some((each) => matchDocument(each, document));
}

function hasPhrase({ terms, slop }: PhraseFilter, tokens: readonly string[]): boolean {
  if (0 < slop) return matchesSloppily(terms, slop, tokens);
  return hasSequence(terms, tokens);
}

function isBetween<V>(
  value: V | undefined,
  { lower, upper }: { readonly lower?: FilterBound<V>; readonly upper?: FilterBound<V> },
  compare: (a: V, b: V) => number,
): boolean {
  if (value === undefined) return false;
  return (
    isWithin(lower, (bound) => compare(value, bound)) && isWithin(upper, (bound) => compare(bound, value))
  );
}

/**
 * Returns whether a value is on the right side of a bound; `distance` is how far it lies beyond
 * the bound.
 */
function isWithin<V>(bound: FilterBound<V> | undefined, distance: (bound: V) => number): boolean {
  if (!bound) return true;
  const beyond = distance(bound.value);
  return 0 < beyond || (bound.inclusive && beyond === 0);
}

/**
 * Orders two texts by code points, as the engine orders terms. Comparing UTF-16 units would put
 * the code points above U+FFFF too early.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Ranks surrogates behind all other units, like the code points that they encode. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
