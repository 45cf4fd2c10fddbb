import type { Field } from './schema.ts';
import type { NumberValue } from './values.ts';

/**
 * The meaning of a query.
 *
 * A filter is a plain value with the structure of the engine's own queries. It is independent of
 * the query text. Every component that runs a query (the matcher, the case file, a cluster) starts
 * from a filter and must select the same logs for it.
 */
export type Filter =
  | MatchAllFilter
  | MatchNoneFilter
  | TermFilter
  | PhraseFilter
  | RangeFilter
  | TermRangeFilter
  | ExistsFilter
  | PrefixFilter
  | WildcardFilter
  | RegexpFilter
  | FuzzyFilter
  | FieldReferenceFilter
  | TimePartFilter
  | NetworkFilter
  | DisMaxFilter
  | BoolFilter;

/** Every log. */
export interface MatchAllFilter {
  readonly kind: 'all';
}

/** No log. */
export interface MatchNoneFilter {
  readonly kind: 'none';
}

/** A text field holds this token, or a keyword field is exactly this value. */
export interface TermFilter {
  readonly kind: 'term';
  readonly field: Field;
  readonly term: string;
}

/**
 * A text field holds these tokens one after the other. A slop allows up to that many moves of a
 * token (section 6 of the language specification).
 */
export interface PhraseFilter {
  readonly kind: 'phrase';
  readonly field: Field;
  /** Two tokens or more; one alone is a `term`. */
  readonly terms: readonly string[];
  readonly slop: number;
}

/** One end of a range. */
export interface FilterBound<V> {
  readonly value: V;
  readonly inclusive: boolean;
  /**
   * The text of a date relative to now, for example "now-1d/d"; `value` is its time when the query
   * was resolved.
   */
  readonly relative?: string;
}

/**
 * An integer, decimal or date field lies between two numbers; dates are milliseconds since the
 * epoch. On a decimal field a bound of -0 lies below 0, as in the engine, and no bound is a
 * `bigint`.
 */
export interface RangeFilter {
  readonly kind: 'range';
  readonly field: Field;
  readonly lower?: FilterBound<NumberValue>;
  readonly upper?: FilterBound<NumberValue>;
}

/** A token of a text field, or the value of a keyword field, lies between two terms in order of code points. */
export interface TermRangeFilter {
  readonly kind: 'termRange';
  readonly field: Field;
  readonly lower?: FilterBound<string>;
  readonly upper?: FilterBound<string>;
}

/** The field has a value; a text field has at least one token. */
export interface ExistsFilter {
  readonly kind: 'exists';
  readonly field: Field;
  /** For a text field: a text without tokens counts as a value, since the index has a norm of it. */
  readonly byNorms?: true;
}

/** A token or value begins with this text. */
export interface PrefixFilter {
  readonly kind: 'prefix';
  readonly field: Field;
  readonly prefix: string;
}

/**
 * A token or value matches a pattern: `?` is any code point, `*` any run of them, and `\` makes
 * the next character literal.
 */
export interface WildcardFilter {
  readonly kind: 'wildcard';
  readonly field: Field;
  readonly pattern: string;
}

/** A whole token or value matches a regular expression in Lucene's syntax. */
export interface RegexpFilter {
  readonly kind: 'regexp';
  readonly field: Field;
  readonly pattern: string;
}

/** A token or value is at most this many edits away; a transposition is one edit. */
export interface FuzzyFilter {
  readonly kind: 'fuzzy';
  readonly field: Field;
  readonly term: string;
  readonly edits: 0 | 1 | 2;
  /**
   * The maximum number of expanded terms: the nearest ones of all logs searched together, equally
   * near ones in the order of code points. One log has no other terms, so `match` ignores the
   * limit.
   */
  readonly maxExpansions?: number;
  /** The expanded terms, once those of all logs are known; other terms do not match then. */
  readonly expansion?: readonly string[];
}

/** Two texts of one log are equal, or one is a part of the other. Rules ask for it, no query can. */
export interface FieldReferenceFilter {
  readonly kind: 'fieldReference';
  /** A keyword field, and another whose value it has, contains, or begins or ends with. */
  readonly field: Field;
  readonly other: Field;
  readonly comparison: 'equals' | 'contains' | 'startswith' | 'endswith';
}

/** A part of a date, as a clock and a calendar in UTC show it. Rules ask for it, no query can. */
export interface TimePartFilter {
  readonly kind: 'timePart';
  readonly field: Field;
  readonly part: TimePart;
  /** Whole numbers, both inclusive. */
  readonly lower: number;
  readonly upper: number;
}

/** The lowest and the highest value of each part of a date; weeks are those of ISO 8601. */
export const timeParts = {
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  week: [1, 53],
  month: [1, 12],
  year: [0, 9999],
} as const;

/** A part of a date. */
export type TimePart = keyof typeof timeParts;

/** A keyword is an address of IPv6 in a network, in any of its forms. Rules ask for it, no query can. */
export interface NetworkFilter {
  readonly kind: 'network';
  readonly field: Field;
  /** The network in CIDR notation, such as `fe80::/10`. */
  readonly network: string;
}

/**
 * Any of the filters matches; only the best one counts for relevance. The filter of one clause
 * over several fields.
 */
export interface DisMaxFilter {
  readonly kind: 'disMax';
  readonly filters: readonly Filter[];
}

/**
 * All of `must`, none of `mustNot` and, without any `must`, at least one of `should`. Beside a
 * `must`, `should` changes only the relevance (section 2 of the language specification). With
 * `mustNot` alone, all other logs match.
 */
export interface BoolFilter {
  readonly kind: 'bool';
  readonly must: readonly Filter[];
  readonly should: readonly Filter[];
  readonly mustNot: readonly Filter[];
}

/** The filter that selects every log. */
export const matchAllFilter: MatchAllFilter = { kind: 'all' };

/** The filter that selects no log. */
export const matchNoneFilter: MatchNoneFilter = { kind: 'none' };

/** A `bool` filter of the given parts. */
export function boolFilter(parts: Partial<Omit<BoolFilter, 'kind'>>): BoolFilter {
  return { kind: 'bool', must: [], should: [], mustNot: [], ...parts };
}

/** Any of the filters: `matchNoneFilter` for an empty list, the filter itself for one. */
export function disMaxFilter(filters: readonly Filter[]): Filter {
  const [first, second] = filters;
  if (!first) return matchNoneFilter;
  return second ? { kind: 'disMax', filters } : first;
}

/** The JSON of a filter or of a part of one: equal for equal filters, different for all others. */
export function filterKey(filter: unknown): string {
  return JSON.stringify(filter, toJson);
}

/** Numbers without a JSON form, and negative zero, become texts, which no bound of numbers is. */
function toJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `number ${value}`;
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return Object.is(value, -0) ? 'number -0' : `number ${value}`;
}
