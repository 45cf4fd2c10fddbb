import { parseDate } from '../language/index.ts';
import { instantsOf, parseTimeZone, type TimeZone, utcZone } from '../records/index.ts';
import {
  type ComparedIntervals,
  comparedIntervals,
  type PageState,
  type TimeSpan,
  usualColumns,
} from './page-state.ts';

const zones = new Map<string, TimeZone>();

/** The zone of a name; UTC for a name that is not known. */
export function zoneOf(name: string): TimeZone {
  const found = zones.get(name) ?? parseTimeZone(name) ?? utcZone;
  zones.set(name, found);
  return found;
}

/**
 * A time on the clock of a zone: `2025-03-12 08:24:10.123`. The offset follows where the clock shows the same twice,
 * so that no two times are written alike.
 */
export function formatTime(time: number, zone: string): string {
  const written = readingOf(time, zone);
  if (zone === 'UTC') return written;
  const { earliest, latest } = instantsOf(zoneOf(zone), time + zoneOf(zone).offsetAt(time));
  return earliest === latest ? written : `${written} ${offsetOf(time, zone)}`;
}

/** The beginning of an interval as `formatTime` has it, without the parts of a second that are zero. */
export function formatStart(time: number, zone: string): string {
  return formatTime(time, zone).replace(/(\d\d:\d\d)(:00)?\.000/, (_, clock: string, seconds = '') =>
    time % 60_000 === 0 ? clock : `${clock}${seconds}`,
  );
}

/** A time on the clock of a zone, without an offset. */
function readingOf(time: number, zone: string): string {
  const reading = new Date(time + zoneOf(zone).offsetAt(time));
  const shown = Number.isNaN(reading.getTime()) ? new Date(time) : reading;
  return shown.toISOString().replace('T', ' ').replace('Z', '');
}

/** The offset of a zone from UTC at a time: `+01:00`. */
export function offsetOf(time: number, zone: string): string {
  const minutes = Math.round(zoneOf(zone).offsetAt(time) / 60_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(distance / 60)}:${two(distance % 60)}`;
}

/** A time that no zone changes: one with a zone of its own, milliseconds since the epoch, and `now`. */
const isAbsolute = /^now|^(?:\d{1,3}|\d{5,})$|T.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/**
 * Parses a time on the clock of a zone, such as `2025-03-12 08:24`, or `now-2h`; undefined if it is none. As the end
 * of an interval, missing parts are full, and of a time that the clock shows twice it is the second, as `--to` has it.
 */
export function parseTime(text: string, zone: string, isEnd = false): number | undefined {
  const written = text
    .trim()
    .replace(/^([+-]?\d{4,9}-\d\d-\d\d)[ t]+(?=\d)/, '$1T')
    .replace(/(\d) +(?=Z$|[+-]\d\d(?::?\d\d)?$)/, '$1');
  // A time before 1970, as for the commands: years before the first have no logs.
  if (/^-\d+$/.test(written)) return Number(written);
  // A part of a millisecond is rather a month.
  if (/^\d+\.\d*$/.test(written)) return undefined;
  const reading = parseDate(written, { roundUp: isEnd, now: Date.now() });
  if (reading === undefined || isAbsolute.test(written)) return reading;
  const { earliest, latest } = instantsOf(zoneOf(zone), reading);
  return isEnd ? latest : earliest;
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A length of time in its two largest units: `3 h 12 min`. */
export function formatDuration(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < 1000) return `${Math.round(length)} ms`;
  const index = units.findIndex(([unit]) => unit <= length);
  const [first, name] = units[index] ?? units[3];
  const [second, small] = units[index + 1] ?? [0, ''];
  const rest = second === 0 ? 0 : Math.floor((length % first) / second);
  if (second === 0) return `${(length / 1000).toFixed(length < 10_000 ? 2 : 0)} s`;
  return `${Math.floor(length / first)} ${name}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Usual distances between the ticks of a time axis, in milliseconds. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * day),
];

/** A tick of a time axis. */
interface Tick {
  readonly time: number;
  readonly label: string;
}

/** At most `most` ticks between two times, on the clock of a zone. */
export function ticksOf(
  { from, to, zone }: { readonly from: number; readonly to: number; readonly zone: string },
  most: number,
): readonly Tick[] {
  const step = steps.find((each) => (to - from) / each <= most) ?? (to - from) / most;
  const { offsetAt } = zoneOf(zone);
  const times = new Set<number>();
  // One more at either end, as clocks may be set forward or back meanwhile.
  const begin = Math.floor((from + offsetAt(from)) / step - 1) * step;
  for (let reading = begin; reading <= to + offsetAt(to) + step; reading += step) {
    const { earliest, latest } = instantsOf(zoneOf(zone), reading);
    times.add(earliest);
    // An hour that the clock shows twice has its ticks twice; longer units begin once.
    if (earliest < latest && step <= hour) times.add(latest);
  }
  return [...times]
    .filter((time) => from <= time && time <= to)
    .sort((first, second) => first - second)
    .map((time) => ({ time, label: labelOf(formatTime(time, zone), step) }));
}

function labelOf(text: string, step: number): string {
  if (day <= step) return text.slice(0, 10);
  const clock = text.slice(11, 23);
  if (clock.startsWith('00:00:00.000')) return text.slice(5, 10);
  if (step < second) return clock;
  return step < minute ? clock.slice(0, 8) : clock.slice(0, 5);
}

const whole = new Intl.NumberFormat('en');

/** A number with its thousands apart. */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** A number with its noun: `1 log`, `2,000 logs`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** An amount of bytes: `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(steps.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const scaled = bytes / 1000 ** step;
  return `${step === 0 || 100 <= scaled ? Math.round(scaled) : scaled.toFixed(1)} ${steps[step]}`;
}

/** The levels with a colour of their own. */
const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'];

/** The place of a value in a stack of bars: levels from the most severe at the base, any other value as it comes. */
export function stackPlace(value: unknown): number {
  const place = levels.indexOf(String(value ?? ''));
  return place === -1 ? levels.length : place;
}

/** The class of the colour of a level, or of the nth other value. */
export function colourClass(value: unknown, index = 0): string {
  const text = String(value ?? '');
  return levels.includes(text) ? `level-${text.toLowerCase()}` : `series-${index % 8}`;
}

/** Characters that change how a text is shown, or are not shown: controls, bidi overrides, zero-width and tag characters. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu;

/**
 * A text of a log as it can be shown. Hidden characters become escapes such as `\u{202e}`, so that
 * no log can reorder or hide what stands beside it.
 */
export function visible(text: string): string {
  return text.replace(hidden, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Quotes a word for a shell, if necessary. */
export function shellWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The sources of a page, as a command names them. */
interface CommandContext {
  /** Words of a command line. */
  readonly paths: readonly string[];
  /** Options that read them alike, such as the zone of log files. */
  readonly readingOptions?: readonly string[];
  /** Folder of the rules, if they are not those of Logquarry. */
  readonly rulesPath?: string;
  /** First and last time of the logs, which some views begin with. */
  readonly span: TimeSpan;
}

/** The command line that shows what a view shows. */
export function commandOf(state: PageState, context: CommandContext): string {
  const { paths, readingOptions = [], rulesPath, span } = context;
  const query = state.q.trim() === '' ? undefined : state.q;
  const zone = state.zone === 'UTC' ? [] : ['--zone', state.zone];
  const reading = [...zone, ...readingOptions];
  const rules = rulesPath === undefined ? [] : ['--rules', rulesPath];
  const searched = query === undefined ? [] : ['--search', query];
  switch (state.view) {
    case 'search':
      return line(
        'search',
        [query ?? '*:*', ...paths],
        [...times(state), ...searchOptions(state), ...reading],
      );
    case 'patterns':
    case 'investigate':
    case 'services':
      return line(state.view, paths, [...searched, ...times(state), ...reading]);
    case 'detections':
      return line('detect', paths, [...searched, ...times(state), ...rules, ...reading]);
    case 'changes':
      return line(
        'diff',
        [...diffIntervals(comparedIntervals(state, span)), ...paths],
        [...searched, ...reading],
      );
    case 'trace':
      return line('trace', [state.request ?? 'ID', ...paths], reading);
    case 'sql':
      return line('sql', [state.sql ?? exampleSql, paths[state.sqlCase ?? 0] ?? ''], zone);
    case 'notes':
      return line('note list', paths, [...(state.tag === undefined ? [] : ['--tag', state.tag]), ...zone]);
    case 'coverage':
      return line('coverage', paths, zone);
    case 'overview':
      return line('overview', paths, reading);
    case 'export':
      return `logquarry export --profile NAME --from now-6h --into ${paths.map(shellWord).join(' ') || 'incident.duckdb'}`;
    case 'cases':
      return line('ui', paths, []);
  }
}

/** The command line that shows one log whole. */
export function showCommandOf(id: number, path: string): string {
  return line('show', [String(id), path], []);
}

/** SQL that the view of SQL begins with. */
export const exampleSql = `SELECT source, count(*) AS logs, max(elapsed) AS slowest
FROM logs GROUP BY source ORDER BY logs DESC LIMIT 20`;

/** A command line; `--` keeps arguments that begin with a dash from being options. */
function line(command: string, words: readonly string[], options: readonly string[]): string {
  const ends = words.some((word) => word.startsWith('-')) ? ['--'] : [];
  const parts = ends.length === 0 ? [...words, ...options] : [...options, ...ends, ...words];
  return ['logquarry', command, ...parts.map(shellWord)].join(' ');
}

function times({ from, to }: PageState): readonly string[] {
  return [
    ...(from === undefined ? [] : ['--from', iso(from)]),
    ...(to === undefined ? [] : ['--to', iso(to)]),
  ];
}

function searchOptions({ order, columns }: PageState): readonly string[] {
  return [
    ...(order === 'oldest' ? ['--oldest'] : []),
    ...(columns.join() === usualColumns.join() ? [] : ['--columns', columns.join()]),
  ];
}

/** Intervals as `diff` takes them: the end of each is not in it. */
function diffIntervals({ before, after }: Partial<ComparedIntervals>): readonly string[] {
  return [before, after].map((each) => (each ? `${iso(each.from)}..${iso(each.to + 1)}` : 'FROM..TO'));
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
