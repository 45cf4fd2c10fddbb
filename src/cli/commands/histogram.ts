import {
  type Bucket,
  histogram as countOverTime,
  expandFuzzy,
  type Histogram,
  type IntervalCoverage,
} from '../../analysis/index.ts';
import { type TimeZone, utcZone } from '../../records/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { explainFewResults, noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources } from '../input/open-sources.ts';
import type { OpeningCase } from '../input/opening-cases.ts';
import { coverageMarks } from '../output/coverage-text.ts';
import { requestedOf } from '../output/overview.ts';
import type { histogramSpec } from '../specs/case-specs.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { displayWidth, escapeUnsafe, padToWidth, shortenToWidth, toJson } from '../terminal/text.ts';
import { formatStart, timeHeading } from '../terminal/time-format.ts';

/** The number of values with a column of their own; the others share one. */
const shownValues = 6;

/** Draws the number of logs over time. */
export const histogramCommand = async (
  { options, arguments: values, terminal }: CommandCall<typeof histogramSpec>,
  opening: OpeningCase,
): Promise<ExitCode> => {
  const { every, by } = options;
  const logZone = logZoneOf(options);
  const filtered = { query: options.search, engine: options.engine, options, now: Date.now() };
  const queried = readFilteredQuery(filtered, terminal);
  if (!queried) return exitCodes.no;
  await using sources = await openSources(values.source, { logZone, clusters: 'read', opening }, terminal);
  await noteNewestLog(sources, filtered, terminal);
  const { filter } = await expandFuzzy(sources.logs, queried);
  const requested = await requestedOf(sources.logs);
  const counted = await tooManyIsUsage(() =>
    countOverTime(sources.logs, filter, {
      every,
      by,
      values: shownValues,
      zone: options.zone.name,
      ...(0 < requested.length && { requested }),
    }),
  );
  const lines = () => `${histogramLines(counted, terminal.stdout, options.zone).join('\n')}\n`;
  if (options.json) await terminal.print(`${toJson(counted, 2)}\n`);
  else if (0 < counted.buckets.length) await terminal.print(lines());
  if (options.json) return sources.outcome;
  for (const line of summaryOf(counted)) terminal.message(line);
  await explainFewResults(sources, { ...filtered, count: counted.total + counted.timeless }, terminal);
  return sources.outcome;
};

async function tooManyIsUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`--every is too short: ${error.message}`, { cause: error });
  }
}

function summaryOf({ total, timeless, buckets }: Histogram): readonly string[] {
  const rest = timeless === 0 ? '' : ` ${formatNumber(timeless)} more have no time.`;
  if (total === 0) return [`No log with a time matches.${rest}`];
  const seen = new Set(buckets.map(({ known }) => known));
  const legend = legends.flatMap(([known, text]) => (seen.has(known) ? [text] : []));
  return [
    `${formatCount(total, 'log')}.${rest}`,
    ...(legend.length === 0 ? [] : [`${legend.join('  ')}: see "logquarry coverage".`]),
  ];
}

/** Legend of the marks in bars. */
const legends: readonly (readonly [IntervalCoverage, string])[] = [
  ['capped', `${coverageMarks.capped} incomplete`],
  ['open', `${coverageMarks.open} not exported yet`],
  ['partly', `█${coverageMarks.never} partly requested`],
  ['never', `${coverageMarks.never.repeat(3)} never requested`],
];

/** Width of the longest bar without a terminal. */
const barWidth = 50;

/** Minimum useful width of the longest bar with its mark. */
const leastBar = 8;

/** Eighths of a character, for the exact length of bars. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * Draws the number of logs over time: a line for each interval with its beginning, count and bar.
 * Known gaps are marked in the bar; intervals never asked for are grey. Long runs without logs share a
 * line after the first.
 */
export function histogramLines(
  { buckets: all, every }: Histogram,
  { width, style }: OutputStyle,
  zone: TimeZone = utcZone,
): string[] {
  const shown = collapseEmptyRuns(all);
  const buckets = shown.map(({ bucket }) => bucket);
  const { heading, rows, widths, used } = fittingColumns({ buckets, every, zone }, width);
  // A bar may end with a mark.
  const marked = buckets.some(({ known }) => known !== undefined) ? 1 : 0;
  const room = (width === undefined ? barWidth : Math.max(leastBar, width - used)) - marked;
  const max = buckets.reduce((largest, { count }) => Math.max(largest, count), 0);
  const line = (row: readonly string[], bar: string) =>
    [...row.map((cell, index) => padToWidth(cell, widths[index] ?? 0, index === 0 ? 'left' : 'right')), bar]
      .join('  ')
      .trimEnd();
  return [
    style.bold(line(heading, '')),
    ...shown.flatMap(({ bucket, more }, index) => {
      const text = line(rows[index] ?? [], knownBar(bucket, barOf(bucket.count, max, room), room));
      return [
        bucket.known === 'never' ? style.dim(text) : text,
        ...(more === 0 ? [] : [style.dim(`⋮ ${formatNumber(more)} more like this`)]),
      ];
    }),
  ];
}

/** The columns in front of the bars. */
interface Columns {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly widths: readonly number[];
  /** Their total width. */
  readonly used: number;
}

/** A histogram, and the zone of its times. */
type Table = Pick<Histogram, 'buckets' | 'every'> & { readonly zone: TimeZone };

/** Counts shown beside the total: those of some values, and of all others together. */
interface ShownValues {
  readonly values: number;
  readonly hasOthers: boolean;
}

/** Columns that leave space for a bar, with as many values as possible; the rest joins the others. */
function fittingColumns(histogram: Table, width: number | undefined): Columns {
  const { buckets } = histogram;
  const values = buckets[0]?.values?.length ?? 0;
  const hasOthers = buckets.some(({ others = 0 }) => 0 < others);
  const whole = columnsOf(histogram, { values, hasOthers });
  const fits = ({ used }: Columns) => width === undefined || used + leastBar <= width;
  if (fits(whole) || values === 0) return whole;
  for (let fewer = values - 1; 0 < fewer; fewer -= 1) {
    const columns = columnsOf(histogram, { values: fewer, hasOthers: true });
    if (fits(columns)) return columns;
  }
  // The count of the others follows from the total.
  return columnsOf(histogram, { values: 1, hasOthers: false });
}

function columnsOf({ buckets, every, zone }: Table, { values, hasOthers }: ShownValues): Columns {
  const names = valueNames(buckets).slice(0, values);
  const heading = [timeHeading('time', zone), 'logs', ...names, ...(hasOthers ? ['others'] : [])];
  const rows = buckets.map((bucket) => {
    const counts = (bucket.values ?? []).slice(0, values).map(({ count }) => count);
    const others = bucket.count - counts.reduce((sum, count) => sum + count, 0);
    const shown = [bucket.count, ...counts, ...(hasOthers ? [others] : [])];
    return [formatStart(bucket.start, every, zone), ...shown.map(formatNumber)];
  });
  const widths = heading.map((name, index) =>
    rows.reduce((max, row) => Math.max(max, displayWidth(row[index] ?? '')), displayWidth(name)),
  );
  return { heading, rows, widths, used: widths.reduce((sum, width) => sum + width + 2, 0) };
}

function valueNames(buckets: readonly Bucket[]): readonly string[] {
  const values = buckets[0]?.values ?? [];
  return values.map(({ value }) =>
    shortenToWidth(value === undefined ? '(none)' : escapeUnsafe(String(value)), 20),
  );
}

/** A bar with the mark of a known gap. */
function knownBar({ known = 'complete' }: Bucket, bar: string, room: number): string {
  if (known === 'complete') return bar;
  if (known === 'partly') return `${bar}${coverageMarks.never}`;
  if (known === 'never')
    return bar === '' ? coverageMarks.never.repeat(room) : `${bar}${coverageMarks.never}`;
  return `${bar}${coverageMarks[known]}`;
}

/** A bar; visible for any count above 0. */
function barOf(count: number, max: number, room: number): string {
  if (count === 0) return '';
  const length = Math.max(1, Math.round((count / max) * room * 8));
  return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '');
}

/**
 * Maximum number of consecutive empty intervals with a line each; a histogram of the default length
 * shows all.
 */
const longestEmpty = 40;

/** A shown interval, and the number of equal ones hidden after it. */
interface Shown {
  readonly bucket: Bucket;
  readonly more: number;
}

/** Collapses long runs of empty intervals with equal coverage into their first. */
function collapseEmptyRuns(buckets: readonly Bucket[]): readonly Shown[] {
  const shown: Shown[] = [];
  for (let from = 0, to = 0; from < buckets.length; from = to) {
    const first = buckets[from];
    to = from + 1;
    while (first?.count === 0 && buckets[to]?.count === 0 && buckets[to]?.known === first.known) to++;
    const row = buckets.slice(from, to);
    if (row.length <= longestEmpty) shown.push(...row.map((bucket) => ({ bucket, more: 0 })));
    else if (first) shown.push({ bucket: first, more: row.length - 1 });
  }
  return shown;
}
