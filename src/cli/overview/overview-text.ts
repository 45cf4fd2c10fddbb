import type { CoverageGap, IntervalCoverage, Overview, RankedValues } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { coverageMarks } from '../output/coverage-text.ts';
import { levelStyle } from '../output/level-style.ts';
import { drawSparkline } from '../output/sparkline.ts';
import { type Column, formatTable } from '../output/table.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { formatSecond, formatTime, timeHeading, zoneNote } from '../terminal/time-format.ts';
import { wrapToWidth } from '../terminal/width.ts';
import type { NextCommand } from './next-commands.ts';

/** Number of listed gaps and of listed losses. */
const listed = 10;

/** The names of the sources, commands to go on with, and the zone of shown times. */
interface OverviewContext {
  readonly name: string;
  readonly next: readonly NextCommand[];
  readonly zone: TimeZone;
}

/** Formats an overview: facts, levels over time, codes, sources, gaps, and commands to go on with. */
export function overviewText(about: Overview, { name, next, zone }: OverviewContext, face: Face): string {
  const { bold, dim } = face.style;
  const blocks = [
    [bold(escapeUnsafe(name)), ...factLines(about, face, zone)],
    levelLines(about, face, zone),
    codeLines(about.codes, face, zone),
    sourceLines(about.sources, face),
    ...(about.gaps.length === 0 ? [] : [gapLines(about.gaps, face, zone)]),
    ...(next.length === 0
      ? []
      : [
          [
            bold('Go on with'),
            ...next.flatMap(({ run, about: purpose }) => [`  ${run}`, dim(`    ${purpose}`)]),
          ],
        ]),
  ];
  return blocks
    .filter((lines) => 0 < lines.length)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function factLines(about: Overview, { width = 100 }: Face, zone: TimeZone): string[] {
  const facts: [string, string][] = [
    ['logs', logsText(about)],
    ['time', spanText(about, zone)],
    ['coverage', coverageTexts[about.coverage ?? 'none']],
    ...(about.unreadable === 0
      ? []
      : [['not read', `${formatCount(about.unreadable, 'record')} of the files`] satisfies [string, string]]),
    ...about.losses
      .slice(0, listed)
      .map(({ message }): [string, string] => ['not loaded', escapeUnsafe(message)]),
    ...(about.losses.length <= listed
      ? []
      : [['', `… ${formatNumber(about.losses.length - listed)} more`] satisfies [string, string]]),
  ];
  return facts.flatMap(([label, text]) =>
    wrapToWidth(text, Math.max(20, width - 12)).map(
      (line, at) => `${(at === 0 ? label : '').padEnd(12)}${line}`,
    ),
  );
}

function logsText({ logs, timeless }: Overview): string {
  return timeless === 0
    ? formatNumber(logs)
    : `${formatNumber(logs)}, ${formatNumber(timeless)} without a time`;
}

/** The first and the last time of the logs. */
export function spanText({ first, last }: Overview, zone?: TimeZone): string {
  if (first === undefined || last === undefined) return 'no log has a time';
  return `${formatSecond(first, zone)} to ${formatSecond(last, zone)}${zoneNote(zone)}`;
}

const coverageTexts: { readonly [S in IntervalCoverage | 'none']: string } = {
  complete: 'complete: all logs between the first and the last one were exported',
  capped: `${coverageMarks.capped} incomplete: the deployment returned no more than its cap`,
  open: `${coverageMarks.open} incomplete: an export is not finished`,
  partly: `${coverageMarks.never} partly requested: see the gaps below`,
  never: `${coverageMarks.never} the time of these logs was never requested`,
  none: 'unknown: no export of a time range, so missing logs do not show',
};

/** Formats the length of a bucket: `1 h` rather than `1 h 0 min`. */
function bucketLength(every: number): string {
  return formatDuration(every).replace(/ 0 (?:min|s)$/, '');
}

function levelLines({ levels, every, overTime }: Overview, face: Face, zone: TimeZone): string[] {
  if (levels.length === 0) return [];
  const each = overTime.length === 0 ? 'over time' : `over time, ${bucketLength(every)} a character`;
  const columns: readonly Column[] = [
    { name: 'level', canShrink: true },
    { name: 'logs', align: 'right' },
    { name: timeHeading('peak', zone) },
    { name: each },
  ];
  const rows = levels.map(({ level, count, peak, overTime: counts }) => [
    { text: String(level ?? '(none)'), style: levelStyle(String(level)) },
    formatNumber(count),
    peak ? `${formatSecond(peak.start, zone)}: ${formatNumber(peak.count)}` : '',
    drawSparkline(counts),
  ]);
  return formatTable(columns, rows, { style: face.style, width: face.width });
}

function codeLines({ values, hasMore }: Overview['codes'], face: Face, zone: TimeZone): string[] {
  const columns: readonly Column[] = [
    { name: 'code' },
    { name: 'severe', align: 'right' },
    { name: 'logs', align: 'right' },
    { name: timeHeading('first severe', zone) },
    { name: 'last severe' },
    { name: 'message' },
  ];
  const rows = values.map(({ value, severe, count, firstSevere, lastSevere, message = '' }) => [
    String(value),
    formatNumber(severe),
    formatNumber(count),
    firstSevere ? formatSecond(firstSevere.time, zone) : '',
    lastSevere ? formatSecond(lastSevere.time, zone) : '',
    message,
  ]);
  return rankedLines(columns, rows, { hasMore, face });
}

function sourceLines({ values, hasMore }: RankedValues, face: Face): string[] {
  const columns: readonly Column[] = [
    { name: 'severe', align: 'right' },
    { name: 'logs', align: 'right' },
    { name: 'source' },
  ];
  const rows = values.map(({ value, severe, count }) => [
    formatNumber(severe),
    formatNumber(count),
    String(value),
  ]);
  return rankedLines(columns, rows, { hasMore, face });
}

function rankedLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { hasMore, face }: { readonly hasMore: boolean; readonly face: Face },
): string[] {
  if (rows.length === 0) return [];
  const table = formatTable(columns, rows, { style: face.style, width: face.width });
  return hasMore ? [...table, face.style.dim('… and more')] : table;
}

const gapTexts: { readonly [S in CoverageGap['state']]: string } = {
  capped: `${coverageMarks.capped} incomplete`,
  open: `${coverageMarks.open} not exported yet`,
  never: `${coverageMarks.never} never requested`,
};

function gapLines(gaps: readonly CoverageGap[], { style, width = 100 }: Face, zone: TimeZone): string[] {
  const rest = gaps.length - listed;
  return [
    style.bold(`Gaps${zoneNote(zone)}`),
    ...gaps.slice(0, listed).flatMap(({ oldest, newest, state }) => {
      const text = `${formatTime(oldest, zone)} to ${formatTime(newest, zone)}  ${gapTexts[state]}`;
      return wrapToWidth(text, Math.max(20, width - 4)).map(
        (line, at) => `${at === 0 ? '  ' : '    '}${line}`,
      );
    }),
    ...(rest <= 0 ? [] : [`  … ${formatNumber(rest)} more`]),
  ];
}
