import {
  type Automaton,
  assuredSteps,
  type Effort,
  type Move,
  newEffort,
  shareEffort,
} from '../automata/automaton.ts';
import type { CompiledPattern } from '../automata/determinize.ts';
import { fuzzyTest } from '../automata/fuzzy.ts';
import { networkTest } from '../automata/network.ts';
import { hasSequence, matchesSloppily } from '../automata/phrase.ts';
import { compileRegexp } from '../automata/regexp.ts';
import { wildcardTest } from '../automata/wildcard.ts';
import { analyze, lowerCase } from './analyze.ts';
import type {
  BoolFilter,
  FieldReferenceFilter,
  Filter,
  FilterBound,
  FuzzyFilter,
  PhraseFilter,
  PrefixFilter,
  RangeFilter,
  RegexpFilter,
  TermRangeFilter,
  TimePart,
  TimePartFilter,
  WildcardFilter,
} from './filter.ts';
import type { Field } from './schema.ts';
import { type NumberValue, numberOrderOf } from './values.ts';

/**
 * Returns whether a filter selects a log. This is the reference: every other way to run a filter
 * is tested against it. Throws `QueryTooComplex` if that would take too long.
 *
 * ```ts
 * match(resolve(parse('msg:timeout').query), { msg: 'Timeout after 30 s' }); // true
 * ```
 */
export function match(filter: Filter, values: FieldValues): boolean {
  return matchDocument(filter, toDocument(values));
}

/**
 * Like `match`, for a log that is matched against several filters. Throws `QueryTooComplex` as well.
 *
 * ```ts
 * matchDocument(filter, toDocument({ msg: 'Timeout' }));
 * ```
 */
export function matchDocument(filter: Filter, document: Document): boolean {
  assertRunnable(filter);
  return isMatch(filter, document);
}

/** `matchDocument` of a filter that is known to be runnable. */
export function isMatch(filter: Filter, document: Document): boolean {
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
    case 'fieldReference':
      return document
        .terms(filter.field)
        .some((value) => document.terms(filter.other).some((other) => isRelated(filter, value, other)));
    case 'timePart':
      return isTimePart(filter, document.number(filter.field));
    case 'network':
      return document.terms(filter.field).some(networkTest(filter.network));
    case 'disMax':
      return filter.filters.some((filter) => isMatch(filter, document));
    case 'bool':
      return matchBool(filter, (filter) => isMatch(filter, document));
  }
}

function isRelated({ comparison }: FieldReferenceFilter, value: string, other: string): boolean {
  switch (comparison) {
    case 'equals':
      return value === other;
    case 'contains':
      return value.includes(other);
    case 'startswith':
      return value.startsWith(other);
    case 'endswith':
      return value.endsWith(other);
  }
}

function isTimePart({ part, lower, upper }: TimePartFilter, time: NumberValue | undefined): boolean {
  if (time === undefined) return false;
  const value = partOfTime(new Date(Number(time)), part);
  return lower <= value && value <= upper;
}

function partOfTime(date: Date, part: TimePart): number {
  switch (part) {
    case 'minute':
      return date.getUTCMinutes();
    case 'hour':
      return date.getUTCHours();
    case 'day':
      return date.getUTCDate();
    case 'week': {
      // A week belongs to the year of its Thursday.
      const thursday = date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * day;
      return 1 + Math.floor((thursday - startOfYear(new Date(thursday).getUTCFullYear())) / (7 * day));
    }
    case 'month':
      return date.getUTCMonth() + 1;
    case 'year':
      return date.getUTCFullYear();
  }
}

const day = 86_400_000;

/** `Date.UTC` would take the first hundred years for those after 1900. */
function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

/** Returns `matchDocument` for one document: what is asked of a part again, alone or inside another, is matched once. */
export function matcherOf(document: Document): (filter: Filter) => boolean {
  const found = new Map<Filter, boolean>();
  const matches = (filter: Filter): boolean => {
    const before = found.get(filter);
    if (before !== undefined) return before;
    const result = matchParts(filter);
    found.set(filter, result);
    return result;
  };
  const matchParts = (filter: Filter): boolean => {
    if (filter.kind === 'disMax') return filter.filters.some(matches);
    return filter.kind === 'bool' ? matchBool(filter, matches) : isMatch(filter, document);
  };
  return matches;
}

/** Reports if a number lies in a range; a log without the field has none. */
export function isInRange(range: RangeFilter, value: NumberValue | undefined): boolean {
  return isBetween(value, range, numberOrderOf(range.field.type));
}

/** Reports if a term lies in a range of terms, in the order of code points. */
export function isInTermRange(range: TermRangeFilter, term: string): boolean {
  return isBetween(term, range, compareCodePoints);
}

function matchBool({ must, should, mustNot }: BoolFilter, matches: (filter: Filter) => boolean): boolean {
  if (!must.every(matches)) return false;
  if (mustNot.some(matches)) return false;
  return 0 < must.length || should.length === 0 || should.some(matches);
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

/**
 * The value of one field of a log: text, or a number. A date is in milliseconds since the epoch; a
 * number beyond ±(2^53 - 1) is a `bigint`.
 */
export type FieldValue = string | NumberValue;

/** The values of a log by field name; a field without a value is absent. */
export type FieldValues = { readonly [field: string]: FieldValue | undefined };

/** A log prepared for matching against many filters. */
export interface Document {
  /** The tokens of a text field, or the one term of a keyword field; empty if the field has no value. */
  readonly terms: (field: Field) => readonly string[];
  /** Returns whether the field has a value, which may be a text without tokens. */
  readonly hasValue: (field: Field) => boolean;
  /**
   * The number in an integer, decimal or date field. A negative zero is zero, as in JSON without a
   * fraction.
   */
  readonly number: (field: Field) => NumberValue | undefined;
}

/**
 * A document over the values of a log. Each text is analysed once, when a filter first reads it.
 *
 * ```ts
 * matchDocument(filter, toDocument(log));
 * ```
 */
export function toDocument(values: FieldValues): Document {
  const analysed = new Map<string, readonly string[]>();
  return {
    terms: (field) => {
      const value = values[field.name];
      if (value === undefined) return [];
      const known = analysed.get(field.name);
      if (known && field.type === 'text') return known;
      // As in the engine and in a case, half of a surrogate pair is U+FFFD.
      const text = String(value).toWellFormed();
      if (field.type !== 'text') return [field.normalizer === 'lowercase' ? lowerCase(text) : text];
      const terms = analyze(text);
      analysed.set(field.name, terms);
      return terms;
    },
    hasValue: ({ name }) => values[name] !== undefined,
    number: ({ name }) => {
      const value = values[name];
      return typeof value === 'number' ? value + 0 : typeof value === 'bigint' ? value : undefined;
    },
  };
}

/** Thrown for a filter whose evaluation would take too long. Its message names the part that causes it. */
export class QueryTooComplex extends Error {
  override readonly name = 'QueryTooComplex';
  readonly code = 'QUERY_TOO_COMPLEX';
}

const known = new WeakMap<Filter, string | undefined>();

/**
 * Returns why running a filter would take too long, or undefined if it does not. All regular
 * expressions of a filter share the effort of one, as in `validate`. The answer is cached by
 * filter.
 */
export function complexityOf(filter: Filter): string | undefined {
  if (known.has(filter)) return known.get(filter);
  const reason = complexityOfLeaves(leavesIn(filter));
  known.set(filter, reason);
  return reason;
}

/**
 * Returns why running two filters would take too long, or undefined if it does not. They share the effort of one, and a
 * pattern that stands in both is compiled once. The steps are taken from `payer`, if given.
 */
export function complexityOfBoth(a: Filter, b: Filter, payer?: Effort): string | undefined {
  const alone = known.get(a) ?? known.get(b);
  if (alone !== undefined || (known.has(a) && known.has(b))) return alone;
  const reason = tooComplexTogether.get(a)?.get(b) ?? complexityOfLeaves(leavesOfBoth(a, b), payer);
  if (reason !== undefined) tooComplexTogether.set(a, new WeakMap([[b, reason]]));
  else for (const filter of [a, b]) known.set(filter, undefined);
  return reason;
}

/** The reasons of pairs of which neither filter alone is known to be too complex. */
const tooComplexTogether = new WeakMap<Filter, WeakMap<Filter, string>>();

function* leavesOfBoth(a: Filter, b: Filter): Generator<Leaf> {
  yield* leavesIn(a);
  yield* leavesIn(b);
}

function complexityOfLeaves(leaves: Iterable<Leaf>, payer?: Effort): string | undefined {
  const patterns = new Map<string, RegexpFilter[]>();
  let reason: string | undefined;
  for (const leaf of leaves) {
    if (leaf.kind === 'regexp') {
      const same = patterns.get(leaf.pattern);
      if (same) same.push(leaf);
      else patterns.set(leaf.pattern, [leaf]);
    } else if (leaf.kind === 'phrase') reason ??= tooRepetitive(leaf);
  }
  return reason ?? tooCostly(patterns, payer);
}

/** Throws `QueryTooComplex` if running a filter would take too long. */
export function assertRunnable(filter: Filter): void {
  const reason = complexityOf(filter);
  if (reason !== undefined) throw new QueryTooComplex(`The query is too complex: ${reason}`);
}

/** Finds out by compiling each pattern, once: the leaves that have it keep the test. */
function tooCostly(
  patterns: ReadonlyMap<string, readonly RegexpFilter[]>,
  payer: Effort | undefined,
): string | undefined {
  const shared = newEffort();
  const before = shared.left;
  let reason: string | undefined;
  for (const [pattern, leaves] of patterns) {
    const isAffordable = shareEffort(shared, assuredSteps, (effort) => {
      // The effort is the same whatever was compiled before.
      const test = testOf(compileRegexp(pattern, effort));
      if (effort.left < 0) return false;
      for (const leaf of leaves) tests.set(leaf, test);
      return true;
    });
    if (isAffordable) continue;
    reason = `finding out what the regular expression "${shortened(pattern)}" matches would take too long; write a shorter one, or fewer`;
    break;
  }
  if (payer) payer.left -= before - shared.left;
  return reason;
}

/** The maximum number of repeated terms in a sloppy phrase: the time to find it grows with their square. */
const mostRepeated = 500;

/** Returns why finding a sloppy phrase would take too long, or undefined if it does not. */
export function tooRepetitive({ terms, slop }: Pick<PhraseFilter, 'terms' | 'slop'>): string | undefined {
  if (slop === 0 || terms.length <= mostRepeated) return undefined;
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const repeated = [...counts.values()].reduce((sum, count) => sum + (count < 2 ? 0 : count), 0);
  if (repeated <= mostRepeated) return undefined;
  return `${repeated} words of the sloppy phrase "${shortened(terms.join(' '))}" stand in it more than once, and at most ${mostRepeated} may; write a shorter one, or leave out the "~"`;
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

type Leaf = Exclude<Filter, { kind: 'all' | 'none' | 'disMax' | 'bool' }>;

/** The leaves of a filter, in their order. */
export function* leavesIn(filter: Filter): Generator<Leaf> {
  const left: Filter[] = [filter];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.kind === 'disMax') left.push(...next.filters.toReversed());
    else if (next.kind === 'bool') left.push(...[...next.must, ...next.should, ...next.mustNot].reverse());
    else if (next.kind !== 'all' && next.kind !== 'none') yield next;
  }
}

/** A filter that tests one term at a time: a token of a text field, or the value of a keyword field. */
export type TermPattern = PrefixFilter | WildcardFilter | RegexpFilter | FuzzyFilter;

const tests = new WeakMap<TermPattern, (term: string) => boolean>();

/**
 * Returns the test of a filter for a single term, cached by filter. It takes time proportional to
 * the term (section 6 of the language specification). No term passes the test of a regular
 * expression that `checkRegexp` refuses.
 */
export function termTest(filter: TermPattern): (term: string) => boolean {
  const known = tests.get(filter);
  if (known) return known;
  const test = makeTest(filter);
  tests.set(filter, test);
  return test;
}

function makeTest(filter: TermPattern): (term: string) => boolean {
  switch (filter.kind) {
    case 'prefix':
      return (term) => term.startsWith(filter.prefix);
    case 'wildcard':
      return wildcardTest(filter.pattern);
    case 'regexp':
      return regexpTest(filter.pattern);
    case 'fuzzy':
      return filter.expansion ? isAmong(filter.expansion) : fuzzyTest(filter.term, filter.edits);
  }
}

const regexpTests = new Map<string, (term: string) => boolean>();

/** A query that searches several fields, or repeats a pattern, compiles it once. */
const mostRegexpTests = 300;

function regexpTest(pattern: string): (term: string) => boolean {
  const known = regexpTests.get(pattern);
  if (known) return known;
  const test = testOf(compileRegexp(pattern));
  if (mostRegexpTests <= regexpTests.size) regexpTests.clear();
  regexpTests.set(pattern, test);
  return test;
}

function testOf(compiled: CompiledPattern): (term: string) => boolean {
  return 'refusal' in compiled ? () => false : automatonTest(compiled.automaton);
}

function isAmong(terms: readonly string[]): (term: string) => boolean {
  const set = new Set(terms);
  return (term) => set.has(term);
}

/**
 * Returns a test of whole texts by a deterministic automaton: one step per code point, whatever
 * the pattern.
 */
export function automatonTest({ accepts, moves }: Automaton): (text: string) => boolean {
  return (text) => {
    let state: number | undefined = 0;
    for (let at = 0; at < text.length; at += 1) {
      const codePoint = text.codePointAt(at) ?? 0;
      if (0xffff < codePoint) at += 1;
      state = target(moves[state] ?? [], codePoint);
      if (state === undefined) return false;
    }
    return accepts[state] ?? false;
  };
}

function target(moves: readonly Move[], codePoint: number): number | undefined {
  let [from, past] = [0, moves.length];
  while (from < past) {
    const middle = (from + past) >> 1;
    const move = moves[middle];
    if (!move) return undefined;
    if (codePoint < move.min) past = middle;
    else if (move.max < codePoint) from = middle + 1;
    else return move.to;
  }
  return undefined;
}
