import { containsTime, type Window } from '../decide/window.ts';

/** First step back in time, in milliseconds: an hour. Each step doubles. */
const firstStep = 3_600_000;

/** Precision of the result, as a share of the time from it to the newest log. */
const precision = 0.05;

/**
 * Finds a time that no log of a window is older than, by calls for one log each.
 * Returns milliseconds since the epoch; undefined without logs.
 *
 * The reply to the call for the oldest log is checked. A deployment that does
 * not sort returns another log; then the time is bisected until it is known well
 * enough.
 */
export async function findOldestTime(window: Window, probeTimes: ProbeTimes): Promise<number | undefined> {
  const [first] = await probeTimes(window, { num: 1, order: 'asc' });
  if (first === undefined) return undefined;
  // A deployment may ignore the requested times; other checks detect that.
  if (first <= window.oldest || !containsTime(window, first)) return window.oldest;
  const newestUntil = async (newest: number) =>
    (await probeTimes({ oldest: window.oldest, newest }, { num: 1, order: 'desc' }))[0];
  const older = await newestUntil(first - 1);
  if (older === undefined) return first;
  return await searchBeginning(window, { first, older, newestUntil });
}

async function searchBeginning(
  { oldest }: Window,
  found: {
    readonly first: number;
    readonly older: number;
    readonly newestUntil: (newest: number) => Promise<number | undefined>;
  },
): Promise<number> {
  const { first, newestUntil } = found;
  let [empty, known, step] = [oldest - 1, found.older, firstStep];
  while (oldest < known) {
    const until = Math.max(oldest, known - step);
    const time = await newestUntil(until);
    if (time === undefined) {
      empty = until;
      break;
    }
    [known, step] = [Math.min(time, until), step * 2];
  }
  while ((first - known) * precision + 1 < known - empty) {
    const middle = Math.floor((empty + known) / 2);
    const time = await newestUntil(middle);
    if (time === undefined) empty = middle;
    else known = Math.min(time, middle);
  }
  return empty + 1;
}

/**
 * Requests at most `num` logs from one end of an interval, and returns their
 * times in milliseconds since the epoch.
 */
export type ProbeTimes = (
  window: Window,
  more: { readonly num: number; readonly order: 'asc' | 'desc' },
) => Promise<readonly number[]>;
