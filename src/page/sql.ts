import type { Completion } from '../language/index.ts';

/** A column and the rows of a result, as the server gives them. */
export interface ChartedResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A line or the bars of one column of numbers. */
export interface ChartSeries {
  readonly name: string;
  /** One value for each point; undefined where there is none. */
  readonly values: readonly (number | undefined)[];
}

/** The data of a chart of a result. */
export interface ChartData {
  /** `time`: points by time, in order; `category`: one bar for each row. */
  readonly kind: 'time' | 'category';
  readonly name: string;
  /** Times in milliseconds since the epoch, or the texts of the categories. */
  readonly points: readonly (number | string)[];
  readonly series: readonly ChartSeries[];
  /** Smallest and largest value, with 0. */
  readonly least: number;
  readonly most: number;
}

/** Most columns and texts that are series, and most categories and points of time that are drawn. */
const limits = { series: 4, texts: 8, categories: 40, times: 5000 } as const;

/** Reports if a type of DuckDB is a number. */
export function isNumericColumn(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL)/.test(type);
}

const isTime = (type: string) => /^(TIMESTAMP|DATE)/.test(type);

/**
 * Returns the chart of a result whose first column is a time or a category and of which another is a number;
 * undefined for any other result. Where a time or category stands in several rows, the texts of another column
 * become series of their own; without such a column there is no chart, as a line would join what is apart.
 */
export function chartData({ columns, rows }: ChartedResult): ChartData | undefined {
  const [first] = columns;
  if (!first || rows.length < 2 || isNumericColumn(first.type)) return undefined;
  const kind = isTime(first.type) ? 'time' : 'category';
  const drawn = kind === 'time' ? sorted(rows) : rows;
  const keyOf = ([value]: ChartedResult['rows'][number]) =>
    kind === 'time' ? (toTime(value) ?? 0) : toText(value);
  const points = [...new Set(drawn.map(keyOf))];
  if (points.length < 2 || (kind === 'category' ? limits.categories : limits.times) < points.length)
    return undefined;
  const series =
    points.length === drawn.length
      ? seriesOfColumns(columns, drawn)
      : seriesOfTexts(columns, drawn, { points, keyOf });
  const values = series.flatMap((each) => each.values).filter((each) => each !== undefined);
  if (values.length === 0) return undefined;
  const bound = (choose: (a: number, b: number) => number) => values.reduce((a, b) => choose(a, b), 0);
  return { kind, name: first.name, series, least: bound(Math.min), most: bound(Math.max), points };
}

/** The columns of numbers behind the first one. */
function numbersOf(columns: ChartedResult['columns']) {
  return columns.flatMap(({ type, name }, index) =>
    0 < index && isNumericColumn(type) ? [{ index, name }] : [],
  );
}

function seriesOfColumns(
  columns: ChartedResult['columns'],
  rows: ChartedResult['rows'],
): readonly ChartSeries[] {
  return numbersOf(columns)
    .slice(0, limits.series)
    .map(({ index, name }) => ({ name, values: rows.map((row) => toNumber(row[index])) }));
}

/** The points of a chart, and the point of a row. */
interface ChartPoints {
  readonly points: readonly (number | string)[];
  readonly keyOf: (row: ChartedResult['rows'][number]) => number | string;
}

/** A series for each text of the only column of texts; none if its texts do not tell the rows of a point apart. */
function seriesOfTexts(
  columns: ChartedResult['columns'],
  rows: ChartedResult['rows'],
  { points, keyOf }: ChartPoints,
): readonly ChartSeries[] {
  const [number, ...others] = numbersOf(columns);
  const texts = columns.flatMap(({ type }, index) => (0 < index && !isNumericColumn(type) ? [index] : []));
  const [text] = texts;
  if (!number || text === undefined || 0 < others.length || 1 < texts.length) return [];
  const names = [...new Set(rows.map((row) => toText(row[text])))];
  const cells = new Map(rows.map((row) => [JSON.stringify([keyOf(row), toText(row[text])]), row]));
  if (cells.size < rows.length || limits.texts < names.length) return [];
  return names.map((name) => ({
    name,
    values: points.map((point) => toNumber(cells.get(JSON.stringify([point, name]))?.[number.index])),
  }));
}

/** Rows that have a time, in its order. */
function sorted(rows: ChartedResult['rows']): ChartedResult['rows'] {
  return rows
    .filter(([value]) => toTime(value) !== undefined)
    .toSorted(([a], [b]) => (toTime(a) ?? 0) - (toTime(b) ?? 0));
}

function toNumber(value: unknown): number | undefined {
  const number =
    typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Reads a time as DuckDB writes it: `2025-03-12 08:00:00.5`, with `+00` behind it, or a date. */
function toTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, day, clock = '00:00:00', zone = 'Z'] =
    /^(-?\d{4,6}-\d\d-\d\d)(?:[ T]([\d:.]+))?([+-]\d\d(?::\d\d)?|Z)?$/.exec(value) ?? [];
  if (day === undefined) return undefined;
  const time = Date.parse(`${day}T${clock.slice(0, 12)}${zone.length === 3 ? `${zone}:00` : zone}`);
  return Number.isNaN(time) ? undefined : time;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A column of a view of the case. */
interface ViewColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Names that a statement can use. */
export interface SqlNames {
  readonly columns: readonly ViewColumn[];
  readonly functions: readonly string[];
}

/** A candidate with the text behind it, which tells what it is. */
interface Candidate {
  readonly text: string;
  readonly detail: string;
}

/** Most suggestions in the list. */
const limit = 30;

const keywords = [
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'GROUP BY',
    'ORDER BY',
    'LIMIT',
    'HAVING',
    'JOIN',
    'LEFT JOIN',
    'ON',
    'AS',
    'AND',
  ],
  ...[
    'OR',
    'NOT',
    'IN',
    'LIKE',
    'ILIKE',
    'BETWEEN',
    'IS NULL',
    'IS NOT NULL',
    'DISTINCT',
    'DESC',
    'ASC',
    'CASE',
  ],
  ...[
    'WHEN',
    'THEN',
    'ELSE',
    'END',
    'WITH',
    'FILTER',
    'OVER',
    'PARTITION BY',
    'QUALIFY',
    'UNION ALL',
    'USING SAMPLE',
  ],
] as const;

/**
 * Suggests what can stand at the cursor of a statement: behind FROM and JOIN the views, behind a view or its alias and
 * a dot its columns, else columns, functions and keywords. Within texts and comments nothing is suggested.
 */
export function completeSql(text: string, cursor: number, names: SqlNames): Completion {
  const before = text.slice(0, cursor);
  const word = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(before)?.[0] ?? '';
  const from = cursor - word.length;
  const found = isPlain(before) ? candidates(text, before.slice(0, from), { ...names, word }) : [];
  const wanted = word.toLowerCase();
  const suggestions = found
    .filter(({ text: each }) => each.toLowerCase().startsWith(wanted) && each.toLowerCase() !== wanted)
    .slice(0, limit)
    .map(({ text: each, detail }) => ({ kind: 'field', insert: quoted(each), label: each, detail }) as const);
  return { from, to: cursor, suggestions };
}

/** False within a text, a quoted name or a comment. */
function isPlain(before: string): boolean {
  const rest = before.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*\n|\/\*[\s\S]*?\*\//g, ' ');
  return !/['"]|--|\/\*/.test(rest);
}

function candidates(
  text: string,
  before: string,
  { columns, functions, word }: SqlNames & { readonly word: string },
): readonly Candidate[] {
  const tables = [...new Set(columns.map(({ table }) => table))];
  const qualifier = /([\p{L}_][\p{L}\p{N}_]*)\.$/u.exec(before)?.[1];
  if (qualifier !== undefined) return columnsOf(tableNamed(qualifier, text, tables), columns);
  if (/\b(?:FROM|JOIN)\s+$/i.test(before)) return tables.map((each) => ({ text: each, detail: 'view' }));
  if (word === '') return [];
  const named = tables.filter((each) => new RegExp(`\\b(?:FROM|JOIN)\\s+${each}\\b`, 'i').test(text));
  const own = (named.length === 0 ? ['logs'] : named).flatMap((each) => columnsOf(each, columns));
  return [
    ...own,
    ...keywords.map((each) => ({ text: each, detail: '' })),
    ...tables.map((each) => ({ text: each, detail: 'view' })),
    ...functions.map((each) => ({ text: each, detail: 'function' })),
  ];
}

function columnsOf(wanted: string | undefined, columns: readonly ViewColumn[]): readonly Candidate[] {
  return columns
    .filter(({ table }) => table === wanted)
    .map(({ name, type, table }) => ({ text: name, detail: `${table}, ${type}` }));
}

/** The view of a name, or of an alias such as `l` in `FROM logs l`. */
function tableNamed(name: string, text: string, tables: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const direct = tables.find((each) => each.toLowerCase() === wanted);
  if (direct !== undefined) return direct;
  const aliases = text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)\s+(?:AS\s+)?(\w+)/gi);
  for (const [, table = '', alias = ''] of aliases)
    if (alias.toLowerCase() === wanted)
      return tables.find((each) => each.toLowerCase() === table.toLowerCase());
  return undefined;
}

/** Quotes a name that is not a plain word; keywords of two words stay. */
function quoted(name: string): string {
  return /^[A-Za-z_][\w ]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
