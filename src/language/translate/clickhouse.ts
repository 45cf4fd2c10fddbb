import { wholeEnds } from '../logic/number-line.ts';
import { documentedSchema, type Field } from '../meaning/fields.ts';
import type { BoolFilter, Filter, RangeFilter, TermFilter, TermRangeFilter } from '../meaning/filter.ts';
import { type NumberValue, numberText } from '../meaning/number-value.ts';
import { assertRunnable } from '../meaning/runnable.ts';
import { boundsCondition } from './bounds-condition.ts';
import { splitByTexts } from './clickhouse-packing.ts';
import { type ClickhouseParameter, type ParameterType, toParameter } from './clickhouse-parameter.ts';
import { phraseCondition, termPatternCondition } from './clickhouse-pattern.ts';
import type { TranslationLoss } from './translation-loss.ts';

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
 * // '(hasSubstr(`msg_tokens`, {p1:Array(String)}) AND `logCode` >= {p2:Int64})'
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
  const others = filters.filter((each) => !inLists.has(each));
  const conditions = [
    ...lists.map((each) => anyTerm(each, writer)),
    ...others.map((each) => condition(each, slack, writer)),
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
  for (const each of filters) {
    if (each.kind !== 'term' || each.term === '' || !hasColumn(each.field)) continue;
    const column = columnOf(each.field);
    const terms = ofFields.get(column);
    if (terms) terms.push(each);
    else ofFields.set(column, [each]);
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
    ...must.map((each) => condition(each, slack, writer)),
    ...(must.length === 0 && 0 < should.length ? [anyOf(should, slack, writer)] : []),
    // A row without the number does not match, so it matches the NOT.
    ...mustNot.map((each) => `NOT coalesce(${condition(each, opposite, writer)}, false)`),
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

type Pattern = Exclude<Leaf, { kind: 'term' | 'range' | 'termRange' | 'exists' }>;

function patternCondition(leaf: Pattern, slack: Slack, { bind, lose }: Writer): string {
  const isLimited = leaf.kind === 'fuzzy' && leaf.maxExpansions !== undefined && !leaf.expansion;
  if (isLimited && 0 < leaf.edits) {
    lose(leaf, `It is not limited to the ${leaf.maxExpansions} nearest terms of the cluster`);
    if (slack === 'less') return 'false';
  }
  const written =
    leaf.kind === 'phrase'
      ? phraseCondition(leaf, columnOf(leaf.field), bind)
      : termPatternCondition(leaf, columnOf(leaf.field), (value) => bind(value, 'String'));
  if (!written?.exact) {
    lose(leaf, `ClickHouse has no condition for this ${leaf.kind} on "${leaf.field.name}"`);
    if (slack === 'less') return 'false';
  }
  return written?.sql ?? isPresent(leaf.field);
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
    ? `arrayExists(token -> ${inside}, ${columnOf(field)})`
    : `(${isPresent(field)} AND ${inside})`;
}
