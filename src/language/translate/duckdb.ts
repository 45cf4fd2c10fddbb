import { networkTest } from '../automata/network.ts';
import { matchesSloppily } from '../automata/phrase.ts';
import type { LeafFilter } from '../logic/diagram.ts';
import { wholeEnds } from '../logic/theories.ts';
import {
  type BoolFilter,
  type FieldReferenceFilter,
  type Filter,
  type FilterBound,
  matchAllFilter,
  matchNoneFilter,
  type PhraseFilter,
  type RangeFilter,
  type TermFilter,
  type TermRangeFilter,
} from '../meaning/filter.ts';
import { assertRunnable, type TermPattern, termTest } from '../meaning/match.ts';
import { documentedSchema, type Field } from '../meaning/schema.ts';
import type { Scored } from '../meaning/scored.ts';
import { type NumberValue, numberText } from '../meaning/values.ts';
import {
  boundsCondition,
  type Ends,
  type PatternSql,
  type PatternTarget,
  patternSql,
  type TermText,
  tokenCodePoints,
  valueCodePoints,
} from './sql.ts';
import { boostLosses, optionalLosses, type TranslationLoss } from './translation-loss.ts';

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
    known: (filter) => known?.(filter, bind),
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
    case 'fieldReference':
      return referenceCondition(filter);
    case 'timePart':
      return `date_part('${filter.part}', ${duckdbColumn(filter)}) BETWEEN ${filter.lower} AND ${filter.upper}`;
    case 'network':
      return `column_test(${writer.bind(writer.test(networkTest(filter.network)))}::INTEGER, ${duckdbColumn(filter)})`;
    case 'disMax':
      return joinConditions(' OR ', filter.filters, writer);
    case 'bool':
      return boolCondition(filter, writer);
  }
}

/** A case has no empty texts, which would be a part of all others. */
function referenceCondition({ field, other, comparison }: FieldReferenceFilter): string {
  const columns = `${duckdbColumn({ field })}, ${duckdbColumn({ field: other })}`;
  if (comparison === 'equals') return columns.replace(', ', ' = ');
  const test = { contains: 'contains', startswith: 'starts_with', endswith: 'ends_with' }[comparison];
  return `${test}(${columns})`;
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
    ...must.map((filter) => duckdbCondition(filter, writer)),
    ...(must.length === 0 && 0 < should.length ? [joinConditions(' OR ', should, writer)] : []),
    // A row without the field does not match, so it matches the NOT.
    ...mustNot.map((filter) => `NOT coalesce(${duckdbCondition(filter, writer)}, false)`),
  ];
  return parts.length === 0 ? 'true' : `(${parts.join(' AND ')})`;
}

function joinConditions(operator: string, filters: readonly Filter[], writer: DuckdbWriter): string {
  return `(${filters.map((filter) => duckdbCondition(filter, writer)).join(operator)})`;
}

/**
 * Returns SQL of the words of a text column, joined and surrounded by single blanks; NULL if it has none. A case has
 * the function `words` while this program has it open.
 */
export function wordsSql(column: string): string {
  return `words(${column})`;
}

/** Returns the condition that a text column has a word; never NULL. Cutting is slow: a first letter or digit suffices. */
export function hasWordSql(column: string): string {
  const begins = `regexp_matches(${column}, '^[0-9A-Za-z]')`;
  return `(${column} IS NOT NULL AND (${begins} OR ${wordsSql(column)} IS NOT NULL))`;
}

/**
 * Returns the condition that the joined words of a text column contain `joined`, which consists of `pieces`. Words are
 * parts of the text in lower case, so that few texts must be cut.
 */
export function wordsContainSql(
  column: string,
  { pieces, joined }: { readonly pieces: readonly string[]; readonly joined: string },
  bind: (value: string) => string,
): string {
  const parts = [...new Set(pieces)].map((piece) => `contains(lower(${column}), ${bind(piece)})`);
  return `(${[...parts, `contains(${wordsSql(column)}, ${bind(joined)})`].join(' AND ')})`;
}

/** The column, and the function that binds a parameter. */
interface Column {
  readonly column: string;
  readonly bind: (value: string) => string;
}

/**
 * Returns the condition for a pattern or a phrase, which is NULL if the column is. Undefined if none is
 * useful, so that each row must be matched.
 *
 * `column` is SQL of the values of the field. `bind` stores a parameter and returns its placeholder; text of the user
 * occurs nowhere else.
 */
export function duckdbPattern(
  filter: TermPattern | PhraseFilter,
  column: string,
  bind: (value: string) => string,
): PatternSql | undefined {
  if (filter.kind === 'phrase') return phraseCondition(filter, { column, bind });
  return patternSql(filter, (filter.field.type === 'text' ? tokensIn : valueIn)({ column, bind }));
}

/** Tests of the words of a column, which has them between blanks. */
function tokensIn({ column, bind }: Column): PatternTarget {
  return {
    codePoints: tokenCodePoints,
    contains: ({ text, isStart, isEnd }) => {
      if (text.includes(' ')) return 'false';
      const joined = (isStart ? ' ' : '') + text + (isEnd ? ' ' : '');
      return wordsContainSql(column, { pieces: [text], joined }, bind);
    },
    matches: (expression) => `regexp_matches(${wordsSql(column)}, ${bind(` (?:${expression}) `)})`,
  };
}

/** Tests of the value of a column. */
function valueIn({ column, bind }: Column): PatternTarget {
  return {
    codePoints: valueCodePoints,
    contains: ({ text, ...ends }) => {
      if (ends.isStart && ends.isEnd) return `${column} = ${bind(text)}`;
      return `${testAt(ends)}(${column}, ${bind(text)})`;
    },
    matches: (expression) => `regexp_full_match(${column}, ${bind(expression)})`,
  };
}

function testAt({ isStart, isEnd }: Omit<TermText, 'text'>): string {
  return isStart ? 'starts_with' : isEnd ? 'ends_with' : 'contains';
}

function phraseCondition({ terms, slop }: PhraseFilter, { column, bind }: Column): PatternSql {
  const joined = ` ${terms.join(' ')} `;
  if (slop === 0) return { sql: wordsContainSql(column, { pieces: terms, joined }, bind), exact: true };
  const all = [...new Set(terms)].map((term) =>
    wordsContainSql(column, { pieces: [term], joined: ` ${term} ` }, bind),
  );
  return { sql: `(${all.join(' AND ')})`, exact: false };
}

/** A SELECT on a case that this program has open, and the parts of the query that it does not express. */
export interface DuckdbStatement {
  /** SQL with text and numbers as literals. */
  readonly sql: string;
  /** With losses it still selects every log of the filter, and perhaps others. */
  readonly losses: readonly TranslationLoss[];
}

/**
 * A statement that selects logs from the view `logs` of a case. SQL has no analyzer, so the statement calls the
 * function `words`, which `runSql` has. Throws `QueryTooComplex` if writing it would take too long.
 *
 * ```ts
 * toDuckdbStatement(resolveScored(parse('logCode:9003').query)).sql;
 * // 'SELECT * FROM logs WHERE "logCode" >= 9003 AND "logCode" <= 9003'
 * ```
 */
export function toDuckdbStatement(scored: Scored): DuckdbStatement {
  assertRunnable(scored.filter);
  const losses: TranslationLoss[] = [...boostLosses(scored), ...optionalLosses(scored.filter)];
  const sqlByFilter = new Map<Filter, string>();
  const context: Context = {
    lose: (filter, reason) => losses.push({ filter, reason }),
    write: (filter, sql) => {
      // A fresh object: the same filter may also occur behind a NOT.
      const own = { ...filter };
      sqlByFilter.set(own, sql);
      return own;
    },
  };
  const condition = duckdbCondition(approximated(scored.filter, 'more', context), {
    bind: literal,
    known: (filter) => sqlByFilter.get(filter),
    test: () => {
      throw new Error('A pattern that DuckDB cannot say was left in a statement');
    },
  });
  return { sql: `SELECT * FROM logs WHERE ${condition}`, losses };
}

interface Context {
  readonly lose: (filter: Filter, reason: string) => void;
  /** Returns a filter with its own SQL. */
  readonly write: (filter: Filter, sql: string) => Filter;
}

/** The permitted deviation of a part: it may select `more`, or, behind a NOT, `less`. */
type Slack = 'more' | 'less';

/** A filter that SQL can express. */
function approximated(filter: Filter, slack: Slack, context: Context): Filter {
  const approximatedPart = (part: Filter) => approximated(part, slack, context);
  switch (filter.kind) {
    case 'all':
    case 'none':
      return filter;
    case 'disMax':
      return { ...filter, filters: filter.filters.map(approximatedPart) };
    case 'bool': {
      const opposite = slack === 'more' ? 'less' : 'more';
      return {
        ...filter,
        must: filter.must.map(approximatedPart),
        should: 0 < filter.must.length ? [] : filter.should.map(approximatedPart),
        mustNot: filter.mustNot.map((part) => approximated(part, opposite, context)),
      };
    }
    default:
      return approximatedLeaf(filter, slack, context);
  }
}

function approximatedLeaf(leaf: LeafFilter, slack: Slack, context: Context): Filter {
  if (!hasColumn(leaf.field)) {
    context.lose(leaf, `A case has no column for "${leaf.field.name}" of the type ${leaf.field.type}`);
    return slack === 'more' ? matchAllFilter : matchNoneFilter;
  }
  if (leaf.kind === 'range') loseRelative(leaf, context);
  if (leaf.kind === 'network') {
    context.lose(leaf, 'DuckDB cannot read addresses of IPv6');
    return slack === 'more' ? { kind: 'exists', field: leaf.field } : matchNoneFilter;
  }
  if (leaf.kind === 'fuzzy' && leaf.maxExpansions !== undefined && !leaf.expansion && 0 < leaf.edits) {
    context.lose(leaf, `It is not limited to the ${leaf.maxExpansions} nearest terms of the case`);
    if (slack === 'less') return matchNoneFilter;
  }
  return isPattern(leaf) ? approximatedPattern(leaf, slack, context) : leaf;
}

type Pattern = Parameters<typeof duckdbPattern>[0];

function isPattern(leaf: LeafFilter): leaf is Pattern {
  return ['prefix', 'wildcard', 'regexp', 'fuzzy', 'phrase'].includes(leaf.kind);
}

function approximatedPattern(leaf: Pattern, slack: Slack, context: Context): Filter {
  const condition = duckdbPattern(leaf, duckdbColumn(leaf), literal);
  if (condition?.exact) return context.write(leaf, condition.sql);
  context.lose(leaf, `DuckDB has no condition for this ${leaf.kind} on "${leaf.field.name}"`);
  if (slack === 'less') return matchNoneFilter;
  return context.write(leaf, condition?.sql ?? existsCondition(leaf));
}

function loseRelative(range: RangeFilter, { lose }: Context): void {
  for (const bound of [range.lower, range.upper])
    if (bound?.relative !== undefined)
      lose(range, `"${bound.relative}" is fixed at ${numberText(range.field.type, bound.value)}`);
}

/** A case has columns for the documented fields; a text column can also serve as a keyword. */
function hasColumn({ name, type }: Field): boolean {
  const column = documentedSchema.fields.get(name)?.type;
  return column !== undefined && kinds[column] === kinds[type];
}

const kinds = { text: 'text', keyword: 'text', integer: 'number', decimal: 'number', date: 'date' } as const;

/** A value as SQL. */
function literal(value: SqlParameter): string {
  return typeof value === 'string' ? textLiteral(value) : numberLiteral(value);
}

/** A text literal without control characters, which neither a terminal nor the database accepts in SQL. */
function textLiteral(text: string): string {
  const pieces = text.toWellFormed().split(/([\p{C}\p{Zl}\p{Zp}])/u);
  const literals = pieces.flatMap((piece, index) => {
    if (index % 2 === 1) return [`chr(${piece.codePointAt(0)})`];
    return piece === '' && 1 < pieces.length ? [] : [`'${piece.replaceAll("'", "''")}'`];
  });
  return literals.length === 1 ? literals.join('') : `(${literals.join(' || ')})`;
}

/**
 * A number literal. With an exponent it is a DOUBLE; with a fraction alone it would be a DECIMAL.
 * The parentheses keep the minus with the least BIGINT, since a cast binds more closely than a
 * minus.
 */
function numberLiteral(value: NumberValue): string {
  if (typeof value === 'bigint') return `(${value})`;
  return Number.isSafeInteger(value) ? String(value) : value.toExponential();
}
