import { wholeEnds } from '../logic/theories.ts';
import type {
  BoolFilter,
  Filter,
  PhraseFilter,
  RangeFilter,
  TermFilter,
  TermRangeFilter,
} from '../meaning/filter.ts';
import { assertRunnable, type TermPattern } from '../meaning/match.ts';
import { documentedSchema, type Field } from '../meaning/schema.ts';
import type { Scored } from '../meaning/scored.ts';
import { type NumberValue, numberText } from '../meaning/values.ts';
import { boundsCondition, type PatternSql, type PatternTarget, patternSql, valueCodePoints } from './sql.ts';
import { boostLosses, optionalLosses, type TranslationLoss } from './translation-loss.ts';

/** A condition for ClickHouse, ready to stand behind WHERE. */
export interface ClickhouseCondition {
  /** SQL with placeholders such as `{p1:String}`. */
  readonly sql: string;
  /** The parameters `p1`, `p2`, … in order. */
  readonly parameters: readonly ClickhouseParameter[];
  /** The parts that SQL does not express. With losses it still selects every log of the filter, and perhaps others. */
  readonly losses: readonly TranslationLoss[];
}

/** The time of a log without one: the least 64-bit integer, which no date is. */
export const noTime = -(2n ** 63n);

/** The first date: of `Date` in JavaScript, as for the query language. */
const firstDate = -8.64e15;

/**
 * Returns the condition that selects a row of a cluster. Throws `QueryTooComplex` if finding the rows would take
 * too long.
 *
 * A row has a column for each field of a log. A text `F` is a String, empty if absent, and has a column
 * `F_tokens` with its tokens as Array(String). `time` is an Int64 in milliseconds, `noTime` if absent; the other
 * numbers are NULL if absent.
 *
 * ```ts
 * toClickhouse(resolve(parse('msg:"timed out" AND logCode:[9000 TO *]').query)).sql;
 * // '((hasAll(`msg_tokens`, {p1:Array(String)}) AND hasSubstr(`msg_tokens`, {p1:Array(String)})) AND `logCode` >= {p2:Int64})'
 * ```
 */
export function toClickhouse(filter: Filter): ClickhouseCondition {
  assertRunnable(filter);
  const parameters: ClickhouseParameter[] = [];
  const losses: TranslationLoss[] = [];
  const sql = condition(filter, 'more', {
    bind: (value, type) => {
      const name = `p${parameters.length + 1}`;
      parameters.push(toParameter(name, type, value));
      return `{${name}:${type}}`;
    },
    lose: (part, reason) => losses.push({ filter: part, reason }),
  });
  return { sql, parameters, losses };
}

/** Functions for the parts of a condition. */
interface Writer {
  /** Adds a parameter and returns its placeholder. */
  readonly bind: (value: NumberValue | string | readonly string[], type: ParameterType) => string;
  readonly lose: (filter: Filter, reason: string) => void;
}

/** The permitted deviation of a part: it may select `more`, or, behind a NOT, `less`. */
type Slack = 'more' | 'less';

function condition(filter: Filter, slack: Slack, writer: Writer): string {
  switch (filter.kind) {
    case 'all':
      return 'true';
    case 'none':
      return 'false';
    case 'disMax':
      return anyOf(filter.filters, slack, writer);
    case 'bool':
      return boolCondition(filter, slack, writer);
    default:
      return leafCondition(filter, slack, writer);
  }
}

function anyOf(parts: readonly Filter[], slack: Slack, writer: Writer): string {
  const filters = parts.flatMap(alternatives);
  const lists = termLists(filters);
  const inLists = new Set<Filter>(lists.flat());
  const others = filters.filter((filter) => !inLists.has(filter));
  const conditions = [
    ...lists.map((list) => anyTerm(list, writer)),
    ...others.map((filter) => condition(filter, slack, writer)),
  ];
  return `(${conditions.join(' OR ')})`;
}

/** The filters of which one must match, for a filter of such alone. */
function alternatives(filter: Filter): readonly Filter[] {
  if (filter.kind === 'disMax') return filter.filters.flatMap(alternatives);
  if (filter.kind !== 'bool' || 0 < filter.must.length + filter.mustNot.length || filter.should.length === 0)
    return [filter];
  return filter.should.flatMap(alternatives);
}

/** Lists of several terms of one field, each for one parameter. */
function termLists(filters: readonly Filter[]): readonly (readonly TermFilter[])[] {
  const ofFields = new Map<string, TermFilter[]>();
  for (const filter of filters) {
    if (filter.kind !== 'term' || filter.term === '' || !hasColumn(filter.field)) continue;
    const column = columnOf(filter.field);
    const terms = ofFields.get(column);
    if (terms) terms.push(filter);
    else ofFields.set(column, [filter]);
  }
  return [...ofFields.values()]
    .flatMap((terms) => splitByTexts(terms, ({ term }) => [term]))
    .filter(({ length }) => 1 < length);
}

/** One of the terms of a field occurs: a condition that the index answers. */
function anyTerm(terms: readonly TermFilter[], { bind }: Writer): string {
  const [first] = terms;
  if (!first) return 'false';
  const list = bind([...new Set(terms.map(({ term }) => term))], 'Array(String)');
  const column = columnOf(first.field);
  return first.field.type === 'text' ? `hasAny(${column}, ${list})` : `${column} IN ${list}`;
}

function boolCondition({ must, should, mustNot }: BoolFilter, slack: Slack, writer: Writer): string {
  const opposite = slack === 'more' ? 'less' : 'more';
  const parts = [
    ...must.map((filter) => condition(filter, slack, writer)),
    ...(must.length === 0 && 0 < should.length ? [anyOf(should, slack, writer)] : []),
    // A row without the number does not match, so it matches the NOT.
    ...mustNot.map((filter) => `NOT coalesce(${condition(filter, opposite, writer)}, false)`),
  ];
  return parts.length === 0 ? 'true' : `(${parts.join(' AND ')})`;
}

type Leaf = Exclude<Filter, { kind: 'all' | 'none' | 'disMax' | 'bool' }>;

function leafCondition(leaf: Leaf, slack: Slack, writer: Writer): string {
  if (!hasColumn(leaf.field)) {
    writer.lose(leaf, `A cluster has no column for "${leaf.field.name}" of the type ${leaf.field.type}`);
    return slack === 'more' ? 'true' : 'false';
  }
  switch (leaf.kind) {
    case 'term':
      return termCondition(leaf, writer);
    case 'range':
      return rangeCondition(leaf, writer);
    case 'termRange':
      return termRangeCondition(leaf, writer);
    case 'exists':
      return leaf.byNorms ? `${quotedName(leaf.field.name)} != ''` : isPresent(leaf.field);
    case 'fieldReference':
    case 'timePart':
    case 'network':
      writer.lose(leaf, `No query asks a cluster for this ${leaf.kind} on "${leaf.field.name}"`);
      return slack === 'more' ? 'true' : 'false';
    default:
      return patternCondition(leaf, slack, writer);
  }
}

/** A cluster has columns for the documented fields; a text column can also serve as a keyword. */
function hasColumn({ name, type }: Field): boolean {
  const column = documentedSchema.fields.get(name)?.type;
  return column !== undefined && kinds[column] === kinds[type];
}

const kinds = { text: 'text', keyword: 'text', integer: 'number', decimal: 'number', date: 'date' } as const;

/** The column with the terms of a field: the tokens of a text field, the value of any other. */
function columnOf({ name, type }: Field): string {
  return quotedName(type === 'text' ? `${name}_tokens` : name);
}

function quotedName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

function isPresent(field: Field): string {
  const column = columnOf(field);
  if (field.type === 'text') return `notEmpty(${column})`;
  if (field.type === 'keyword') return `${column} != ''`;
  return field.type === 'date' ? `${column} >= ${firstDate}` : `${column} IS NOT NULL`;
}

function termCondition({ field, term }: TermFilter, { bind }: Writer): string {
  if (field.type === 'text') return `has(${columnOf(field)}, ${bind(term, 'String')})`;
  return term === '' ? 'false' : `${columnOf(field)} = ${bind(term, 'String')}`;
}

type Pattern = TermPattern | PhraseFilter;

function patternCondition(leaf: Pattern, slack: Slack, { bind, lose }: Writer): string {
  const isLimited = leaf.kind === 'fuzzy' && leaf.maxExpansions !== undefined && !leaf.expansion;
  if (isLimited && 0 < leaf.edits) {
    lose(leaf, `It is not limited to the ${leaf.maxExpansions} nearest terms of the cluster`);
    if (slack === 'less') return 'false';
  }
  const translation =
    leaf.kind === 'phrase'
      ? phraseCondition(leaf, columnOf(leaf.field), bind)
      : termPatternCondition(leaf, columnOf(leaf.field), (value) => bind(value, 'String'));
  if (!translation?.exact) {
    lose(leaf, `ClickHouse has no condition for this ${leaf.kind} on "${leaf.field.name}"`);
    if (slack === 'less') return 'false';
  }
  return translation?.sql ?? isPresent(leaf.field);
}

function rangeCondition(filter: RangeFilter, writer: Writer): string {
  const { field, lower, upper } = filter;
  for (const bound of [lower, upper])
    if (bound?.relative !== undefined)
      writer.lose(filter, `"${bound.relative}" is fixed at ${numberText(field.type, bound.value)}`);
  if (field.type === 'text' || field.type === 'keyword') return 'false';
  if (!lower && !upper) return isPresent(field);
  return field.type === 'decimal' ? doubleRange(filter, writer) : wholeRange(filter, field.type, writer);
}

/** A range over Int64. An open start of a date excludes the rows without one, whose value is less. */
function wholeRange(filter: RangeFilter, type: 'integer' | 'date', { bind }: Writer): string {
  const ends = wholeEnds(filter, type);
  if (!ends) return 'false';
  const first = ends.first ?? (type === 'date' ? firstDate : undefined);
  const bounds = {
    ...(first !== undefined && { lower: { value: first, inclusive: true } }),
    ...(ends.last !== undefined && { upper: { value: ends.last, inclusive: true } }),
  };
  return (
    boundsCondition(columnOf(filter.field), bounds, (value) => bind(value, 'Int64')) ||
    isPresent(filter.field)
  );
}

/** A range over Float64. For the database -0 is 0, so a bound of -0 lies below 0. */
function doubleRange({ field, lower, upper }: RangeFilter, { bind }: Writer): string {
  const ends = {
    ...(lower && { lower: Object.is(lower.value, -0) ? { value: 0, inclusive: true } : lower }),
    ...(upper && { upper: Object.is(upper.value, -0) ? { value: 0, inclusive: false } : upper }),
  };
  return boundsCondition(columnOf(field), ends, (value) => bind(value, 'Float64'));
}

function termRangeCondition({ field, lower, upper }: TermRangeFilter, { bind }: Writer): string {
  const isText = field.type === 'text';
  const ends = { ...(lower && { lower }), ...(upper && { upper }) };
  const inside = boundsCondition(isText ? 'token' : columnOf(field), ends, (value) => bind(value, 'String'));
  if (!inside) return isPresent(field);
  return isText
    ? `${anyMember}token -> ${inside}, ${columnOf(field)})`
    : `(${isPresent(field)} AND ${inside})`;
}

/** The types of parameters. */
export type ParameterType = 'String' | 'Int64' | 'Float64' | 'Array(String)';

/** A parameter of a query. */
export interface ClickhouseParameter {
  readonly name: string;
  readonly type: ParameterType;
  /** A number as text: a double, or an integer of 64 bits. */
  readonly value: string | readonly string[];
}

/** Returns a parameter; half of a surrogate pair, which is no text to a database, is U+FFFD. */
export function toParameter(
  name: string,
  type: ParameterType,
  value: NumberValue | string | readonly string[],
): ClickhouseParameter {
  if (typeof value === 'object') return { name, type, value: value.map((text) => text.toWellFormed()) };
  return { name, type, value: typeof value === 'string' ? value.toWellFormed() : String(value) };
}

/**
 * Writes the value of a parameter as ClickHouse reads it: escaped as in a file of tab-separated values, an array
 * with quotes around its texts. It has no control characters, which neither a terminal nor an address takes.
 */
export function parameterText({ value }: ClickhouseParameter): string {
  if (typeof value === 'string') return escapeText(value);
  return `[${value.map((text) => `'${escapeText(text).replaceAll("'", "\\'")}'`).join(',')}]`;
}

/** Writes a text as a literal of SQL. */
export function textLiteral(text: string): string {
  return `'${escapeText(text).replaceAll("'", "\\'")}'`;
}

/** Escapes the backslash, and control characters and invisible ones by their bytes in UTF-8. */
function escapeText(text: string): string {
  return (
    text
      // A pattern: texts with thousands of backslashes are twice as fast with it.
      .replace(/\\/g, '\\\\')
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
        [...new TextEncoder().encode(character)]
          .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
          .join(''),
      )
  );
}

/** A condition with its parameters. */
export interface ParameterisedSql {
  readonly sql: string;
  readonly parameters: readonly ClickhouseParameter[];
}

/** Parameters that are sent as they are: a server takes 1,000 fields in a request, settings too. */
const mostParameters = 500;

/**
 * Packs parameters into fewer arrays of texts, if they are more than a server takes. The condition reads each value
 * from its array, which is a constant to the server.
 */
export function packParameters({ sql, parameters }: ParameterisedSql): ParameterisedSql {
  if (parameters.length <= mostParameters) return { sql, parameters };
  const texts = parameters.reduce((sum, parameter) => sum + textsOf(parameter).length, 0);
  // Of two neighbours one is more than half full.
  const arrays = splitByTexts(parameters, textsOf, Math.ceil((2 * texts) / mostParameters));
  const replacements = new Map(
    arrays.flatMap((array, index) => placesIn(array, `{a${index}:Array(String)}`)),
  );
  return {
    // The SQL has no text of the query: every brace belongs to a parameter.
    sql: sql.replaceAll(/\{(\w+):[^}]+\}/g, (all, name: string) => replacements.get(name) ?? all),
    parameters: arrays.map((array, index) =>
      toParameter(`a${index}`, 'Array(String)', array.flatMap(textsOf)),
    ),
  };
}

/** UTF-16 units of the texts of one parameter: a server takes 128 KB of UTF-8 for each. */
const mostUnits = 30_000;

/** Splits items, so that the texts of each part fit one parameter. */
export function splitByTexts<Item>(
  items: readonly Item[],
  texts: (item: Item) => readonly string[],
  mostTexts = Number.POSITIVE_INFINITY,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let [count, units] = [0, 0];
  for (const item of items) {
    const added = texts(item);
    const length = added.reduce((sum, text) => sum + text.length + 1, 0);
    if (parts.length === 0 || mostTexts < count + added.length || mostUnits < units + length) {
      parts.push([]);
      [count, units] = [0, 0];
    }
    parts.at(-1)?.push(item);
    count += added.length;
    units += length;
  }
  return parts;
}

function textsOf({ value }: ClickhouseParameter): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

/** SQL of each of the parameters in an array with the texts of all. */
function placesIn(parameters: readonly ClickhouseParameter[], array: string): readonly [string, string][] {
  let next = 1;
  return parameters.map((parameter) => {
    const [at, { length }] = [next, textsOf(parameter)];
    next += length;
    return [
      parameter.name,
      parameter.type === 'Array(String)'
        ? `arraySlice(${array}, ${at}, ${length})`
        : casts[parameter.type](`${array}[${at}]`),
    ];
  });
}

/** SQL of a value of a type from its text. */
const casts = {
  String: (text: string) => text,
  Int64: (text: string) => `toInt64(${text})`,
  Float64: (text: string) => `toFloat64(${text})`,
};

/**
 * Returns the condition for a pattern; undefined if none is useful, so that each row must be matched.
 *
 * `column` is SQL: for a text field the array of its tokens, for any other its value, empty if absent. `bind`
 * stores a parameter and returns its placeholder.
 */
export function termPatternCondition(
  filter: TermPattern,
  column: string,
  bind: (value: string) => string,
): PatternSql | undefined {
  if (filter.field.type !== 'text') {
    const onValue = patternSql(filter, testsOf(column, bind));
    return onValue && { ...onValue, sql: `(${column} != '' AND ${onValue.sql})` };
  }
  if (filter.kind === 'fuzzy' && filter.expansion) return anyToken(filter.expansion, column, bind);
  const onToken = patternSql(filter, testsOf('token', bind));
  return onToken && { ...onToken, sql: `${anyMember}token -> ${onToken.sql}, ${column})` };
}

/** One of the tokens occurs: a condition that the index answers. */
function anyToken(tokens: readonly string[], column: string, bind: (value: string) => string): PatternSql {
  const any = tokens.map((token) => `has(${column}, ${bind(token)})`);
  return { sql: any.length === 0 ? 'false' : `(${any.join(' OR ')})`, exact: true };
}

/** Tests of a text. */
function testsOf(subject: string, bind: (value: string) => string): PatternTarget {
  return {
    codePoints: valueCodePoints,
    contains: ({ text, isStart, isEnd }) => {
      if (isStart && isEnd) return `${subject} = ${bind(text)}`;
      if (isStart) return `startsWith(${subject}, ${bind(text)})`;
      return isEnd ? `endsWith(${subject}, ${bind(text)})` : `position(${subject}, ${bind(text)}) > 0`;
    },
    matches: (expression) => `match(${subject}, ${bind(`\\A(?:${expression})\\z`)})`,
  };
}

/** Begins a test of each member of an array. */
const anyMember = 'arrayExists(';

/**
 * Returns the settings that a statement with a lambda needs; none for others. Without them a test of a member can count as
 * true beneath a NOT, where a view reads a Distributed table: the server sends its shards the rest of the condition (seen
 * in ClickHouse 26.7, also with a test of one member alone). With them the shards send all rows that the view reads.
 */
export function lambdaSettings(sql: string): Readonly<Record<string, number>> {
  return sql.includes('->') ? { allow_push_predicate_ast_for_distributed_subqueries: 0 } : {};
}

/**
 * Returns the condition for a phrase in an array of tokens. Exact but for a slop on a phrase that has a term
 * twice: whether its occurrences suffice depends on the order in which the engine moves them.
 */
export function phraseCondition(
  { terms, slop }: PhraseFilter,
  column: string,
  bind: (value: string | readonly string[], type: 'String' | 'Array(String)') => string,
): PatternSql {
  if (slop === 0) {
    const list = bind(terms, 'Array(String)');
    // The index of words answers the first half alone.
    return { sql: `(hasAll(${column}, ${list}) AND hasSubstr(${column}, ${list}))`, exact: true };
  }
  const all = [...new Set(terms)].map((term) => `has(${column}, ${bind(term, 'String')})`).join(' AND ');
  if (new Set(terms).size < terms.length) return { sql: `(${all})`, exact: false };
  const isTerm = terms.map((term) => `token = ${bind(term, 'String')}`);
  const starts = isTerm.map(
    (test, offset) =>
      `arrayMap(place -> toInt64(place) - ${offset}, arrayFilter((place, token) -> ${test}, arrayEnumerate(${column}), ${column}))`,
  );
  const isNear = isTerm.map(
    (test, offset) =>
      `${anyMember}(place, token) -> ${test} AND toInt64(place) - ${offset} BETWEEN start AND start + ${slop}, arrayEnumerate(${column}), ${column})`,
  );
  // The term that implies the first start is one of those that lie within the slop behind it.
  const sql = `(${all} AND ${anyMember}start -> ${isNear.join(' AND ')}, arrayConcat(${starts.join(', ')})))`;
  return { sql, exact: true };
}

/** Statements that run in `clickhouse-client` as they are, and the parts of the query that they do not express. */
export interface ClickhouseStatement {
  /** One `SET` for each parameter and setting, and the SELECT. */
  readonly text: string;
  readonly sql: string;
  readonly parameters: readonly ClickhouseParameter[];
  /** With losses it still selects every log of the filter, and perhaps others. */
  readonly losses: readonly TranslationLoss[];
}

/**
 * A statement that selects logs from the view `searchable_logs` of a cluster. SQL has no analyzer, so the
 * statement searches the tokens stored there, which it does not return.
 *
 * ```ts
 * toClickhouseStatement(resolveScored(parse('msg:timeout').query)).text;
 * // "SET param_p1 = 'timeout';\nSELECT * EXCEPT '_tokens$' FROM searchable_logs WHERE has(`msg_tokens`, {p1:String});"
 * ```
 */
export function toClickhouseStatement(scored: Scored): ClickhouseStatement {
  const { sql: condition, parameters, losses } = toClickhouse(scored.filter);
  const sql = `SELECT * EXCEPT '_tokens$' FROM searchable_logs WHERE ${condition}`;
  const sets = [
    ...parameters.map(
      (parameter) => `SET param_${parameter.name} = ${textLiteral(parameterText(parameter))};\n`,
    ),
    ...Object.entries(lambdaSettings(condition)).map(([name, value]) => `SET ${name} = ${value};\n`),
  ];
  return {
    text: `${sets.join('')}${sql};`,
    sql,
    parameters,
    losses: [...boostLosses(scored), ...optionalLosses(scored.filter), ...losses],
  };
}

/** First words of the statements that only read. */
const readers: ReadonlySet<string> = new Set([
  'SELECT',
  'WITH',
  'FROM',
  'EXPLAIN',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXISTS',
]);

/**
 * Functions that the server runs for everyone who may read: they read files, ask models, run a text as SQL, or read a
 * table beside the filter of its deployment.
 */
const outside =
  /^(?:file|eval|catboostevaluate|ai(?:classify|embed|extract|generate|translate)|mergetree\w+)$/i;

/**
 * Returns why SQL of a user reaches beyond logs by what ClickHouse permits to a read-only query: settings of a subquery,
 * which replace all limits, other statements, and some functions. Returns undefined if it does not.
 */
export function problemOfReading(sql: string): string | undefined {
  const tokens = [...clickhouseTokens(sql)];
  const first = tokens.find(({ text }) => text !== '(');
  if (first && !(first.kind === 'word' && readers.has(first.text.toUpperCase())))
    return `SQL on a cluster begins with SELECT or WITH, not with "${first.text}"`;
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (isSettings(token, before, after))
      return 'SQL on a cluster has no SETTINGS; a column of this name belongs in quotation marks';
    if (token.kind !== 'sign' && after?.text === '(' && after.kind === 'sign' && outside.test(token.text))
      return `The function "${token.text}" reaches beyond the logs of the cluster`;
  }
  return undefined;
}

/** Reports if a token begins a clause of settings, which a name follows. */
function isSettings(
  token: ClickhouseToken,
  before: ClickhouseToken | undefined,
  after: ClickhouseToken | undefined,
): boolean {
  if (token.kind !== 'word' || token.text.toUpperCase() !== 'SETTINGS') return false;
  if (before?.text === '.' || before?.text.toUpperCase() === 'AS') return false;
  return after !== undefined && after.kind !== 'sign';
}

/** A token of SQL. A comment is none. */
export interface ClickhouseToken {
  /** A quoted name is unescaped; a literal has no text; a sign is any other character. */
  readonly kind: 'word' | 'name' | 'literal' | 'sign';
  readonly text: string;
}

const comment = String.raw`--[^\n]*|#[! ][^\n]*|\/\*.*?\*\/`;

/** The server also reads typographic quotation marks. */
const literal = String.raw`'(?:[^'\\]|\\.|'')*'|‘[^’]*’|\$(?<tag>\w*)\$.*?\$\k<tag>\$`;

const name = '"(?:[^"\\\\]|\\\\.|"")*"|`(?:[^`\\\\]|\\\\.|``)*`|“[^”]*”';

/** Text that is no code whatever it holds: literals, quoted names, comments. */
export const skipped = new RegExp(`${literal}|${name}|${comment}`, 'suy');

/** A word, such as a keyword, a name or a number. */
export const sqlWord = /[\p{L}\p{N}_$]+/uy;

const token = new RegExp(
  `(?<literal>${literal})|${comment}|(?<name>${name})|(?<word>${sqlWord.source})|(?<sign>\\S)`,
  'gsu',
);

/** Reads the tokens of SQL of ClickHouse, in their order. */
export function* clickhouseTokens(sql: string): Generator<ClickhouseToken, void, undefined> {
  for (const { groups } of sql.matchAll(token)) {
    if (groups?.name !== undefined) yield { kind: 'name', text: unescaped(groups.name.slice(1, -1)) };
    else if (groups?.word !== undefined) yield { kind: 'word', text: groups.word };
    else if (groups?.literal !== undefined) yield { kind: 'literal', text: '' };
    else if (groups?.sign !== undefined) yield { kind: 'sign', text: groups.sign };
  }
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  r: '\r',
  n: '\n',
  t: '\t',
  '0': '\0',
  a: '\x07',
  v: '\v',
};

/** Reads the content of a literal or a quoted name of ClickHouse. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\x([0-9a-fA-F]{2})|\\(.)|''/gs, (all, hex?: string, escaped?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (escaped === undefined) return all === "''" ? "'" : all;
    // The backslash stays before a character that needs none, as before a wildcard.
    return escapes[escaped] ?? (/['"`\\/=]/.test(escaped) ? escaped : all);
  });
}
