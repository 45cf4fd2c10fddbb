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

/** Most series, rows of categories and points of time that are drawn. */
const limits = { series: 4, categories: 40, times: 5000 } as const;

/** Reports if a type of DuckDB is a number. */
export function isNumericColumn(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL)/.test(type);
}

const isTime = (type: string) => /^(TIMESTAMP|DATE)/.test(type);

/**
 * Returns the chart of a result whose first column is a time or a category and of which another is a number;
 * undefined for any other result.
 */
export function chartData({ columns, rows }: ChartedResult): ChartData | undefined {
  const [first] = columns;
  if (!first || rows.length < 2 || isNumericColumn(first.type)) return undefined;
  const kind = isTime(first.type) ? 'time' : 'category';
  if ((kind === 'category' ? limits.categories : limits.times) < rows.length) return undefined;
  const numbers = columns.flatMap(({ type, name }, index) =>
    0 < index && isNumericColumn(type) ? [{ index, name }] : [],
  );
  const drawn = kind === 'time' ? sorted(rows) : rows;
  const series = numbers.slice(0, limits.series).map(({ index, name }) => ({
    ...{ name, values: drawn.map((row) => toNumber(row[index])) },
  }));
  const values = series.flatMap((each) => each.values).filter((each) => each !== undefined);
  if (values.length === 0 || drawn.length < 2) return undefined;
  const bound = (choose: (a: number, b: number) => number) => values.reduce((a, b) => choose(a, b), 0);
  return {
    ...{ kind, name: first.name, series, least: bound(Math.min), most: bound(Math.max) },
    points: drawn.map(([value]) => (kind === 'time' ? (toTime(value) ?? 0) : toText(value))),
  };
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
