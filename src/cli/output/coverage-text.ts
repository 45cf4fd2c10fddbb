import { describeRequests } from '../../case/index.ts';
import { type Coverage, type CoverageState, type CoveredInterval, openStart } from '../../export/index.ts';
import { type TimeZone, utcZone } from '../../records/index.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { escapeUnsafe, wrapToWidth } from '../terminal/text.ts';
import { formatTime, zoneNote } from '../terminal/time-format.ts';

/** Character of each state. */
export const coverageMarks: { readonly [S in CoverageState | 'never']: string } = {
  complete: '█',
  capped: '▒',
  open: '░',
  never: '·',
};

/** Maximum width of the bar. */
const widest = 72;

/** Maximum number of intervals listed for each set of filters. */
const listed = 40;

/** Formats the coverage of a case as bars of time. Times are milliseconds since the epoch. */
export function coverageText(
  all: readonly Coverage[],
  { width = 80, style }: OutputStyle,
  zone: TimeZone = utcZone,
): string {
  if (all.length === 0) return '';
  const { complete, capped, open, never } = coverageMarks;
  const legend = `${complete} complete  ${capped} capped  ${open} not exported yet  ${never} never requested`;
  const bar = Math.max(10, Math.min(widest, width - 2));
  const blocks = all.map((coverage) => [
    ...headOf(coverage, style.bold),
    ...picture(coverage.covered, { bar, width, zone }),
    ...listOf(coverage.covered, { width, zone }),
    ...doubtsOf(coverage, width),
  ]);
  return [...blocks.flatMap((block) => [...block, '']), ...wrapToWidth(legend, width), ''].join('\n');
}

function headOf({ deployment, filters, exports }: Coverage, bold: (text: string) => string): string[] {
  const parts = Object.entries(filters).map(([name, value]) => `  ${name}: ${escapeUnsafe(value)}`);
  const which = `${exports.length === 1 ? 'export' : 'exports'} ${[...exports].reverse().join(', ')}`;
  const only = describeRequests([filters]);
  const said = only === undefined ? [] : [`  ${escapeUnsafe(only)}: complete is said of that`];
  return [bold(`${escapeUnsafe(deployment)} (${which})`), ...parts, ...said];
}

/** The doubts about the newest export that has some, and the number of the others. */
function doubtsOf({ doubts }: Coverage, width: number): string[] {
  const [newest] = doubts;
  if (!newest) return [];
  const own = doubts.filter((doubt) => doubt.export === newest.export);
  const others = new Set(doubts.map((doubt) => doubt.export)).size - 1;
  const lines = own.map(({ message }) => `Not proved of export ${newest.export}: ${escapeUnsafe(message)}.`);
  if (0 < others) lines.push(`Nor is all proved of ${formatCount(others, 'earlier export')}: --json has it.`);
  return lines.flatMap((line) => wrapToWidth(line, width - 2).map((part) => `  ${part}`));
}

function picture(
  covered: readonly CoveredInterval[],
  { bar, ...layout }: SpanLayout & { readonly bar: number },
): string[] {
  const span = shownSpan(covered);
  if (!span) return [];
  const { newest } = span;
  const oldest = drawnFrom(covered, newest);
  const step = (newest - oldest + 1) / bar;
  const cells = Array.from({ length: bar }, (_, index) =>
    cellOf(covered, { oldest: oldest + index * step, newest: oldest + (index + 1) * step }),
  );
  return [cells.join(''), ...spanLines('', span, { after: zoneNote(layout.zone), ...layout })];
}

/**
 * The beginning of a bar. An interval without a lower bound gets a quarter of the bar beside others,
 * and all of it if alone.
 */
function drawnFrom(covered: readonly CoveredInterval[], newest: number): number {
  const [first, second] = covered;
  if (first === undefined || openStart < first.oldest) return first?.oldest ?? newest;
  return second === undefined ? newest - 86_400_000 : second.oldest - Math.ceil((newest - second.oldest) / 3);
}

/** Columns of the terminal, and the zone of shown times. */
interface SpanLayout {
  readonly width: number;
  readonly zone: TimeZone;
}

/** An interval on one line, or on two if the terminal is narrow. */
function spanLines(
  before: string,
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
  { after = '', width, zone }: SpanLayout & { readonly after?: string },
): string[] {
  const [first, second] = [`${before}${formatTime(oldest, zone)}`, `to ${formatTime(newest, zone)}${after}`];
  if (first.length + 1 + second.length <= width) return [`${first} ${second}`];
  return [first, `${' '.repeat(before.length)}${second}`];
}

/** The whole covered time, however long. */
function shownSpan(
  covered: readonly CoveredInterval[],
): { readonly oldest: number; readonly newest: number } | undefined {
  const [first] = covered;
  const last = covered.at(-1);
  return first && last && { oldest: first.oldest, newest: last.newest };
}

/** The worst state of an interval, so that gaps smaller than a cell are visible. */
function cellOf(
  covered: readonly CoveredInterval[],
  { oldest, newest }: { oldest: number; newest: number },
): string {
  const states = covered
    .filter((interval) => interval.oldest < newest && oldest <= interval.newest)
    .map(({ state }) => state);
  if (states.length === 0) return coverageMarks.never;
  const worst = states.includes('open') ? 'open' : states.includes('capped') ? 'capped' : 'complete';
  return coverageMarks[worst];
}

function listOf(covered: readonly CoveredInterval[], layout: SpanLayout): string[] {
  const lines = covered
    .slice(0, listed)
    .flatMap((interval) => spanLines(`  ${interval.state.padEnd(8)}  `, interval, layout));
  const rest = covered.length - listed;
  return rest <= 0 ? lines : [...lines, `  … ${formatNumber(rest)} more`];
}
