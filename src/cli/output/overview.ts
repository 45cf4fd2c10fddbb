import {
  type AnyLogSource,
  type CoverageGap,
  type IntervalCoverage,
  type LevelOverTime,
  type Overview,
  overview,
  type Peak,
  type RankedCode,
  type RankedValues,
  type RequestedInterval,
} from '../../analysis/index.ts';
import type { Case } from '../../case/index.ts';
import { StoreError } from '../../database/index.ts';
import { readCoverageOf } from '../../export/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { escapeUnsafe, wrapToWidth } from '../terminal/text.ts';
import { formatSecond, formatTime, timeHeading, zoneNote } from '../terminal/time-format.ts';
import { coverageMarks } from './coverage-text.ts';
import { levelStyle } from './log-output.ts';
import { quoteForShell, shellWord } from './shell-word.ts';
import { drawSparkline } from './sparkline.ts';
import { type Column, formatTable } from './table.ts';

/** Number of listed gaps and of listed losses. */
const listed = 10;

/** The names of the sources, commands to go on with, and the zone of shown times. */
interface OverviewContext {
  readonly name: string;
  readonly next: readonly NextCommand[];
  readonly zone: TimeZone;
}

/** Formats an overview: facts, levels over time, codes, sources, gaps, and commands to go on with. */
export function overviewText(
  about: Overview,
  { name, next, zone }: OverviewContext,
  face: OutputStyle,
): string {
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

function factLines(about: Overview, { width = 100 }: OutputStyle, zone: TimeZone): string[] {
  const facts: [string, string][] = [
    ['logs', logsText(about)],
    ['time', spanText(about, zone)],
    ['coverage', coverageText(about, zone)],
    ...(about.exportedOnly === undefined
      ? []
      : [['filter', escapeUnsafe(about.exportedOnly)] satisfies [string, string]]),
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
  complete: 'complete: all requested logs between the first and the last one were exported',
  capped: `${coverageMarks.capped} incomplete: the deployment returned no more than its cap`,
  open: `${coverageMarks.open} incomplete: an export is not finished`,
  partly: `${coverageMarks.never} partly requested: see the gaps below`,
  never: `${coverageMarks.never} the time of these logs was never requested`,
  none: 'unknown: no export of a time range, so missing logs do not show',
};

function coverageText({ coverage, coveredUntil, gaps }: Overview, zone: TimeZone): string {
  // Between the logs that are there nothing lacks, but before them: a case is not complete then.
  const isUnfinished = coverage === 'complete' && 0 < gaps.length;
  const text = isUnfinished
    ? `${coverageMarks.open} incomplete: see the gaps below; from the first log on all requested logs were exported`
    : coverageTexts[coverage ?? 'none'];
  if (coveredUntil === undefined || coverage === 'never') return text;
  const end = `${formatTime(coveredUntil, zone)}: later logs are there, but were not requested as a whole`;
  return coverage === 'complete' && !isUnfinished
    ? `complete until ${end}`
    : `${text}; requested until ${end}`;
}

/** Formats the length of a bucket: `1 h` rather than `1 h 0 min`. */
function bucketLength(every: number): string {
  return formatDuration(every).replace(/ 0 (?:min|s)$/, '');
}

function levelLines({ levels, every, overTime }: Overview, face: OutputStyle, zone: TimeZone): string[] {
  if (levels.length === 0) return [];
  const heading = overTime.length === 0 ? 'over time' : `over time, ${bucketLength(every)} a character`;
  const columns: readonly Column[] = [
    { name: 'level', canShrink: true },
    { name: 'logs', align: 'right' },
    { name: timeHeading('peak', zone) },
    { name: heading },
  ];
  const rows = levels.map(({ level, count, peak, overTime: counts }) => [
    { text: String(level ?? '(none)'), style: levelStyle(String(level)) },
    formatNumber(count),
    peak ? `${formatSecond(peak.start, zone)}: ${formatNumber(peak.count)}` : '',
    drawSparkline(counts),
  ]);
  return formatTable(columns, rows, { style: face.style, width: face.width });
}

function codeLines({ values, hasMore }: Overview['codes'], face: OutputStyle, zone: TimeZone): string[] {
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

function sourceLines({ values, hasMore }: RankedValues, face: OutputStyle): string[] {
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
  { hasMore, face }: { readonly hasMore: boolean; readonly face: OutputStyle },
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

function gapLines(
  gaps: readonly CoverageGap[],
  { style, width = 100 }: OutputStyle,
  zone: TimeZone,
): string[] {
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

/** A suggested command line, quoted for a shell, and its purpose. */
interface NextCommand {
  readonly run: string;
  readonly about: string;
}

/** Number of suggested commands. */
const suggested = 3;

/** Sources of the commands: paths as they were given. */
interface NextSources {
  readonly paths: readonly string[];
  /** True for a single stored case, for commands that read no log files. */
  readonly isCase: boolean;
}

/** Returns the most useful commands after an overview; none if there is no log. */
export function nextCommands(about: Overview, sources: NextSources): readonly NextCommand[] {
  if (about.logs === 0) return [];
  const paths = sources.paths.map(shellWord).join(' ');
  const candidates = [
    severeSearch(about, paths),
    sources.isCase &&
      0 < about.gaps.length && { run: `logquarry coverage ${paths}`, about: 'what is missing' },
    peakHistogram(about, paths),
    sources.isCase && 0 < about.unreadable && unreadableRecords(paths),
    traceOfFirst(about, paths),
    worstLevelSearch(about, paths),
    { run: `logquarry top logCode ${paths}`, about: 'the most frequent codes' },
    { run: `logquarry top source ${paths}`, about: 'the most frequent sources' },
    { run: `logquarry search '*:*' ${paths}`, about: 'the newest logs' },
  ];
  return candidates.filter((candidate) => candidate !== undefined && candidate !== false).slice(0, suggested);
}

/** Codes that are safe in a query without quotes. */
function isPlainCode({ value, severe }: RankedCode): boolean {
  return 0 < severe && /^\d+$/.test(String(value));
}

function severeSearch({ codes, levels }: Overview, paths: string): NextCommand | undefined {
  const code = codes.values.find(isPlainCode);
  if (code)
    return {
      run: `logquarry search 'logLevel:SEVERE AND logCode:${code.value}' ${paths} --oldest`,
      about: 'the most frequent severe code',
    };
  if (!levels.some(({ level }) => level === 'SEVERE')) return undefined;
  return { run: `logquarry search 'logLevel:SEVERE' ${paths} --oldest`, about: 'the severe logs' };
}

/** The worst level that a query can name without quotes. */
function worstLevel({ levels }: Overview): LevelOverTime | undefined {
  return levels.find(({ level }) => /^[A-Z]+$/.test(String(level ?? '')));
}

function peakHistogram(about: Overview, paths: string): NextCommand | undefined {
  const worst = worstLevel(about);
  const peak = worst?.peak ?? about.peak;
  // Shorter buckets than this show nothing new.
  if (!peak || about.every < 1000) return undefined;
  const query = quoteForShell(timeQuery(peak, about.every));
  return {
    run: `logquarry histogram ${paths} --search ${query} --by logLevel`,
    about: worst?.peak ? `the peak of ${worst.level}, in detail` : 'the peak in detail',
  };
}

function timeQuery({ start }: Peak, every: number): string {
  const text = (time: number) => new Date(time).toISOString();
  return `time:["${text(start)}" TO "${text(start + every - 1)}"]`;
}

function unreadableRecords(paths: string): NextCommand {
  return {
    run: `logquarry sql 'SELECT entry, position, reason FROM unreadable' ${paths}`,
    about: 'the records that could not be read',
  };
}

function traceOfFirst({ codes }: Overview, paths: string): NextCommand | undefined {
  // Ids come from the logs: only plain ones go into a command.
  const request = codes.values.find((value) => /^\w[\w-]{0,63}$/.test(value.request ?? ''))?.request;
  if (request === undefined) return undefined;
  return { run: `logquarry trace ${request} ${paths}`, about: 'a request with a severe log' };
}

function worstLevelSearch(about: Overview, paths: string): NextCommand | undefined {
  const worst = worstLevel(about);
  if (!worst || worst.level === 'SEVERE') return undefined;
  return {
    run: `logquarry search logLevel:${worst.level} ${paths}`,
    about: `the newest logs of level ${worst.level}`,
  };
}

/** Returns the intervals requested by the exports of sources, with any filters; empty if there was no export. */
export async function requestedOf(sources: readonly AnyLogSource[]): Promise<readonly RequestedInterval[]> {
  const all = await Promise.all(sources.map(readCoverageOf));
  return all.flat().flatMap(({ covered }) => covered);
}

/**
 * Summarises a case in at most five lines for the standard error; none if it has no log. A failure of the
 * store is such a line too: what was loaded before is in the case all the same.
 */
export async function shortOverview(
  of: Case,
  { zone, isComplete = false }: ShortOverviewOptions = {},
): Promise<readonly string[]> {
  try {
    const about = await overview([of], { requested: await requestedOf([of]), values: 3 });
    return about.logs === 0 ? [] : shortOverviewLines(about, of.path, { zone, isComplete });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [`The case cannot be summarised: ${escapeUnsafe(error.message)}`];
  }
}

const caseIncomplete = 'This export is complete, but the case is not';

interface ShortOverviewOptions {
  readonly zone?: TimeZone | undefined;
  /** True after an export that is complete: what the case lacks is then of others. Default false. */
  readonly isComplete?: boolean;
}

function shortOverviewLines(
  about: Overview,
  path: string,
  { zone, isComplete }: ShortOverviewOptions,
): readonly string[] {
  const levels = about.levels
    .slice(0, 8)
    .map(
      ({ level = '(none)', count }) => `${escapeUnsafe(String(level)).slice(0, 20)} ${formatNumber(count)}`,
    );
  const codes = about.codes.values
    .filter(({ severe }) => 0 < severe)
    .map(({ value, severe }) => `${value} (${formatNumber(severe)})`);
  const lacks = [
    ...(about.gaps.length === 0 ? [] : [formatCount(about.gaps.length, 'gap')]),
    ...(about.unreadable === 0 ? [] : [formatCount(about.unreadable, 'unreadable record')]),
  ];
  return [
    `The case has ${formatCount(about.logs, 'log')}, ${spanText(about, zone)}.`,
    `By level: ${levels.join(', ')}.`,
    ...(about.exportedOnly === undefined ? [] : [`Note: ${escapeUnsafe(about.exportedOnly)}.`]),
    ...(codes.length === 0 ? [] : [`Severe codes: ${codes.join(', ')}${about.codes.hasMore ? ', …' : ''}.`]),
    ...(lacks.length === 0 ? [] : [`${isComplete ? caseIncomplete : 'Incomplete'}: ${lacks.join(', ')}.`]),
    `For more: logquarry overview ${shellWord(path)}`,
  ];
}
