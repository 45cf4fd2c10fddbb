import * as v from 'valibot';
import type { Survey } from './survey.ts';
import { holds, type Window } from './window.ts';

const check = v.object({
  oldest: v.number(),
  newest: v.number(),
  count: v.number(),
  /** The sum of the prints of the logs, modulo 2^48: it does not depend on their order. */
  print: v.optional(v.number(), 0),
  /** `exact`: these logs and no others, which proves an order. `least`: at least as many, or logs were lost. */
  kind: v.optional(v.picklist(['exact', 'least']), 'exact'),
  /** Records of the reply that has shown them: more logs in its times prove that it was cut at that size. */
  records: v.optional(v.number()),
});

const checks = v.union([
  v.array(check),
  v.pipe(
    check,
    v.transform((one) => [one]),
  ),
]);

/** The logs of some times as one reply has shown them, which another reply has to show again. */
export type Expected = v.InferOutput<typeof check>;

const modulus = 2 ** 48;

/** The checks of a window as the case stores them. */
export function readExpected(text: string | undefined): readonly Expected[] {
  return text === undefined ? [] : v.parse(checks, JSON.parse(text));
}

/** Checks as the case stores them; undefined where there are none. */
export function writeExpected(expected: readonly Expected[]): string | undefined {
  return expected.length === 0 ? undefined : JSON.stringify(expected);
}

/** An exact check: what a reply shows of some times. */
export function shownBy({ times, prints }: Survey, { oldest, newest }: Window): Expected {
  let [count, print] = [0, 0];
  for (const [index, time] of times.entries()) {
    if (time === undefined || !holds({ oldest, newest }, time)) continue;
    count += 1;
    print = (print + (prints[index] ?? 0)) % modulus;
  }
  return { oldest, newest, count, print, kind: 'exact' };
}

/** An exact check that there are no logs of some times. It is no proof of an order when they do not come. */
export function nothing(oldest: number, newest: number): Expected {
  return { oldest, newest, count: 0, print: 0, kind: 'exact' };
}

/** Seen logs are split into at most this many checks, so that a window can be cut between them. */
const mostChecks = 8;

/** Lower bounds for the logs of some times that a reply of `records` has shown: as many have to come again. */
export function seenBy({ times }: Survey, { oldest, newest }: Window, records: number): readonly Expected[] {
  const own = times
    .filter((time) => time !== undefined)
    .filter((time) => holds({ oldest, newest }, time))
    .sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(own.length / mostChecks));
  const starts = own.filter((time, index) => index % step === 0 && oldest < time);
  const edges = [oldest, ...new Set(starts)];
  return edges.map((from, index) => {
    const to = (edges[index + 1] ?? newest + 1) - 1;
    const count = own.filter((time) => from <= time && time <= to).length;
    return { oldest: from, newest: to, count, print: 0, kind: 'least', records };
  });
}

/** A lower bound of one log at the time of a log that is known: a reply that lacks it is not what was asked for. */
export function control(time: number): Expected {
  return { oldest: time, newest: time, count: 1, print: 0, kind: 'least' };
}

/** Returns whether a reply shows exactly what exact checks say; undefined where both are empty. */
export function showsAgain(survey: Survey, expected: readonly Expected[]): boolean | undefined {
  const results = expected
    .filter(({ kind }) => kind === 'exact')
    .map((wanted) => {
      const shown = shownBy(survey, wanted);
      if (wanted.count === 0 && shown.count === 0) return undefined;
      return shown.count === wanted.count && shown.print === wanted.print;
    });
  return results.includes(false) ? false : results.find((each) => each !== undefined);
}

/** Logs that were seen in earlier replies and are missing in this one. */
export function shortfall(survey: Survey, expected: readonly Expected[]): number {
  const lackOf = (each: Expected) => Math.max(0, each.count - shownBy(survey, each).count);
  const least = expected.filter(({ kind }) => kind === 'least').reduce((sum, each) => sum + lackOf(each), 0);
  // An exact check is of times that lower bounds are known of as well.
  return Math.max(least, ...expected.filter(({ kind }) => kind === 'exact').map(lackOf));
}

/** Logs that come late are no proof of a cut: more than this share of a reply has to be new. */
const lateShare = 0.01;

/** The size at which an earlier reply was cut, where this reply shows logs of its times that it lacked. */
export function cutSize(survey: Survey, expected: readonly Expected[]): number | undefined {
  const least = expected.filter(({ kind, records }) => kind === 'least' && records !== undefined);
  for (const records of new Set(least.map((each) => each.records ?? 0))) {
    const own = least.filter((each) => each.records === records);
    const more = own.reduce((sum, each) => sum + shownBy(survey, each).count - each.count, 0);
    if (records * lateShare < more) return records;
  }
  return undefined;
}

/** The times to ask for, so that all checks of a window can be made. */
export function askedTimes({ oldest, newest }: Window, expected: readonly Expected[]): Window {
  return {
    oldest: Math.min(oldest, ...expected.map((each) => each.oldest)),
    newest: Math.max(newest, ...expected.map((each) => each.newest)),
  };
}

/** Checks as they hold within a window: of one that reaches beyond it only the absence of a lower bound is known. */
export function checksWithin({ oldest, newest }: Window, expected: readonly Expected[]): readonly Expected[] {
  return expected.flatMap((each) => {
    if (each.newest < oldest || newest < each.oldest) return [];
    if (oldest <= each.oldest && each.newest <= newest) return [each];
    if (each.kind === 'exact' || 0 < each.count) return [];
    return [{ ...each, oldest: Math.max(oldest, each.oldest), newest: Math.min(newest, each.newest) }];
  });
}
