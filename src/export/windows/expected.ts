import * as v from 'valibot';
import type { Survey } from './survey.ts';
import { holds, type Window } from './window.ts';

const expected = v.object({
  oldest: v.number(),
  newest: v.number(),
  count: v.number(),
  /** The sum of the prints of the logs, modulo 2^48: it does not depend on their order. */
  print: v.number(),
});

/** The logs of some times as one reply has shown them, which another reply has to show again. */
export type Expected = v.InferOutput<typeof expected>;

const modulus = 2 ** 48;

/** What a reply shows of some times. */
export function shownBy({ times, prints }: Survey, { oldest, newest }: Window): Expected {
  let [count, print] = [0, 0];
  for (const [index, time] of times.entries()) {
    if (time === undefined || !holds({ oldest, newest }, time)) continue;
    count += 1;
    print = (print + (prints[index] ?? 0)) % modulus;
  }
  return { oldest, newest, count, print };
}

/** That there are no logs of some times. It is no proof of an order when they do not come. */
export function nothing(oldest: number, newest: number): Expected {
  return { oldest, newest, count: 0, print: 0 };
}

/** Whether a reply shows what another one has shown; undefined when that was nothing. */
export function showsAgain(survey: Survey, kept = 'null'): boolean | undefined {
  const wanted = v.parse(expected, JSON.parse(kept));
  const shown = shownBy(survey, wanted);
  if (wanted.count === 0 && shown.count === 0) return undefined;
  return shown.count === wanted.count && shown.print === wanted.print;
}
