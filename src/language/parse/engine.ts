/**
 * Engine profiles: the points on which engines of the same syntax differ, as data. Everything else
 * is alike in them (sections 2 and 5 to 8 of the language specification).
 */

/** The names of the profiles. */
export const engineNames = ['deployment', 'elasticsearch', 'opensearch', 'lucene'] as const;

/** The name of a profile. */
export type EngineName = (typeof engineNames)[number];

/** The meaning of constructs that engines read differently. */
export interface Engine {
  readonly name: EngineName;
  /**
   * The minimum content of an existing text field: a `token`, or any `text`. Elasticsearch tests
   * the norm of the field, which the index also has for "---" and for an empty text.
   */
  readonly textExists: 'token' | 'text';
  /**
   * The meaning of `f:*`: the field has a `value`, or it has a `term`, which number and date
   * fields do not have.
   */
  readonly star: 'value' | 'term';
  /** True if `_exists_:f` tests for a value of `f`; otherwise it searches a field named `_exists_`. */
  readonly existsField: boolean;
  /** True if `*` in a field name stands for any text. */
  readonly fieldPatterns: boolean;
  /** True if `f:>1` is a range; otherwise it is a word. */
  readonly comparisons: boolean;
  /** The `*` that opens a range: `any`, or only one without quotes and backslash. */
  readonly openBound: 'any' | 'unquoted';
  /**
   * The edits that `~` allows without a number: `two`, or `auto` for none, one or two by the
   * length of the term.
   */
  readonly bareTilde: 'two' | 'auto';
  /**
   * The meaning of a number after `~`: below 1 the part of the term that stays unchanged (`similarity`), always 0, 1 or 2
   * edits (`edits`), or as many as its whole part says, at most two (`wholePart`).
   */
  readonly tildeNumber: 'similarity' | 'edits' | 'wholePart';
  /**
   * The maximum number of terms that a fuzzy term expands to, the nearest of the index; undefined
   * for no limit.
   */
  readonly maxExpansions: number | undefined;
  /** The logs from which a level of prohibited clauses alone subtracts: all, or none. */
  readonly pureNegative: 'all' | 'none';
  /** True if a wildcard may begin with `*` or `?`. */
  readonly leadingWildcard: boolean;
  /**
   * The factor of the scores of words and phrases, beside ranges and patterns, which score 1. Elasticsearch and
   * OpenSearch keep the numerator of BM25, k1 + 1 (`LegacyBM25Similarity`); Lucene left it out in version 8.
   */
  readonly termFactor: number;
}

/**
 * The deployment, by its documentation and its measured answers. Its syntax is that of
 * Elasticsearch. A limit on fuzzy terms has not been measured, so there is none.
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
  termFactor: 2.2,
};

const elasticsearch: Engine = {
  ...deployment,
  name: 'elasticsearch',
  textExists: 'text',
  bareTilde: 'auto',
  tildeNumber: 'edits',
  maxExpansions: 50,
};

/** The profiles by name. */
export const engines: { readonly [name in EngineName]: Engine } = {
  deployment,
  /** `query_string` of Elasticsearch 8 with its default settings. */
  elasticsearch,
  /** `query_string` of OpenSearch 1.3 with its default settings, by the answers of a server of version 1.3.20. */
  opensearch: { ...elasticsearch, name: 'opensearch', tildeNumber: 'wholePart' },
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
    termFactor: 1,
  },
};
