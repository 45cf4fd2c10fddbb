import type { Field } from './fields.ts';
import type { NumberValue } from './number-value.ts';

/**
 * What a query asks for, once its words have a meaning.
 *
 * A filter is a plain value with the shape that the engine's own queries have.
 * It knows nothing of the text it came from. Whatever runs a query (the
 * matcher, the case file, a cluster) starts from one of these and must select
 * the same logs for it.
 */
export type Filter =
  | All
  | None
  | Term
  | Phrase
  | Range
  | TermRange
  | Exists
  | Prefix
  | Wildcard
  | Regexp
  | Fuzzy
  | DisMax
  | Bool;

/** Every log. */
export interface All {
  readonly kind: 'all';
}

/** No log. */
export interface None {
  readonly kind: 'none';
}

/** A text field holds this token, or a keyword field is exactly this value. */
export interface Term {
  readonly kind: 'term';
  readonly field: Field;
  readonly term: string;
}

/**
 * A text field holds these tokens one after the other. With a slop, up to that
 * many moves of a token are allowed, as in section 6 of the language specification.
 */
export interface Phrase {
  readonly kind: 'phrase';
  readonly field: Field;
  /** Two tokens or more; one alone is a `term`. */
  readonly terms: readonly string[];
  readonly slop: number;
}

/** One end of a range. */
export interface Bound<V> {
  readonly value: V;
  readonly inclusive: boolean;
  /** The text of a date that is counted from now, as "now-1d/d"; `value` is what it was when the query was resolved. */
  readonly relative?: string;
}

/**
 * An integer, decimal or date field lies between two numbers; dates are milliseconds since the epoch. A bound of
 * -0 on a decimal field lies below 0, as in the engine; one on a decimal field is never a `bigint`.
 */
export interface Range {
  readonly kind: 'range';
  readonly field: Field;
  readonly lower?: Bound<NumberValue>;
  readonly upper?: Bound<NumberValue>;
}

/** A token of a text field, or the value of a keyword field, lies between two terms in order of code points. */
export interface TermRange {
  readonly kind: 'termRange';
  readonly field: Field;
  readonly lower?: Bound<string>;
  readonly upper?: Bound<string>;
}

/** The field has a value; a text field: at least one token. */
export interface Exists {
  readonly kind: 'exists';
  readonly field: Field;
  /** Of a text field only: a text without any token is a value too, since the index has a norm of it. */
  readonly byNorms?: true;
}

/** A token or value begins with this text. */
export interface Prefix {
  readonly kind: 'prefix';
  readonly field: Field;
  readonly prefix: string;
}

/** A token or value fits a pattern in which `?` is any code point, `*` any run of them and `\` takes the next literally. */
export interface Wildcard {
  readonly kind: 'wildcard';
  readonly field: Field;
  readonly pattern: string;
}

/** A whole token or value fits a regular expression in Lucene's syntax. */
export interface Regexp {
  readonly kind: 'regexp';
  readonly field: Field;
  readonly pattern: string;
}

/** A token or value is at most this many edits away; a transposition is one edit. */
export interface Fuzzy {
  readonly kind: 'fuzzy';
  readonly field: Field;
  readonly term: string;
  readonly edits: 0 | 1 | 2;
  /**
   * The number of terms that it stands for at most: the nearest ones of all logs that are searched together, and of
   * equally near ones the first in the order of code points. A log alone has no other terms, so `match` knows no limit.
   */
  readonly maxExpansions?: number;
  /** The terms that it stands for, once those of all logs are known; no other term is looked for then. */
  readonly expansion?: readonly string[];
}

/** Any of these matches; only the best one counts for relevance. One clause over several fields. */
export interface DisMax {
  readonly kind: 'disMax';
  readonly filters: readonly Filter[];
}

/**
 * All of `must`, none of `mustNot`, and, only where there is no `must`, at
 * least one of `should`. Beside a `must`, `should` changes the relevance alone
 * (section 2 of the language specification). With neither, what is left is
 * taken from all logs.
 */
export interface Bool {
  readonly kind: 'bool';
  readonly must: readonly Filter[];
  readonly should: readonly Filter[];
  readonly mustNot: readonly Filter[];
}

/** The filter that selects every log. */
export const all: All = { kind: 'all' };

/** The filter that selects no log. */
export const none: None = { kind: 'none' };

/** A `bool` filter of the parts given. */
export function bool(parts: Partial<Omit<Bool, 'kind'>>): Bool {
  return { kind: 'bool', must: [], should: [], mustNot: [], ...parts };
}

/** Any of the filters: `none` of no filters, the filter itself of one. */
export function disMax(filters: readonly Filter[]): Filter {
  const [first, second] = filters;
  if (!first) return none;
  return second ? { kind: 'disMax', filters } : first;
}
