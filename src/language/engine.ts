/**
 * Engine profiles: the points on which engines that run the same syntax
 * differ, as data. All else is alike in them (sections 2 and 5 to 8 of the
 * language specification).
 */

/** The name of a profile. */
export type EngineName = 'deployment' | 'elasticsearch' | 'lucene';

/** The meaning of what engines read differently. */
export interface Engine {
  readonly name: EngineName;
  /**
   * The least a text field holds where it has a value: a `token`, or any `text`.
   * Elasticsearch looks for the norm of the field, which the index has of "---" and of an empty text too.
   */
  readonly textExists: 'token' | 'text';
  /** What `f:*` asks for: a `value`, or a `term`, which fields of numbers and dates do not have. */
  readonly star: 'value' | 'term';
  /** Whether `_exists_:f` asks for a value of `f`; else it searches a field of that name. */
  readonly existsField: boolean;
  /** Whether `*` in the name of a field stands for any text. */
  readonly fieldPatterns: boolean;
  /** Whether `f:>1` is a range; else it is a word. */
  readonly comparisons: boolean;
  /** Which `*` opens a range: `any`, or only one without quotes and backslash. */
  readonly openBound: 'any' | 'unquoted';
  /** The edits that `~` allows without a number: two, or by the length of the term none, one or two. */
  readonly bareTilde: 'two' | 'auto';
  /** What a number below 1 after `~` is: the part of the term that stays as it is, or nothing that is accepted. */
  readonly tildeNumber: 'similarity' | 'edits';
  /** The number of terms that a fuzzy term stands for at most, the nearest ones of the index; undefined for all of them. */
  readonly maxExpansions: number | undefined;
  /** What a level of nothing but prohibited clauses is taken from: all logs, or none. */
  readonly pureNegative: 'all' | 'none';
  /** Whether a wildcard may begin with `*` or `?`. */
  readonly leadingWildcard: boolean;
}

/**
 * The deployment: what its documentation and the measured answers say. Its
 * syntax is that of Elasticsearch; as long as nobody measured otherwise, a
 * fuzzy term stands for all terms near enough.
 */
const deployment: Engine = {
  name: 'deployment',
  textExists: 'token',
  star: 'value',
  existsField: true,
  fieldPatterns: true,
  comparisons: true,
  openBound: 'any',
  bareTilde: 'two',
  tildeNumber: 'similarity',
  maxExpansions: undefined,
  pureNegative: 'all',
  leadingWildcard: true,
};

/** The profiles by their names. */
export const engines: { readonly [name in EngineName]: Engine } = {
  deployment,
  /** `query_string` of Elasticsearch with its default settings. */
  elasticsearch: {
    ...deployment,
    name: 'elasticsearch',
    textExists: 'text',
    bareTilde: 'auto',
    tildeNumber: 'edits',
    maxExpansions: 50,
  },
  /** The classic query parser of Lucene with its default settings. Fields keep the types of the schema. */
  lucene: {
    name: 'lucene',
    textExists: 'token',
    star: 'term',
    existsField: false,
    fieldPatterns: false,
    comparisons: false,
    openBound: 'unquoted',
    bareTilde: 'two',
    tildeNumber: 'similarity',
    maxExpansions: 50,
    pureNegative: 'none',
    leadingWildcard: false,
  },
};
