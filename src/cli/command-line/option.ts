import { type DateOptions, parseDate } from '../../language/index.ts';
import { instantsOf, type TimeZone, utcZone } from '../../records/index.ts';
import { UsageError } from './exit-code.ts';

/** One option of a command. Its flag is derived from its key: `maxWait` is `--max-wait`. */
export interface OptionSpec<V> {
  /** Placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  /** One line for the help. */
  readonly about: string;
  /** Default shown in the help, if any. */
  readonly fallback?: string;
  /** The permitted words, if they are limited. */
  readonly choices?: readonly string[];
  /** Former name: still accepted, but not shown. */
  readonly formerly?: string;
  /** Group under a heading of its own in the help; absent for an option of the command itself. */
  readonly group?: OptionGroup;
  /** Converts the written texts, one for each use of the option, into the value. Throws `UsageError`. */
  readonly read: (args: readonly string[], flag: string) => V;
}

/** Options that have a heading of their own in the help. */
export type OptionGroup = 'connection' | 'format' | 'advanced';

/** An option in a group of the help. */
export function inGroup<S extends OptionSpec<unknown>>(
  group: OptionGroup,
  spec: S,
): S & { group: OptionGroup } {
  return { ...spec, group };
}

/** The options of a command, by name. */
export type OptionSpecs = { readonly [name: string]: OptionSpec<unknown> };

/** The values of the options of a command. */
export type OptionValues<O extends OptionSpecs> = {
  readonly [K in keyof O]: O[K] extends OptionSpec<infer V> ? V : never;
};

/** The flag of an option: `maxWait` is `--max-wait`. */
export function optionFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A switch: true if given. */
export function switchOption(about: string): OptionSpec<boolean> {
  return { about, read: (args) => 0 < args.length };
}

/** An option with a text; the last one is used. */
export function textOption(value: string, about: string): OptionSpec<string | undefined> {
  return { value, about, read: (args) => args.at(-1) };
}

/** An option with the version of a deployment, such as `11.2`, or `10.9.1.505` including the build. */
export function versionOption(value: string, about: string): OptionSpec<string | undefined> {
  return {
    value,
    about,
    read(args, flag) {
      const last = args.at(-1);
      if (last === undefined || /^\d+(\.\d+){0,3}$/.test(last)) return last;
      throw new UsageError(`${flag} must be a version such as 11.2, got "${last}"`);
    },
  };
}

/** An option with the address of a page, without a fragment, user or password. */
export function addressOption(value: string, about: string): OptionSpec<string | undefined> {
  return {
    value,
    about,
    read(args, flag) {
      const last = args.at(-1);
      if (last === undefined) return undefined;
      const url = URL.canParse(last) ? new URL(last) : undefined;
      if (url && /^https?:$/.test(url.protocol) && url.hash + url.username + url.password === '') return last;
      throw new UsageError(
        `${flag} must be an address such as https://docs.example.com/findings.html, without user and fragment`,
      );
    },
  };
}

/** An option with a text that can be given several times. */
export function repeatedTextOption(value: string, about: string): OptionSpec<readonly string[]> {
  return { value, about, read: (args) => args };
}

/** An option with a list, separated by commas or given several times. */
export function listOption(value: string, about: string): OptionSpec<readonly string[]> {
  return {
    value,
    about,
    read: (args) =>
      args
        .flatMap((arg) => arg.split(','))
        .map((item) => item.trim())
        .filter((item) => item !== ''),
  };
}

/** An option with one of a fixed set of words. A written text is normalised before it is compared with them. */
export function choiceOption<const C extends string>(
  value: string,
  about: string,
  choices: readonly C[],
  normalise = (text: string) => text,
): OptionSpec<C | undefined> {
  return {
    value,
    about: `${about}: ${choices.join(', ')}`,
    choices,
    read(args, flag) {
      const last = args.at(-1);
      if (last === undefined) return undefined;
      const found = choices.find((choice) => choice === normalise(last));
      if (found !== undefined) return found;
      throw new UsageError(`${flag} must be one of ${choices.join(', ')}, got "${last}"`);
    },
  };
}

/** An option with a list of a fixed set of words, each once; empty if it is not given. */
export function choiceListOption<const C extends string>(
  ...[value, about, choices]: Parameters<typeof choiceOption<C>>
): OptionSpec<readonly C[]> {
  const one = choiceOption(value, about, choices);
  const list = listOption(value, about);
  return {
    ...one,
    read(args, flag) {
      const items = list.read(args, flag).flatMap((item) => one.read([item], flag) ?? []);
      if (0 < args.length && items.length === 0) throw new UsageError(`${flag} must not be empty`);
      return [...new Set(items)];
    },
  };
}

/** An option with one of a fixed set of words, and a default. */
export function choiceOptionWithDefault<const C extends string>(
  fallback: C,
  ...spec: Parameters<typeof choiceOption<C>>
): OptionSpec<C> {
  const { read, ...rest } = choiceOption(...spec);
  return { ...rest, fallback, read: (args, flag) => read(args, flag) ?? fallback };
}

/** Limits of a whole number, both included. */
export interface NumberLimits {
  readonly min: number;
  readonly max?: number;
}

/** An option with a whole number. */
export function countOption(
  value: string,
  about: string,
  limits: NumberLimits,
): OptionSpec<number | undefined> {
  return {
    value,
    about,
    read: (args, flag) => args.map((arg) => toCount(arg, flag, limits)).at(-1),
  };
}

/** An option with a whole number and a default. */
export function countOptionWithDefault(
  fallback: number,
  ...spec: Parameters<typeof countOption>
): OptionSpec<number> {
  const { read, ...rest } = countOption(...spec);
  return { ...rest, fallback: String(fallback), read: (args, flag) => read(args, flag) ?? fallback };
}

/** The maximum number of rows for an output of this width in columns; undefined for all rows. */
export type RowLimit = (output: { readonly width: number | undefined }) => number | undefined;

/**
 * An option with the maximum number of rows. Without it a terminal gets a page, and a file or a pipe
 * all rows: a program cannot notice that rows are missing.
 */
export function rowLimitOption(page: number, rows: string, max?: number): OptionSpec<RowLimit> {
  const limits = { min: 1, ...(max !== undefined && { max }) };
  const { read, ...rest } = countOption('N', `Maximum number of ${rows}`, limits);
  return {
    ...rest,
    fallback: `${page} on a terminal, all elsewhere`,
    read(args, flag) {
      const limit = read(args, flag);
      return ({ width }) => limit ?? (width === undefined ? undefined : page);
    },
  };
}

/** An option with a whole number, or the word `auto`. */
export function countOrAutoOption(
  fallback: number,
  ...spec: Parameters<typeof countOption>
): OptionSpec<number | 'auto'> {
  const { read, ...rest } = countOption(...spec);
  return {
    ...rest,
    fallback: String(fallback),
    read: (args, flag) => (args.at(-1) === 'auto' ? 'auto' : (read(args.slice(-1), flag) ?? fallback)),
  };
}

const rateUnits = { s: 1, m: 60 } as const;

/** An option with a rate, in requests per second: `5`, `5/s`, `30/m`. */
export function rateOption(value: string, about: string): OptionSpec<number | undefined> {
  return { value, about, read: (args, flag) => args.map((arg) => toRate(arg, flag)).at(-1) };
}

function toRate(text: string, flag: string): number {
  const [, digits, unit = 's'] = /^(\d{1,6})(?:\/([sm]))?$/.exec(text) ?? [];
  if (0 < Number(digits) && (unit === 's' || unit === 'm')) return Number(digits) / rateUnits[unit];
  throw new UsageError(
    `${flag} must be a rate above 0 such as 5 (per second) or 30/m (per minute), got "${text}"`,
  );
}

function toCount(text: string, flag: string, { min, max = Number.MAX_SAFE_INTEGER }: NumberLimits): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (min <= number && number <= max) return number;
  const limits = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`${flag} must be a whole number ${limits}, got "${text}"`);
}

/**
 * A time that may depend on the current time, such as `now-2h`, and on the zone of times that name
 * none, by default UTC. Takes and returns milliseconds since the epoch.
 */
export type RelativeTime = (now: number, zone?: TimeZone) => number;

/**
 * An option with a time, in the forms of `readTime`. Missing parts count as their beginning,
 * with `missing: 'end'` as their end, so that a day is the whole day. "now" is resolved by the
 * caller's clock.
 */
export function timeOption(
  value: string,
  about: string,
  { missing }: { readonly missing: 'beginning' | 'end' } = { missing: 'beginning' },
): OptionSpec<RelativeTime | undefined> {
  const roundUp = missing === 'end';
  return {
    value,
    about,
    read(args, flag) {
      const last = args.at(-1);
      if (last === undefined) return undefined;
      const at = (now: number, zone?: TimeZone) => readTime(last, { roundUp, now, ...(zone && { zone }) });
      const found = at(Date.now());
      if (found === undefined) {
        throw new UsageError(
          `${flag} must be a time such as 2025-03-12, "2025-03-12 08:30", 2025-03-12T08:30+02:00, today, yesterday, now-2h or milliseconds since 1970, got "${last}"`,
        );
      }
      return (now, zone) => at(now, zone) ?? found;
    },
  };
}

/** A range of time with both bounds, in milliseconds since the epoch; an undefined bound is open. */
export interface TimeRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Values of the options that bound a time: `--from`, `--to`, and `--last`, a duration instead of `--from`. */
interface TimeRangeOptions {
  readonly from?: RelativeTime | undefined;
  readonly to?: RelativeTime | undefined;
  readonly last?: number | undefined;
  readonly zone?: TimeZone | undefined;
}

/**
 * The range of time that options name at a time "now". Throws a `UsageError` if it ends before it begins, or with
 * `endsNow` begins after "now".
 */
export function readTimeRange(
  { from: oldest, to: newest, last, zone }: TimeRangeOptions,
  now: number,
  { endsNow = false }: { readonly endsNow?: boolean } = {},
): TimeRange {
  const from = last === undefined ? oldest?.(now, zone) : Math.max(minTime, now - last);
  const to = newest?.(now, zone);
  const end = to ?? (endsNow ? now : undefined);
  if (from !== undefined && end !== undefined && end < from) {
    const [begin, limit] = [from, end].map((time) => new Date(time).toISOString());
    throw new UsageError(
      `--from must not be later than ${to === undefined ? 'now' : '--to'}, got ${begin} and ${limit}`,
    );
  }
  return { from, to };
}

/** The earliest time of `Date`. */
const minTime = -8.64e15;

const unitLengths = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** An option with a duration in milliseconds: `90s`, `30m`, `2h`, `7d`, `1w`; `0s` only if `min` is 0. */
export function durationOption(
  value: string,
  about: string,
  { min }: { readonly min: 0 | 1 } = { min: 1 },
): OptionSpec<number | undefined> {
  return {
    value,
    about,
    read: (args, flag) => args.map((arg) => toSpan(arg, flag, min)).at(-1),
  };
}

/**
 * An option with a duration in milliseconds and a default; undefined for `0` or `none`, which set no
 * limit.
 */
export function durationOrNoneOption(
  fallback: string,
  value: string,
  about: string,
): OptionSpec<number | undefined> {
  return {
    value,
    about,
    fallback,
    read(args, flag) {
      const last = args.at(-1) ?? fallback;
      return /^(0[smhdw]?|none)$/.test(last) ? undefined : toSpan(last, flag, 1);
    },
  };
}

function toSpan(text: string, flag: string, min: number): number {
  const [, digits, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (Number(digits) < min) throw new UsageError(`${flag} must be a duration above 0, got "${text}"`);
  const [, length] = Object.entries(unitLengths).find(([name]) => name === unit) ?? [];
  if (length !== undefined) return Number(digits) * length;
  throw new UsageError(`${flag} must be a duration such as 90s, 30m, 2h, 7d or 1w, got "${text}"`);
}

const day = 86_400_000;

/** Options of reading a time. */
interface ReadTimeOptions extends DateOptions {
  /** Zone of a time that names none, of days and of months. Default: UTC. */
  readonly zone?: TimeZone;
}

/**
 * Reads a time of a command line to milliseconds since the epoch; undefined for any other text. It is
 * a date of the query language (`parseDate`), or one of the forms that people write and this program
 * prints: `today`, `yesterday` and `tomorrow`, also before a time of day; a blank instead of the `T`;
 * small letters; `UTC`, `(UTC)` or a blank before the zone. The end of a month or a year is that of its
 * last day, where the query language takes the end of its first.
 *
 * When clocks are set back, a time occurs twice: the first one is taken, with `roundUp` the second.
 * When they are set forward, a skipped time is that of the change.
 */
export function readTime(text: string, { zone = utcZone, ...options }: ReadTimeOptions): number | undefined {
  const trimmed = text.trim().replace(/\s+/g, ' ');
  const wholeUnit = /^\d{4}(-\d\d)?$/.exec(trimmed);
  const whole = wholeUnit ? `${trimmed}||/${wholeUnit[1] === undefined ? 'y' : 'M'}` : trimmed;
  const split = /^now/.test(whole) ? 3 : whole.indexOf('||');
  if (split === -1) return readMoment(toIsoText(whole, options.now, zone), options.roundUp, zone);
  const isNow = /^now/.test(whole);
  // The anchor of date math is not rounded; only the math is.
  const anchor = isNow ? options.now : readMoment(whole.slice(0, split), false, zone);
  const math = whole.slice(isNow ? 3 : split + 2);
  return anchor === undefined ? undefined : applyMath(anchor, math, { zone, ...options });
}

/** A date with a zone of its own, or milliseconds since the epoch. */
const isAbsolute = /^-\d+$|^(\d{1,3}|\d{5,})$|T.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

function readMoment(iso: string, roundUp: boolean, zone: TimeZone): number | undefined {
  // A part of a millisecond is rather a month, and a year before the first one a number.
  if (/^\d+\.\d*$/.test(iso)) return undefined;
  const reading = parseDate(iso.replace(/^-(?=\d{4}$)/, '-0'), { roundUp, now: 0 });
  if (reading === undefined || isAbsolute.test(iso)) return reading;
  return toInstant(reading, roundUp, zone);
}

function toInstant(reading: number, roundUp: boolean, zone: TimeZone): number {
  const { earliest, latest } = instantsOf(zone, reading);
  return roundUp ? latest : earliest;
}

/** Days and longer units are those of the calendar of the zone; shorter ones have a fixed length. */
function applyMath(
  anchor: number,
  math: string,
  { zone, ...options }: ReadTimeOptions & { readonly zone: TimeZone },
): number | undefined {
  const operations = math.match(/[+\-/]\d*[a-zA-Z]/g) ?? [];
  if (operations.join('') !== math) return undefined;
  return operations.reduce<number | undefined>((time, operation) => {
    if (time === undefined) return undefined;
    const offset = zone.offsetAt(time);
    const reading = isoOf(time + offset);
    const result = reading && parseDate(`${reading}||${operation}`, options);
    if (typeof result !== 'number') return undefined;
    const isRoundedUp = options.roundUp && operation.startsWith('/');
    return /[yMwd]$/.test(operation) ? toInstant(result, isRoundedUp, zone) : result - offset;
  }, anchor);
}

/** A text of `parseDate`, which takes numbers of four digits for years; undefined beyond all dates. */
function isoOf(time: number): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const dayWords = { yesterday: -day, today: 0, tomorrow: day } as const;

function toIsoText(text: string, now: number, zone: TimeZone): string {
  return text
    .replace(/^(yesterday|today|tomorrow)\b/i, (word) => {
      const shift = Object.entries(dayWords).find(([name]) => name === word.toLowerCase())?.[1] ?? 0;
      return new Date(now + zone.offsetAt(now) + shift).toISOString().slice(0, 10);
    })
    .replace(/^([+-]?\d{4,9}-\d\d-\d\d)[ t](?=\d)/, '$1T')
    .replace(/(\d) ?(?:utc|\(utc\)|z)$/i, '$1Z')
    .replace(/(:\d\d(?:[.,]\d+)?) (?=[+-]\d)/, '$1')
    .replace(/([.,]\d{9})\d+/, '$1');
}

/**
 * Letters of the most used options, by option name. A letter means the same in every command; they follow
 * grep, jq and gh. `-h` and `-V` belong to every command line.
 */
const shortOptions: Readonly<Record<string, string>> = {
  all: 'a',
  context: 'C',
  count: 'c',
  file: 'f',
  into: 'i',
  json: 'j',
  limit: 'n',
  out: 'o',
  profile: 'p',
  search: 's',
  user: 'u',
  yes: 'y',
};

/** The short flag of an option, such as `-n`; undefined if it has none. */
export function shortFlag(name: string): string | undefined {
  const letter = Object.hasOwn(shortOptions, name) ? shortOptions[name] : undefined;
  return letter === undefined ? undefined : `-${letter}`;
}

/**
 * Options refused together, by the name of one of them, because they contradict each other or one
 * would have no effect. Harmless combinations are allowed.
 */
export interface Exclusions {
  readonly [option: string]: readonly string[];
}

/** Options that require another one, by name. */
export interface Requirements {
  readonly [option: string]: string;
}

/**
 * Refuses contradicting options. Looks at `written`, so that defaults contradict nothing. Throws
 * `UsageError`.
 */
export function checkCombination(
  options: OptionSpecs,
  { excludes = {}, requires = {} }: { readonly excludes?: Exclusions; readonly requires?: Requirements },
  writtenOptions: { readonly [option: string]: readonly string[] },
): void {
  const isGiven = (name: string) => 0 < (writtenOptions[name] ?? []).length;
  for (const [name, others] of Object.entries(excludes)) {
    const other = isGiven(name) ? others.find(isGiven) : undefined;
    if (other !== undefined)
      throw new UsageError(`${optionFlag(name)} and ${optionFlag(other)} exclude each other`);
  }
  for (const [name, needed] of Object.entries(requires)) {
    if (!isGiven(name) || isGiven(needed)) continue;
    const value = options[needed]?.value;
    throw new UsageError(
      `${optionFlag(name)} requires ${optionFlag(needed)}${value === undefined ? '' : ` ${value}`}`,
    );
  }
}

/** Exclusions that allow at most one of the named options. */
export function mutuallyExclusive(...names: readonly string[]): Exclusions {
  return Object.fromEntries(names.slice(0, -1).map((name, at) => [name, names.slice(at + 1)]));
}
