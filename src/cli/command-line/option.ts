import { parseDate } from '../../meaning/date.ts';
import { UsageError } from './usage-error.ts';

/**
 * One option of a command. Its flag is its key in the table of the command:
 * `maxWait` is `--max-wait`.
 */
export interface OptionSpec<V> {
  /** The placeholder of its value in the help; absent for a switch. */
  readonly value?: string;
  /** One line for the help. */
  readonly about: string;
  /** What the help says of its default, where there is one. */
  readonly fallback?: string;
  /** What can be written, where that is one of a few words. */
  readonly choices?: readonly string[];
  /** The name that it had before: still taken, and shown nowhere. */
  readonly formerly?: string;
  /** Turns what was written, once for each time the option was given, into the value. Throws `UsageError`. */
  readonly read: (written: readonly string[], flag: string) => V;
}

/** The options of a command by their names. */
export type OptionSpecs = { readonly [name: string]: OptionSpec<unknown> };

/** What the options of a command came to. */
export type OptionValues<O extends OptionSpecs> = {
  readonly [K in keyof O]: O[K] extends OptionSpec<infer V> ? V : never;
};

/** The flag of an option: `maxWait` is `--max-wait`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A switch. */
export function toggle(about: string): OptionSpec<boolean> {
  return { about, read: (written) => 0 < written.length };
}

/** An option with a text; the last one counts. */
export function text(value: string, about: string): OptionSpec<string | undefined> {
  return { value, about, read: (written) => written.at(-1) };
}

/** An option with a text that has a default. */
export function textOr(fallback: string, value: string, about: string): OptionSpec<string> {
  return { value, about, fallback, read: (written) => written.at(-1) ?? fallback };
}

/** An option with the version of a deployment: `11.2`, or `10.9.1.505` with its build. */
export function version(value: string, about: string): OptionSpec<string | undefined> {
  return {
    value,
    about,
    read(written, flag) {
      const last = written.at(-1);
      if (last === undefined || /^\d+(\.\d+){0,3}$/.test(last)) return last;
      throw new UsageError(`"${flag}" requires a version as "11.2", unlike "${last}"`);
    },
  };
}

/** An option with a list: separated by commas, or given several times, or both. */
export function list(value: string, about: string): OptionSpec<readonly string[]> {
  return {
    value,
    about,
    read: (written) =>
      written
        .flatMap((each) => each.split(','))
        .map((each) => each.trim())
        .filter((each) => each !== ''),
  };
}

/** An option with one of a few words. */
export function choice<const C extends string>(
  value: string,
  about: string,
  choices: readonly C[],
): OptionSpec<C | undefined> {
  return {
    value,
    about: `${about}: ${choices.join(', ')}`,
    choices,
    read(written, flag) {
      const last = written.at(-1);
      const found = choices.find((each) => each === last);
      if (last !== undefined && found === undefined) {
        throw new UsageError(`"${flag}" requires one of ${choices.join(', ')}, unlike "${last}"`);
      }
      return found;
    },
  };
}

/** The whole numbers that an option takes. */
export interface NumberLimits {
  readonly least: number;
  readonly most?: number;
}

/** An option with a whole number. */
export function count(value: string, about: string, limits: NumberLimits): OptionSpec<number | undefined> {
  return {
    value,
    about,
    read: (written, flag) => written.map((each) => toCount(each, flag, limits)).at(-1),
  };
}

/** An option with a whole number that has a default. */
export function countOr(fallback: number, ...spec: Parameters<typeof count>): OptionSpec<number> {
  const { read, ...rest } = count(...spec);
  return { ...rest, fallback: String(fallback), read: (written, flag) => read(written, flag) ?? fallback };
}

/** An option with a whole number, or the word `auto`. */
export function countOrAuto(
  fallback: number,
  ...spec: Parameters<typeof count>
): OptionSpec<number | 'auto'> {
  const { read, ...rest } = count(...spec);
  return {
    ...rest,
    fallback: String(fallback),
    read: (written, flag) =>
      written.at(-1) === 'auto' ? 'auto' : (read(written.slice(-1), flag) ?? fallback),
  };
}

const rateUnits = { s: 1, m: 60 } as const;

/** An option with a rate, as a number for each second: `5`, `5/s`, `30/m`. */
export function rate(value: string, about: string): OptionSpec<number | undefined> {
  return { value, about, read: (written, flag) => written.map((each) => toRate(each, flag)).at(-1) };
}

function toRate(written: string, flag: string): number {
  const [, digits, unit = 's'] = /^(\d{1,6})(?:\/([sm]))?$/.exec(written) ?? [];
  if (0 < Number(digits) && (unit === 's' || unit === 'm')) return Number(digits) / rateUnits[unit];
  throw new UsageError(
    `"${flag}" requires a rate above 0 as "5" (a second) or "30/m" (a minute), unlike "${written}"`,
  );
}

function toCount(
  written: string,
  flag: string,
  { least, most = Number.MAX_SAFE_INTEGER }: NumberLimits,
): number {
  const number = /^\d+$/.test(written) ? Number(written) : Number.NaN;
  if (least <= number && number <= most) return number;
  const limits = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`"${flag}" requires a whole number ${limits}, unlike "${written}"`);
}

/** A time by a clock, milliseconds since the epoch: `now-2h` depends on what the clock says. */
export type TimeBy = (now: number) => number;

/** An option with a time in UTC; what is missing of it counts as its beginning. Its value waits for the clock it goes by. */
export function time(value: string, about: string): OptionSpec<TimeBy | undefined> {
  return {
    value,
    about,
    read(written, flag) {
      const last = written.at(-1);
      if (last === undefined) return undefined;
      const at = (now: number) => parseDate(last, { roundUp: false, now });
      const found = at(Date.now());
      if (found === undefined) {
        throw new UsageError(
          `"${flag}" requires a time as "2025-03-12", "2025-03-12T08:30" (UTC), "2025-03-12T08:30+02:00", "now-2h" or milliseconds since 1970, unlike "${last}"`,
        );
      }
      return (now) => at(now) ?? found;
    },
  };
}

const unitLengths = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** An option with a span of time, in milliseconds: `90s`, `30m`, `2h`; `0s` only where the least of it is 0. */
export function span(
  value: string,
  about: string,
  { least }: { readonly least: 0 | 1 } = { least: 1 },
): OptionSpec<number | undefined> {
  return {
    value,
    about,
    read: (written, flag) => written.map((each) => toSpan(each, flag, least)).at(-1),
  };
}

/** An option with a span of time in milliseconds that has a default; undefined for `0` or `none`, which set no limit. */
export function spanOrNone(fallback: string, value: string, about: string): OptionSpec<number | undefined> {
  return {
    value,
    about,
    fallback,
    read(written, flag) {
      const last = written.at(-1) ?? fallback;
      return /^(0[smh]?|none)$/.test(last) ? undefined : toSpan(last, flag, 1);
    },
  };
}

function toSpan(written: string, flag: string, least: number): number {
  const [, digits, unit] = /^(\d{1,6})([smh])$/.exec(written) ?? [];
  if (Number(digits) < least)
    throw new UsageError(`"${flag}" requires a time span above 0, unlike "${written}"`);
  if (digits !== undefined && (unit === 's' || unit === 'm' || unit === 'h')) {
    return Number(digits) * unitLengths[unit];
  }
  throw new UsageError(`"${flag}" requires a time span as "90s", "30m" or "2h", unlike "${written}"`);
}
