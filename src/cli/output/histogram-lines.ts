import type { Bucket, Histogram } from '../../analysis/index.ts';
import { printable } from '../terminal/printable.ts';
import { grouped } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { padded, shortened, widthOf } from '../terminal/width.ts';
import { coverageMarks } from './coverage-text.ts';
import { shownTime } from './log-table.ts';

/** The width of the longest bar where there is no terminal. */
const barWidth = 50;

/** Eighths of a character, so that short bars differ too. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * A picture of how many logs there are over time: a line for each stretch, with
 * its beginning, its count and a bar. What is known to be missing of a stretch
 * shows in its bar, and one that was never asked for is grey.
 */
export function histogramLines({ buckets, every }: Histogram, { width, style }: Face): string[] {
  const names = valueNames(buckets);
  const rows = buckets.map((bucket) => [
    timeOf(bucket, every),
    grouped(bucket.count),
    ...valueCells(bucket, names.length),
  ]);
  const heading = ['time (UTC)', 'logs', ...names];
  const widths = heading.map((name, index) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), widthOf(name)),
  );
  const used = widths.reduce((sum, each) => sum + each + 2, 0);
  // A bar may have one mark behind it.
  const marked = buckets.some(({ known }) => known !== undefined) ? 1 : 0;
  const room = (width === undefined ? barWidth : Math.max(10, width - used)) - marked;
  const most = buckets.reduce((largest, { count }) => Math.max(largest, count), 0);
  const line = (row: readonly string[], bar: string) =>
    [...row.map((cell, index) => padded(cell, widths[index] ?? 0, index === 0 ? 'left' : 'right')), bar]
      .join('  ')
      .trimEnd();
  return [
    style.bold(line(heading, '')),
    ...buckets.map((bucket, index) => {
      const text = line(rows[index] ?? [], knownBar(bucket, barOf(bucket.count, most, room), room));
      return bucket.known === 'never' ? style.dim(text) : text;
    }),
  ];
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
  const names = values.map(({ value }) =>
    shortened(value === undefined ? '(none)' : printable(String(value)), 20),
  );
  return buckets.some(({ others = 0 }) => 0 < others) ? [...names, 'others'] : names;
}

function valueCells({ values = [], others = 0 }: Bucket, columns: number): readonly string[] {
  return [...values.map(({ count }) => count), others].slice(0, columns).map(grouped);
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
