import type { Look } from './look.ts';
import { holds, type Window } from './window.ts';

/** The first step back in time, in milliseconds: an hour. Each step is twice the one before. */
const firstStep = 3_600_000;

/** The beginning is narrowed down to this share of the time between it and the newest log. */
const precision = 0.05;

/**
 * Finds a time, in milliseconds since the epoch, that no log of a window is older than,
 * by calls for one log each; undefined where there are none. The answer to the call for the oldest log is checked: a
 * deployment that does not sort returns another one, and then the time is
 * halved until the beginning is known well enough.
 */
export async function findBeginning(window: Window, look: Look): Promise<number | undefined> {
  const [first] = await look(window, { num: 1, order: 'asc' });
  if (first === undefined) return undefined;
  // A deployment may not heed the times; that shows elsewhere.
  if (first <= window.oldest || !holds(window, first)) return window.oldest;
  const newestUntil = async (newest: number) =>
    (await look({ oldest: window.oldest, newest }, { num: 1, order: 'desc' }))[0];
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
