import { matchesSloppily } from '../automata/sloppy-phrase.ts';
import { wholeEnds } from '../logic/number-line.ts';
import type {
  BoolFilter,
  Filter,
  FilterBound,
  PhraseFilter,
  RangeFilter,
  TermFilter,
  TermRangeFilter,
} from '../meaning/filter.ts';
import type { NumberValue } from '../meaning/number-value.ts';
import { assertRunnable } from '../meaning/runnable.ts';
import { type TermPattern, termTest } from '../meaning/term-test.ts';
import { boundsCondition, type Ends } from './bounds-condition.ts';
import { duckdbPattern } from './duckdb-pattern.ts';
import { hasWordSql, wordsContainSql, wordsSql } from './duckdb-words.ts';

/** A value for a placeholder. Text of the user reaches the database in no other way. */
export type SqlParameter = string | NumberValue;

/** Tests a value of a column, which is never NULL. */
export type ColumnTest = (value: string) => boolean;

/** A condition for DuckDB, ready to stand behind WHERE. */
export interface DuckdbCondition<P = never> {
  /** SQL with placeholders `$1`, `$2`, … in the order of `parameters`. */
  readonly sql: string;
  readonly parameters: readonly (SqlParameter | P)[];
  /**
   * Conditions that DuckDB cannot express. For each, the SQL calls the function
   * `column_test(number, value)`, which must return the result of the test with that number.
   */
  readonly tests: ReadonlyMap<number, ColumnTest>;
}

/** The options of a condition. */
export interface DuckdbOptions<P = never> {
  /** The number of the first test; 0 unless given. Conditions that run concurrently need distinct numbers. */
  readonly firstTest?: number;
  /**
   * Returns other SQL for a filter, or one inside it, whose rows are known already; the SQL is
   * never NULL, and `bind` adds its parameters.
   */
  readonly known?: (filter: Filter, bind: (value: P) => string) => string | undefined;
}

/**
 * Returns the condition that selects a row of the case file. Throws `QueryTooComplex` if finding
 * the rows would take too long.
 *
 * A row has the values of a log by field name, with `time` as a TIMESTAMP in UTC. The SQL calls the function
 * `words(text)`: the words of a text joined and surrounded by single blanks, NULL if there are none.
 *
 * ```ts
 * toDuckdb(resolve(parse('msg:timeout').query));
 * // { sql: '(contains(lower("msg"), $1) AND contains(words("msg"), $2))', parameters: ['timeout', ' timeout '], tests: Map {} }
 * ```
 */
export function toDuckdb<P = never>(
  filter: Filter,
  { firstTest = 0, known }: DuckdbOptions<P> = {},
): DuckdbCondition<P> {
  assertRunnable(filter);
  const parameters: (SqlParameter | P)[] = [];
  const tests = new Map<number, ColumnTest>();
  const bind = (value: SqlParameter | P) => `$${parameters.push(value)}`;
  const sql = duckdbCondition(filter, {
    bind,
    known: (each) => known?.(each, bind),
    test: (test) => {
      const number = firstTest + tests.size;
      tests.set(number, test);
      return number;
    },
  });
  return { sql, parameters, tests };
}

/** Functions for the parts of a condition. */
export interface DuckdbWriter {
  /** Returns the SQL of a value: a placeholder, or a literal. */
  readonly bind: (value: SqlParameter) => string;
  /** Adds a test and returns its number. */
  readonly test: (test: ColumnTest) => number;
  /** Returns the SQL of a filter whose rows are known. */
  readonly known: (filter: Filter) => string | undefined;
}

/** Returns the condition of a filter, with the functions of a writer. */
export function duckdbCondition(filter: Filter, writer: DuckdbWriter): string {
  return writer.known(filter) ?? writeCondition(filter, writer);
}

function writeCondition(filter: Filter, writer: DuckdbWriter): string {
  switch (filter.kind) {
    case 'all':
      return 'true';
    case 'none':
      return 'false';
    case 'term':
      return termCondition(filter, writer);
    case 'phrase':
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return patternCondition(filter, writer);
    case 'range':
      return rangeCondition(filter, writer);
    case 'termRange':
      return termRangeCondition(filter, writer);
    case 'exists':
      return filter.byNorms ? `${quotedName(filter.field.name)} IS NOT NULL` : existsCondition(filter);
    case 'disMax':
      return joinConditions(' OR ', filter.filters, writer);
    case 'bool':
      return boolCondition(filter, writer);
  }
}

/** Returns the column of a field, as its terms are compared. */
export function duckdbColumn({ field }: Pick<TermFilter, 'field'>): string {
  const column = quotedName(field.name);
  return field.normalizer === 'lowercase' ? `lower(${column})` : column;
}

/** Returns the condition that a field has a term; NULL only if the column is. */
export function existsCondition(filter: Pick<TermFilter, 'field'>): string {
  const column = duckdbColumn(filter);
  return filter.field.type === 'text' ? hasWordSql(column) : `${column} IS NOT NULL`;
}

/** SQL of the terms of a field: the joined words of a text, the value of any other. */
function termsSql(filter: Pick<TermFilter, 'field'>): string {
  const column = duckdbColumn(filter);
  return filter.field.type === 'text' ? wordsSql(column) : column;
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the condition of a term; NULL only if its column is. */
export function termCondition(filter: TermFilter, { bind }: Pick<DuckdbWriter, 'bind'>): string {
  const [column, { term }] = [duckdbColumn(filter), filter];
  if (filter.field.type !== 'text') return `${column} = ${bind(term)}`;
  return wordsContainSql(column, { pieces: [term], joined: ` ${term} ` }, bind);
}

/**
 * A pattern: by DuckDB alone if it can express it, otherwise by a test behind the narrowest
 * condition it can express.
 */
function patternCondition(filter: TermPattern | PhraseFilter, { bind, test }: DuckdbWriter): string {
  const condition = duckdbPattern(filter, duckdbColumn(filter), bind);
  if (condition?.exact) return condition.sql;
  const tested = `column_test(${bind(test(columnTest(filter)))}::INTEGER, ${termsSql(filter)})`;
  return condition ? `(${condition.sql} AND ${tested})` : tested;
}

function columnTest(filter: TermPattern | PhraseFilter): ColumnTest {
  const termsOf = (value: string) => (filter.field.type === 'text' ? value.trim().split(' ') : [value]);
  if (filter.kind === 'phrase') {
    return (value) => matchesSloppily(filter.terms, filter.slop, termsOf(value));
  }
  const isAskedFor = termTest(filter);
  return (value) => termsOf(value).some(isAskedFor);
}

function rangeCondition(filter: RangeFilter, writer: DuckdbWriter): string {
  const { type } = filter.field;
  if (type === 'text' || type === 'keyword') return 'false';
  if (!filter.lower && !filter.upper) return `${duckdbColumn(filter)} IS NOT NULL`;
  return type === 'decimal'
    ? doubleRangeCondition(filter, writer)
    : wholeRangeCondition(filter, type, writer);
}

/** A range over BIGINT or TIMESTAMP. With whole ends of 64 bits the database does not compare doubles. */
function wholeRangeCondition(filter: RangeFilter, type: 'integer' | 'date', { bind }: DuckdbWriter): string {
  const ends = wholeEnds(filter, type);
  if (!ends) return 'false';
  const placeholder = (value: NumberValue) => {
    if (type === 'date') return `epoch_ms(${bind(value)}::BIGINT)`;
    return typeof value === 'bigint' ? `${bind(value)}::BIGINT` : bind(value);
  };
  const { first, last } = ends;
  return (
    boundsCondition(duckdbColumn(filter), toBounds(first, last), placeholder) ||
    `${duckdbColumn(filter)} IS NOT NULL`
  );
}

function toBounds(first: NumberValue | undefined, last: NumberValue | undefined): Ends<NumberValue> {
  return {
    ...(first !== undefined && { lower: { value: first, inclusive: true } }),
    ...(last !== undefined && { upper: { value: last, inclusive: true } }),
  };
}

/** A range over DOUBLE. For the database -0 is 0, so a bound of -0 lies below 0. */
function doubleRangeCondition(filter: RangeFilter, { bind }: DuckdbWriter): string {
  const { lower, upper } = filter;
  const ends = {
    ...(lower && { lower: isNegativeZero(lower) ? { value: 0, inclusive: true } : lower }),
    ...(upper && { upper: isNegativeZero(upper) ? { value: 0, inclusive: false } : upper }),
  };
  // The driver binds a whole number as an integer, which the largest doubles exceed.
  const placeholder = (value: NumberValue) =>
    typeof value === 'number' && Math.abs(value) < 2 ** 63 ? bind(value) : `${bind(String(value))}::DOUBLE`;
  return boundsCondition(duckdbColumn(filter), ends, placeholder);
}

function isNegativeZero({ value }: FilterBound<NumberValue>): boolean {
  return Object.is(value, -0);
}

function termRangeCondition(filter: TermRangeFilter, { bind }: DuckdbWriter): string {
  if (filter.field.type !== 'text')
    return boundsCondition(duckdbColumn(filter), filter, bind) || existsCondition(filter);
  const inside = boundsCondition('token', filter, bind);
  if (!inside) return existsCondition(filter);
  // The blanks around the tokens leave an empty piece at each end.
  return `len(list_filter(string_split(${termsSql(filter)}, ' '), lambda token: token <> '' AND ${inside})) > 0`;
}

function boolCondition({ must, should, mustNot }: BoolFilter, writer: DuckdbWriter): string {
  const parts = [
    ...must.map((each) => duckdbCondition(each, writer)),
    ...(must.length === 0 && 0 < should.length ? [joinConditions(' OR ', should, writer)] : []),
    // A row without the field does not match, so it matches the NOT.
    ...mustNot.map((each) => `NOT coalesce(${duckdbCondition(each, writer)}, false)`),
  ];
  return parts.length === 0 ? 'true' : `(${parts.join(' AND ')})`;
}

function joinConditions(operator: string, filters: readonly Filter[], writer: DuckdbWriter): string {
  return `(${filters.map((each) => duckdbCondition(each, writer)).join(operator)})`;
}
