import type { Bucket, Histogram } from '../../analysis/index.ts';
import { printable } from '../terminal/printable.ts';
import { grouped } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { padded, shortened, widthOf } from '../terminal/width.ts';
import { coverageMarks } from './coverage-text.ts';
import { shownTime } from './log-table.ts';
import { withoutLongEmpty } from './long-empty.ts';

/** The width of the longest bar where there is no terminal. */
const barWidth = 50;

/** Shorter than this, with its mark, the longest bar would say nothing. */
const leastBar = 8;

/** Eighths of a character, so that short bars differ too. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * A picture of how many logs there are over time: a line for each stretch, with
 * its beginning, its count and a bar. What is known to be missing of a stretch
 * shows in its bar, and one that was never asked for is grey. Of a long row of
 * stretches without logs the first has a line, the others have one together.
 */
export function histogramLines({ buckets: all, every }: Histogram, { width, style }: Face): string[] {
  const shown = withoutLongEmpty(all);
  const buckets = shown.map(({ bucket }) => bucket);
  const { heading, rows, widths, used } = fittingColumns({ buckets, every }, width);
  // A bar may have one mark behind it.
  const marked = buckets.some(({ known }) => known !== undefined) ? 1 : 0;
  const room = (width === undefined ? barWidth : Math.max(leastBar, width - used)) - marked;
  const most = buckets.reduce((largest, { count }) => Math.max(largest, count), 0);
  const line = (row: readonly string[], bar: string) =>
    [...row.map((cell, index) => padded(cell, widths[index] ?? 0, index === 0 ? 'left' : 'right')), bar]
      .join('  ')
      .trimEnd();
  return [
    style.bold(line(heading, '')),
    ...shown.flatMap(({ bucket, more }, index) => {
      const text = line(rows[index] ?? [], knownBar(bucket, barOf(bucket.count, most, room), room));
      return [
        bucket.known === 'never' ? style.dim(text) : text,
        ...(more === 0 ? [] : [style.dim(`⋮ ${grouped(more)} more like this`)]),
      ];
    }),
  ];
}

/** The columns before the bars. */
interface Columns {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly widths: readonly number[];
  /** What they take together. */
  readonly used: number;
}

/** Which counts are shown of each stretch besides that of all: of so many values, and of the others together. */
interface ShownValues {
  readonly values: number;
  readonly hasOthers: boolean;
}

/** The columns that leave room for a bar: with as many values as there can be, and the rest with the others. */
function fittingColumns(histogram: Pick<Histogram, 'buckets' | 'every'>, width: number | undefined): Columns {
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
  // How many the others are can be seen from the one and all.
  return columnsOf(histogram, { values: 1, hasOthers: false });
}

function columnsOf(
  { buckets, every }: Pick<Histogram, 'buckets' | 'every'>,
  { values, hasOthers }: ShownValues,
): Columns {
  const names = valueNames(buckets).slice(0, values);
  const heading = ['time (UTC)', 'logs', ...names, ...(hasOthers ? ['others'] : [])];
  const rows = buckets.map((bucket) => {
    const counts = (bucket.values ?? []).slice(0, values).map(({ count }) => count);
    const others = bucket.count - counts.reduce((sum, count) => sum + count, 0);
    const shown = [bucket.count, ...counts, ...(hasOthers ? [others] : [])];
    return [timeOf(bucket, every), ...shown.map(grouped)];
  });
  const widths = heading.map((name, index) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), widthOf(name)),
  );
  return { heading, rows, widths, used: widths.reduce((sum, each) => sum + each + 2, 0) };
}

/** The beginning of a stretch, as exact as its length makes sense. */
function timeOf({ start }: Bucket, every: number): string {
  const text = shownTime(start);
  if (every % 86_400_000 === 0) return text.slice(0, -13);
  if (every % 60_000 === 0) return text.slice(0, -7);
  return every % 1_000 === 0 ? text.slice(0, -4) : text;
}

function valueNames(buckets: readonly Bucket[]): readonly string[] {
  const values = buckets[0]?.values ?? [];
  return values.map(({ value }) => shortened(value === undefined ? '(none)' : printable(String(value)), 20));
}

/** A bar with what is known to be missing of its stretch. */
function knownBar({ known = 'complete' }: Bucket, bar: string, room: number): string {
  if (known === 'complete') return bar;
  if (known === 'partly') return `${bar}${coverageMarks.never}`;
  if (known === 'never')
    return bar === '' ? coverageMarks.never.repeat(room) : `${bar}${coverageMarks.never}`;
  return `${bar}${coverageMarks[known]}`;
}

/** A bar; where there is a log, it is never without a trace. */
function barOf(count: number, most: number, room: number): string {
  if (count === 0) return '';
  const length = Math.max(1, Math.round((count / most) * room * 8));
  return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '');
}
