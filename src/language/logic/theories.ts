import {
  type Automaton,
  assuredSteps,
  type Effort,
  type Move,
  shareEffort,
  spendEffort,
} from '../automata/automaton.ts';
import { compileRegexp, mayMatchText } from '../automata/regexp.ts';
import { compileWildcard, wildcardParts } from '../automata/wildcard.ts';
import { analyze, occursInTokens } from '../meaning/analyze.ts';
import type { FilterBound, PhraseFilter, RangeFilter } from '../meaning/filter.ts';
import { compareCodePoints, type FieldValue, isMatch } from '../meaning/match.ts';
import {
  compareNumbers,
  greatestInteger,
  leastInteger,
  type NumberValue,
  nextWhole,
  toNumberValue,
} from '../meaning/values.ts';
import {
  type Assignment,
  type Constraint,
  type DiagramNode,
  falseNode,
  type LeafFilter,
  type Logic,
  trueNode,
  type Variable,
} from './diagram.ts';

/** A leaf of the filters and its index among them. */
export interface LeafOccurrence {
  readonly leaf: LeafFilter;
  readonly order: number;
}

/**
 * A theory of the values of one field: the conditions of the filters on it as variables, and the
 * constraints between these.
 */
export interface FieldTheory {
  readonly variables: readonly Variable[];
  /** Constraints that hold for every value. They are short, and may be incomplete. */
  readonly constraints: readonly Constraint[];
  /** The condition under which a leaf matches. */
  readonly formula: (leaf: LeafFilter, logic: Logic) => DiagramNode;
  /** Finds a value that fulfils an assignment, as small as possible. */
  readonly realise: (assignment: Assignment, effort: Effort) => Realised;
}

/**
 * A value of a field, or none. `impossible` means that certainly no value exists, `unknown` that
 * none was found.
 */
export type Realised =
  | { readonly kind: 'value'; readonly value: FieldValue | undefined }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'unknown' };

/** The ordered values of a field that has at most one. */
export interface ValueLine<V> {
  readonly compare: (a: V, b: V) => number;
  /** The interval of values that a leaf matches; undefined if they are no interval. */
  readonly interval: (leaf: LeafFilter) => Interval<V> | undefined;
  /** Values in an interval, the shortest first; empty only if the interval is. */
  readonly valuesIn: (interval: Interval<V>) => readonly V[];
  /** Some values that a pattern matches. */
  readonly valuesFitting: (leaf: LeafFilter, effort: Effort) => readonly V[];
  /** The only value of an interval; undefined if it has more or none. */
  readonly onlyValue: (interval: Interval<V>) => V | undefined;
}

/** The number of values after which the search for the shortest ends. */
const enough = 20;

/**
 * The theory of a field with at most one value. The line is cut at the bounds of the filters. The
 * variables are the bits of a number: 0 for no value, 1 and more for the segments in their order.
 * Larger numbers stand for the last segment too. A pattern must be tried on a value, so it has its
 * own variable.
 */
export function lineTheory<V extends FieldValue>(
  occurrences: readonly LeafOccurrence[],
  line: ValueLine<V>,
  effort: Effort,
): FieldTheory {
  const order = occurrences[0]?.order ?? 0;
  const intervals = new Map<LeafFilter, Interval<V>>();
  const tests = new Map<LeafFilter, Variable>();
  for (const { leaf } of occurrences) {
    const interval = line.interval(leaf);
    if (interval) intervals.set(leaf, interval);
    else if (leaf.kind !== 'exists') tests.set(leaf, { order, cost: 0 });
  }
  const { all, segmentsOf: within } = cutInto([...intervals.values()], line.compare);
  // The highest bit first. No value costs nothing; any other costs at least as much as a word, and low ones
  // less than high ones.
  const bits = Array.from(
    { length: Math.ceil(Math.log2(all.length + 1)) },
    (_, index): Variable => ({ order, cost: 2 + 2 ** -index }),
  );

  return { variables: [...bits, ...tests.values()], constraints: [...clauses()], formula, realise };

  function formula(leaf: LeafFilter, logic: Logic): DiagramNode {
    const test = tests.get(leaf);
    if (test) return logic.variable(test);
    const interval = intervals.get(leaf);
    if (!interval) return isAtLeast(1, logic);
    const [first, end] = within(interval);
    if (end <= first) return falseNode;
    const hasReached = isAtLeast(first + 1, logic);
    return end === all.length ? hasReached : logic.and([hasReached, logic.not(isAtLeast(end + 1, logic))]);
  }

  /** The function that the number in the bits is at least another one. */
  function isAtLeast(number: number, logic: Logic): DiagramNode {
    return bits.reduceRight((lower, bit, position) => {
      const parts = [logic.variable(bit), lower];
      return isSet(number, position) ? logic.and(parts) : logic.or(parts);
    }, trueNode);
  }

  function isSet(number: number, position: number): boolean {
    return Math.floor(number / 2 ** (bits.length - 1 - position)) % 2 === 1;
  }

  function* clauses(): Generator<Constraint> {
    for (const [leaf, variable] of tests) {
      spendEffort(effort, all.length);
      yield [...isNot(0), { variable, holds: false }];
      for (const [position, interval] of all.entries()) {
        const value = line.onlyValue(interval);
        // The last segment has other numbers as well, but it is open and so never a single value.
        if (value === undefined) continue;
        spendEffort(effort, costOfClause + costOfMatch(leaf, 1));
        yield [...isNot(position + 1), { variable, holds: fits(leaf, value) }];
      }
    }
  }

  /** One of these literals holds if the bits are another number. */
  function isNot(number: number): Constraint {
    return bits.map((variable, index) => ({ variable, holds: !isSet(number, index) }));
  }

  function realise(assignment: Assignment, left: Effort): Realised {
    const decided = [...tests].filter(([, variable]) => assignment(variable) !== undefined);
    const isWanted = decided.some(([, variable]) => assignment(variable));
    if (!isWanted && isOpen(0, assignment)) return { kind: 'value', value: undefined };
    const fitting: V[] = [];
    const samples = decided.flatMap(([leaf]) => line.valuesFitting(leaf, left));
    for (const interval of openSegments(assignment)) {
      const candidates = [...line.valuesIn(interval), ...samples.filter((value) => holds(interval, value))];
      spendEffort(left, candidates.length * decided.length * costOfTest);
      for (const value of candidates) {
        if (decided.every(([leaf, test]) => fits(leaf, value) === assignment(test))) fitting.push(value);
      }
      if (enough <= fitting.length) break;
    }
    const [value] = fitting.sort((a, b) => String(a).length - String(b).length);
    if (value !== undefined) return { kind: 'value', value };
    return { kind: decided.length === 0 ? 'impossible' : 'unknown' };
  }

  function openSegments(assignment: Assignment): readonly Interval<V>[] {
    const isBeyond = Array.from(
      { length: 2 ** bits.length - all.length },
      (_, more) => all.length + more,
    ).some((number) => isOpen(number, assignment));
    return all.filter((_, index) => (index === all.length - 1 ? isBeyond : isOpen(index + 1, assignment)));
  }

  /** Returns whether the assigned bits allow a number. */
  function isOpen(number: number, assignment: Assignment): boolean {
    return bits.every((bit, index) => (assignment(bit) ?? isSet(number, index)) === isSet(number, index));
  }

  function holds({ from, to }: Interval<V>, value: V): boolean {
    const hasReached = from === undefined || line.compare(from, value) <= 0;
    return hasReached && (to === undefined || line.compare(value, to) < 0);
  }
}

/** The steps for a constraint over all bits, which is stored. */
const costOfClause = 64;

/** The steps for matching a pattern against a value: most differ in the first characters. */
const costOfTest = 16;

function fits(leaf: LeafFilter, value: FieldValue): boolean {
  return isMatch(leaf, {
    terms: () => [String(value)],
    hasValue: () => true,
    number: () => (typeof value === 'string' ? undefined : value),
  });
}

/** The values from `from` up to `to`, exclusive; an undefined end is open. */
export interface Interval<V> {
  readonly from: V | undefined;
  readonly to: V | undefined;
}

/** The interval of terms that a leaf matches; undefined if they are no interval. */
export function termInterval(leaf: LeafFilter): Interval<string> | undefined {
  switch (leaf.kind) {
    case 'term':
      return { from: leaf.term, to: nextTerm(leaf.term) };
    case 'termRange':
      return {
        from: leaf.lower && firstTermAt(leaf.lower),
        to: leaf.upper && firstTermAt({ ...leaf.upper, inclusive: !leaf.upper.inclusive }),
      };
    case 'prefix':
      return { from: leaf.prefix || undefined, to: afterPrefix(leaf.prefix) };
    default:
      return undefined;
  }
}

/** The first term at a lower bound. */
function firstTermAt({ value, inclusive }: FilterBound<string>): string {
  return inclusive ? value : nextTerm(value);
}

/** The immediate successor of a term. */
export function nextTerm(term: string): string {
  return `${term}\0`;
}

/** The first term after all terms with a prefix; undefined if there is none. */
function afterPrefix(prefix: string): string | undefined {
  for (let length = prefix.length; 0 < length; length -= 1) {
    const next = nextUnit(prefix.charCodeAt(length - 1));
    if (next !== undefined) return prefix.slice(0, length - 1) + String.fromCharCode(next);
  }
  return undefined;
}

/** The next UTF-16 unit in the order of code points, in which surrogates come last. */
function nextUnit(unit: number): number | undefined {
  if (unit === 0xd7ff) return 0xe000;
  if (unit === 0xffff) return 0xd800;
  return unit === 0xdfff ? undefined : unit + 1;
}

/** A line of values cut into segments, none of which an interval contains in part. */
interface Segments<V> {
  /** In order, without gaps: the first is open below, the last above. */
  readonly all: readonly Interval<V>[];
  /** The range of indices in `all` for the segments of an interval; the second is exclusive. */
  readonly segmentsOf: (interval: Interval<V>) => readonly [first: number, end: number];
}

/** Cuts a line into segments at the ends of intervals; `segmentsOf` accepts only intervals with such ends. */
export function cutInto<V>(intervals: readonly Interval<V>[], compare: (a: V, b: V) => number): Segments<V> {
  const ends = intervals.flatMap(({ from, to }) => [from, to]).filter((end) => end !== undefined);
  const cuts = [...new Set(ends)].sort(compare);
  const indexes = new Map(cuts.map((cut, index) => [cut, index]));
  return {
    all: [undefined, ...cuts].map((from, index) => ({ from, to: cuts[index] })),
    segmentsOf: ({ from, to }) => [
      from === undefined ? 0 : (indexes.get(from) ?? 0) + 1,
      to === undefined ? cuts.length + 1 : (indexes.get(to) ?? 0) + 1,
    ],
  };
}

/** Returns whether a term lies in an interval. */
export function holdsTerm({ from, to }: Interval<string>, term: string): boolean {
  return (
    (from === undefined || compareCodePoints(from, term) <= 0) &&
    (to === undefined || compareCodePoints(term, to) < 0)
  );
}

/** Returns whether a leaf on a text field matches these tokens, or one on a keyword field this one value. */
export function hasMatch(leaf: LeafFilter, tokens: readonly string[], effort?: Effort): boolean {
  if (effort) spendEffort(effort, costOfCall + costOfMatch(leaf, tokens.length));
  return isMatch(leaf, { terms: () => tokens, hasValue: () => true, number: () => undefined });
}

/** The steps of every call. */
const costOfCall = 8;

/** The approximate number of steps for matching a leaf against a number of tokens. */
export function costOfMatch(leaf: LeafFilter, tokens: number): number {
  switch (leaf.kind) {
    case 'phrase':
      // A sloppy phrase moves each of its terms over the positions of that term in the text.
      return leaf.terms.length + tokens * (leaf.slop === 0 ? 1 : 8 + leaf.terms.length / 64);
    case 'wildcard':
    case 'regexp':
      return tokens * (8 + leaf.pattern.length / 4);
    case 'fuzzy':
      return tokens * (8 + 4 * leaf.term.length);
    case 'termRange':
      return 4 * tokens;
    default:
      return tokens;
  }
}

/** Returns whether every text that matches the first phrase certainly matches the second. */
export function phraseImplies(phrase: PhraseFilter, other: PhraseFilter, effort?: Effort): boolean {
  if (effort) spendEffort(effort, other.terms.length);
  const own = termsOf(phrase);
  if (other.terms.some((term) => !own.has(term))) return false;
  if (phrase.slop === 0 && other.slop === 0) return hasMatch(other, phrase.terms, effort);
  // The engine's search for a sloppy phrase with a repeated token may miss matches.
  if (termsOf(other).size < other.terms.length) return false;
  if (phrase.slop === 0) return hasMatch(other, phrase.terms, effort);
  return phrase.slop <= other.slop && phrase.terms.join(' ') === other.terms.join(' ');
}

const sets = new WeakMap<PhraseFilter, ReadonlySet<string>>();

/** The distinct terms of a phrase. Cached, since a phrase is compared with many others. */
function termsOf(phrase: PhraseFilter): ReadonlySet<string> {
  const known = sets.get(phrase);
  if (known) return known;
  const terms = new Set(phrase.terms);
  sets.set(phrase, terms);
  return terms;
}

/** The numbers of a field type. */
interface NumberType {
  readonly least: NumberValue;
  readonly greatest: NumberValue;
  /** The first number at a bound, even if the type does not reach it. */
  readonly first: (bound: FilterBound<NumberValue>) => NumberValue;
  /** Some numbers between two others, both included. */
  readonly samples: (first: NumberValue, last: NumberValue) => readonly NumberValue[];
  /** The predecessor of a number. */
  readonly previous: (value: NumberValue) => NumberValue;
}

type Whole = Pick<NumberType, 'least' | 'greatest'>;

/**
 * Integers have 64 bits; dates are those of `Date`. A decimal is any double but -0: `toDocument`
 * makes it 0.
 */
const types = {
  integer: wholeType({ least: leastInteger, greatest: greatestInteger }),
  decimal: {
    least: -Number.MAX_VALUE,
    greatest: Number.MAX_VALUE,
    first: firstDouble,
    samples: doublesBetween,
    previous: (value) => 0 - nextUp(0 - Number(value)),
  },
  date: wholeType({ least: -8.64e15, greatest: 8.64e15 }),
} as const satisfies Record<string, NumberType>;

type NumberTypeName = keyof typeof types;

/** The values of a number or date field. An empty interval starts at infinity, which is not one of them. */
export function numberLine(name: NumberTypeName): ValueLine<NumberValue> {
  return lines[name];
}

const lines = {
  integer: lineOf(types.integer),
  decimal: lineOf(types.decimal),
  date: lineOf(types.date),
};

/** The first and the last value of a range on an integer or date field; undefined if it contains none. */
export function wholeEnds(
  range: RangeFilter,
  name: 'integer' | 'date',
): { readonly first: NumberValue | undefined; readonly last: NumberValue | undefined } | undefined {
  const { from, to } = intervalOf(range, types[name]) ?? {};
  if (from === Number.POSITIVE_INFINITY) return undefined;
  const last = to === undefined ? undefined : nextWhole(to, -1);
  return last !== undefined && last < (from ?? types[name].least) ? undefined : { first: from, last };
}

function wholeType(ends: Whole): NumberType {
  const previous = (value: NumberValue) => nextWhole(value, -1);
  return { ...ends, first: firstWhole, samples: wholesBetween, previous };
}

function lineOf(type: NumberType): ValueLine<NumberValue> {
  return {
    compare: compareNumbers,
    interval: (leaf) => intervalOf(leaf, type),
    valuesIn: (interval) => numbersIn(interval, type),
    valuesFitting: () => [],
    onlyValue: (interval) => {
      const isOne = interval.to !== undefined && interval.from === lastIn(interval, type);
      return isOne ? interval.from : undefined;
    },
  };
}

function intervalOf(leaf: LeafFilter, type: NumberType): Interval<NumberValue> | undefined {
  if (leaf.kind !== 'range') return undefined;
  const { lower, upper } = leaf;
  const to = upper && firstNumberAt({ ...upper, inclusive: !upper.inclusive }, type);
  // No number exceeds the greatest, so an end there is open.
  return {
    from: lower && firstNumberAt(lower, type),
    to: to === Number.POSITIVE_INFINITY ? undefined : to,
  };
}

/** The first number of a type at a lower bound; infinity if there is none. */
function firstNumberAt(bound: FilterBound<NumberValue>, { first, least, greatest }: NumberType): NumberValue {
  const value = first(bound);
  if (!(value <= greatest)) return Number.POSITIVE_INFINITY;
  return value < least ? least : value;
}

/** The last number before the end of an interval. */
function lastIn({ to }: Interval<NumberValue>, { greatest, previous }: NumberType): NumberValue {
  return to === undefined || greatest < to ? greatest : previous(to);
}

function numbersIn(interval: Interval<NumberValue>, type: NumberType): readonly NumberValue[] {
  const first = interval.from ?? type.least;
  const last = lastIn(interval, type);
  if (last < first) return [];
  const values = type.samples(first, last).filter((value) => first <= value && value <= last);
  return [...new Set(values)].sort((a, b) => String(a).length - String(b).length);
}

function firstWhole({ value, inclusive }: FilterBound<NumberValue>): NumberValue {
  // A filter made by hand may contain infinity and NaN, which stay as they are.
  if (typeof value === 'number' && !Number.isFinite(value)) return value;
  const whole = toNumberValue(BigInt(typeof value === 'number' ? Math.ceil(value) : value));
  return inclusive || value < whole ? whole : nextWhole(whole);
}

function wholesBetween(first: NumberValue, last: NumberValue): readonly NumberValue[] {
  const middle = toNumberValue((BigInt(first) + BigInt(last)) / 2n);
  return [0, 1, first, nextWhole(first), last, middle];
}

function firstDouble({ value, inclusive }: FilterBound<NumberValue>): number {
  const double = Number(value);
  const isReached = inclusive ? value <= double : value < double;
  return isReached ? double + 0 : nextUp(double);
}

function doublesBetween(first: NumberValue, last: NumberValue): readonly number[] {
  const [from, to] = [Number(first), Number(last)];
  const middle = from / 2 + to / 2;
  const whole = Math.ceil(from);
  // Adding zero turns negative zero into zero.
  return [0, 1, from, whole, whole + 1, Math.floor(to), Math.floor(middle), middle].map((value) => value + 0);
}

/** A double and its bits. */
const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The next double. For -0 it is 0, although no bound passes one. */
function nextUp(value: number): number {
  if (Object.is(value, -0)) return 0;
  if (value === 0) return Number.MIN_VALUE;
  if (!Number.isFinite(value)) return value;
  double[0] = value;
  bits[0] = (bits[0] ?? 0n) + (0 < value ? 1n : -1n);
  return double[0] + 0;
}

/** The values of a keyword field: any texts, in the order of code points. */
export const keywordLine: ValueLine<string> = {
  compare: compareCodePoints,
  interval: termInterval,
  valuesIn: shortestTermsIn,
  valuesFitting: textsFitting,
  onlyValue: ({ from, to }) => (from !== undefined && to === nextTerm(from) ? from : undefined),
};

function shortestTermsIn(interval: Interval<string>): string[] {
  const { from = '', to } = interval;
  // The lower end of a non-empty interval is in it, but rarely the plainest value.
  const first = to === undefined || compareCodePoints(from, to) < 0 ? [from] : [];
  const texts = [...textsIn(interval)].filter((text) => text !== '');
  return [...texts.sort((a, b) => a.length - b.length), ...first];
}

const known = new WeakMap<LeafFilter, readonly string[]>();

/** Returns some texts that a pattern matches, the shortest first; none for a few patterns. */
export function textsFitting(leaf: LeafFilter, effort: Effort): readonly string[] {
  const texts = known.get(leaf) ?? findTexts(leaf, effort);
  known.set(leaf, texts);
  return texts;
}

function findTexts(leaf: LeafFilter, effort: Effort): readonly string[] {
  switch (leaf.kind) {
    case 'prefix':
      return [leaf.prefix, `${leaf.prefix}x`];
    case 'fuzzy':
      return neighbours(leaf.term, leaf.edits);
    case 'wildcard':
      return accepted(shareEffort(effort, assuredSteps, (own) => compileWildcard(leaf.pattern, own)));
    case 'regexp':
      return accepted(compileRegexp(leaf.pattern));
    default:
      return [];
  }
}

/** The maximum number of texts: enough for one that other conditions do not exclude. */
const maxSamples = 40;

/** A term and some texts near it, one as far as it may be: all edits of a long term would take the square of its length. */
function neighbours(term: string, edits: number): string[] {
  const letters = [...term];
  const edited = letters.slice(0, maxSamples);
  const without = edited.map((_, index) => letters.toSpliced(index, 1).join(''));
  const replaced = edited.map((_, index) => letters.toSpliced(index, 1, 'x').join(''));
  const far = edits < 2 ? [] : [`${term}xx`, `${term}zz`];
  return [term, `${term}x`, ...without, ...replaced, ...far];
}

/** The maximum number of prefixes that are followed. */
const maxSteps = 2000;

function accepted(compiled: ReturnType<typeof compileRegexp>): readonly string[] {
  return 'refusal' in compiled ? [] : acceptedTexts(compiled.automaton);
}

function acceptedTexts({ accepts, moves }: Automaton): string[] {
  const texts: string[] = [];
  const begun = accepts.length === 0 ? [] : [{ state: 0, text: '' }];
  for (let step = 0; step < Math.min(begun.length, maxSteps) && texts.length < maxSamples; step += 1) {
    const { state, text } = begun[step] ?? { state: 0, text: '' };
    if (accepts[state] && text !== '') texts.push(text);
    for (const move of moves[state] ?? []) {
      if (maxSteps < begun.length) break;
      for (const letter of lettersOf(move)) begun.push({ state: move.to, text: text + letter });
    }
  }
  return texts;
}

/** Letters that are likely in a log, from all over the order of code points. */
const plainLetters = ['a', 'x', '0', 'A', '_', 'é', '中'];

/** One or two letters of a move, likely ones where it has some. */
function lettersOf({ min, max }: Move): string[] {
  const found = plainLetters.filter((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return min <= code && code <= max;
  });
  const isSurrogate = 0xd800 <= min && min <= 0xdfff;
  return found.length === 0 && !isSurrogate ? [String.fromCodePoint(min)] : found.slice(0, 2);
}

/** Tokens for an example that no filter mentions, plain ones first. */
const plainTerms = ['x', 'y', 'z', 'other', 'a', '0', '9', 'A', 'Z', '~', '中', '😀'];

/** Continuations of a prefix, from all over the order of code points. */
const endings = [
  ...['', 'a', '0', 'x', 'z', '9', '_', 'A', 'Z', ' ', '!', '~', 'é', '中', '😀'],
  ...['.0', '.a', "'a", ':a', '.x', '-'],
  // Further from a similar word than any edits.
  'xxxx',
];

/** The number of positions tried at the start and at the end of a long bound. */
const triedPositions = 8;

/**
 * Yields texts in an interval of terms, plain ones first. Nearly every non-empty interval has
 * some; they are not complete.
 */
export function* textsIn(interval: Interval<string>): Generator<string> {
  const { from = '', to = '' } = interval;
  for (const text of plainTerms) if (holdsTerm(interval, text)) yield text;
  for (const bound of from === to ? [from] : [from, to]) {
    for (const length of lengths(bound)) {
      const beginning = bound.slice(0, length);
      // Half a surrogate pair is no text.
      if (!beginning.isWellFormed()) continue;
      for (const ending of endings) {
        if (holdsTerm(interval, beginning + ending)) yield beginning + ending;
      }
      // Between two bounds of one letter each, such as a and c, may stand another.
      const next = afterPrefix(beginning);
      if (next?.isWellFormed() && holdsTerm(interval, next)) yield next;
    }
  }
}

/** The prefix lengths of a bound that are tried, the longest first. */
function lengths({ length }: string): number[] {
  const all = Array.from({ length: length + 1 }, (_, index) => length - index);
  return all.filter((prefix) => length - prefix <= triedPositions || prefix <= triedPositions);
}

/** Returns whether the standard analyzer makes one identical token of a text. */
export function isToken(text: string): boolean {
  const [token, second] = analyze(text);
  return token === text && second === undefined;
}

/** Returns whether certainly no text has such a token: some characters are in none, for example blanks and capitals. */
export function isNeverToken(term: string): boolean {
  return term === '' || 0 < foreignCharacters(term).length;
}

/** The characters of a text that occur in no token. */
export function foreignCharacters(text: string): string[] {
  return [...text].filter((character) => !occursInTokens(character.codePointAt(0) ?? 0));
}

/**
 * Returns whether certainly no text matches a leaf on a text field. A leaf asks for single tokens, and some
 * characters are in none: `*foo-bar*` and the expression `.*timed out.*` match nothing.
 */
export function isNeverInText(leaf: LeafFilter): boolean {
  switch (leaf.kind) {
    case 'term':
      return isNeverToken(leaf.term);
    case 'phrase':
      return leaf.terms.some(isNeverToken);
    case 'prefix':
      return 0 < foreignCharacters(leaf.prefix).length;
    case 'wildcard': {
      const parts = wildcardParts(leaf.pattern);
      return parts.length === 0 || parts.some((part) => typeof part === 'number' && !occursInTokens(part));
    }
    case 'regexp':
      return !mayMatchText(leaf.pattern, occursInTokens);
    case 'fuzzy':
      // One edit removes or replaces one character.
      return leaf.edits < foreignCharacters(leaf.term).length;
    case 'range':
      return true;
    case 'termRange':
      return leaf.upper !== undefined && isBeforeTokens(leaf.upper);
    default:
      return false;
  }
}

/** Reports if all tokens come after a bound: none begins with a character before the digits. */
function isBeforeTokens({ value, inclusive }: FilterBound<string>): boolean {
  const order = compareCodePoints(value, '0');
  return order < 0 || (order === 0 && !inclusive);
}
