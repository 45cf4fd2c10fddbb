import { type Headline, headlines, type Report, trueOnsetOf } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { statementsOf, stepsOf } from '../output/investigation-lines.ts';
import { formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import { formatMinute, formatRange, formatTime, zoneNote } from '../terminal/time-format.ts';

/** What a report says of its case or cluster, and the zone of its times. */
export interface ReportStyle {
  readonly name: string;
  /** True for a cluster, which keeps no record of actions. */
  readonly isCluster: boolean;
  readonly zone: TimeZone;
  /** What its author says: the title, the name, and a note above all else. */
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly note?: string | undefined;
  /** The query and the options that selected its logs; absent if all logs of the case are in it. */
  readonly selection?: string | undefined;
}

/** A fact with its name. */
interface NamedFact {
  readonly name: string;
  readonly text: string;
}

/** A time to mark in a chart, and what happened. Milliseconds since the epoch. */
export interface Step {
  readonly time: number;
  readonly text: string;
}

/** The page for the person who decides: what happened, for how long, who is affected, and what the logs cover. */
export interface FirstPage {
  readonly title: string;
  /** By whom and when it was made, of which case, and the zone of its times. */
  readonly byline: string;
  readonly note: string | undefined;
  /** What happened, in one sentence. */
  readonly lead: string;
  /** Begin, duration, users, sources and failures; of a quiet case the severe logs alone. */
  readonly figures: readonly NamedFact[];
  /** The event before, the first sign and the main change, as far as there are any. */
  readonly steps: readonly Step[];
  /** The interval of the main change; absent if nothing changed. */
  readonly change: { readonly from: number; readonly to: number } | undefined;
  /** Which logs these are: the selection, the filter of the exports, the levels and the coverage. */
  readonly scope: readonly NamedFact[];
  /** Sentences on severe logs and failures. */
  readonly summary: readonly string[];
}

/** Words what a report begins with, in every format. */
export function firstPage(report: Report, style: ReportStyle): FirstPage {
  const { zone, note } = style;
  const { investigation } = report;
  const statements = statementsOf(investigation, zone);
  const lead = statements.find(({ label }) => label === 'in short' || label === 'changed');
  const summary = headlines(report).flatMap((headline) => sentenceOf(headline, zone) ?? []);
  return {
    title: style.title ?? `Report of ${style.name}`,
    byline: madeText(report, style),
    note,
    lead: lead?.text ?? '',
    figures: figuresOf(report, zone),
    steps: stepsOf(investigation, zone),
    change: investigation.since,
    scope: scopeOf(report, style),
    summary,
  };
}

function madeText({ made }: Report, { name, title, author, zone }: ReportStyle): string {
  const by = author === undefined ? '' : ` by ${author}`;
  const of = title === undefined ? '' : ` of ${name}`;
  return `Made${by}${of} ${formatTime(made, zone)}. All times are in ${zone.name}.`;
}

function figuresOf({ investigation, timeline }: Report, zone: TimeZone): readonly NamedFact[] {
  const { main, firstSign, hit, last = 0 } = investigation;
  const severe = timeline.cells.filter(({ level }) => level === 0).reduce((sum, { count }) => sum + count, 0);
  const severeLogs = { name: 'severe logs', text: formatNumber(severe) };
  if (!main) return [severeLogs];
  const begin = trueOnsetOf(firstSign ?? main);
  const end = (main.kind === 'new' ? (main.logs?.last ?? main.end) : main.end) - (main.ahead ?? 0);
  const length = roughDuration(Math.max(0, (main.isOpen ? last : end) - begin));
  const begins = { name: 'begin', text: `${formatMinute(begin, zone)}${zoneNote(zone)}` };
  const lasts = { name: 'duration', text: main.isOpen ? `${length} at least, to the last log` : length };
  if (!hit) return [begins, lasts, severeLogs];
  const users =
    hit.users.length === 0
      ? 'not known: no failure names one'
      : `${formatNumber(hit.users.length)} of ${formatNumber(hit.activeUsers)} active`;
  return [
    begins,
    lasts,
    { name: 'users affected', text: users },
    {
      name: 'services affected',
      text: `${formatNumber(hit.sources.length)} of ${formatNumber(hit.activeSources)} active`,
    },
    { name: 'logs of failures', text: formatNumber(hit.logs.count) },
  ];
}

/** A duration in two units at most: `2 days 3 h`, `7 h 20 min`, `4 min`. */
function roughDuration(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  if (48 <= hours) return `${Math.floor(hours / 24)} days ${hours % 24} h`;
  return formatDuration(milliseconds).replace(/( min) \d+ s$/, '$1');
}

function scopeOf(report: Report, { zone, selection }: ReportStyle): readonly NamedFact[] {
  const { logs, first, last, sources, requested, exportedOnly: only } = report;
  const span =
    first === undefined || last === undefined
      ? ''
      : ` from ${formatMinute(first, zone)} to ${formatMinute(last, zone)}${zoneNote(zone)}`;
  return [
    { name: 'logs', text: `${formatCount(logs, 'log')} of ${formatCount(sources.total, 'source')}${span}.` },
    {
      name: 'selection',
      text: selection === undefined ? 'All logs of the case.' : `Only logs of the case with ${selection}.`,
    },
    {
      name: 'filter',
      text:
        only === undefined
          ? requested.length === 0
            ? 'Not known: the logs come from files.'
            : 'None: the exports asked for all logs.'
          : `${capitalized(only)}.`,
    },
    { name: 'levels', text: levelsText(report) },
    { name: 'coverage', text: coverageText(report, zone) },
  ];
}

function levelsText({ timeline: { levels, cells } }: Report): string {
  const counts = [...levels, 'other'].map((level, index) => ({
    level,
    count: cells.filter((cell) => cell.level === index).reduce((sum, { count }) => sum + count, 0),
  }));
  const found = counts.filter(({ count }) => 0 < count);
  const lowest = found.findLast(({ level }) => level !== 'other');
  const listed = found.map(({ level, count }) => `${level} ${formatNumber(count)}`).join(', ');
  const rest =
    lowest === undefined || lowest.level === levels.at(-1)
      ? ''
      : ` Nothing more detailed than ${lowest.level}.`;
  return listed === '' ? 'No log.' : `${listed}.${rest}`;
}

/** Says how complete the logs are; of a filtered case never that intervals are complete. */
function coverageText({ requested, gaps, exportedOnly: only }: Report, zone: TimeZone): string {
  if (requested.length === 0) return 'Completeness is unknown: no export of a time range is recorded.';
  const oldest = Math.min(...requested.map(({ oldest: time }) => time));
  const newest = Math.max(...requested.map(({ newest: time }) => time));
  const range = formatRange({ oldest, newest }, zone);
  if (0 < gaps.length)
    return `Requested: ${range}. ${formatCount(gaps.length, 'interval')} without all logs that were requested; see the coverage.`;
  return only === undefined
    ? `Every requested interval is complete: ${range}.`
    : `Received as requested: ${range}. The filter left logs out there, and nothing says how many.`;
}

function sentenceOf(headline: Headline, zone: TimeZone): string | undefined {
  switch (headline.about) {
    case 'severity':
      return `${formatCount(headline.severe, 'severe log')} and ${formatCount(headline.warnings, 'warning')}.`;
    case 'peak':
      return `Most severe logs in one interval: ${formatNumber(headline.severe)} from ${formatMinute(headline.start, zone)} on, within ${duration(headline.length)}.`;
    case 'source':
      return `Source with most failures: ${headline.source ?? '(none)'}, ${formatCount(headline.severe, 'severe log')} and ${formatCount(headline.warnings, 'warning')} of ${formatCount(headline.logs, 'log')}.`;
    case 'failure':
      return failureText(headline, zone);
    case 'logs':
    case 'coverage':
      return undefined;
  }
}

function failureText(
  { level, code, logs, first, message }: Headline & { about: 'failure' },
  zone: TimeZone,
): string {
  const name = code === undefined ? level : `${level} ${code}`;
  const since = first === undefined ? '' : `, first at ${formatMinute(first, zone)}`;
  return `Most frequent failure: ${name}, ${formatCount(logs, 'log')}${since}: ${shorten(message)}`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function duration(milliseconds: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
    [1, 'millisecond'],
  ] as const;
  const [length, noun] = units.find(([unit]) => unit <= milliseconds) ?? [1, 'millisecond'];
  return formatCount(Math.round(milliseconds / length), noun);
}

/** Maximum number of characters of a quoted message. */
const longestHeadline = 160;

function shorten(message: string): string {
  return message.length <= longestHeadline ? message : `${message.slice(0, longestHeadline)}…`;
}
