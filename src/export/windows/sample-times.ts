import { lengthOf, type Window } from './window.ts';

/** A stretch of time with the logs that are in it for each millisecond. */
export interface Stretch extends Window {
  readonly density: number;
}

/** What samples tell of the logs of a time. */
export interface Sampled {
  /** Whether all logs came, so that nothing is estimated. */
  readonly exact: boolean;
  /** Without gaps, the newest first. */
  readonly stretches: readonly Stretch[];
}

/** Asks for at most so many logs of a time, from one end of it, and gives back their times. */
export type Look = (
  window: Window,
  more: { readonly num: number; readonly order: 'asc' | 'desc' },
) => Promise<readonly number[]>;

/** What is left after the first sample is looked at again at these shares of its time, then of what is left then. */
const places = [0.6, 0.5] as const;

/**
 * Estimates how dense the logs of a time are, by four looks at most. Each
 * sample is exact for its own stretch, empty times at its newer end included;
 * between two of them the logs are taken to be as dense as in the mean of both.
 * So neither a long quiet time nor a short dense one hides the other.
 */
export async function sampleTimes(whole: Window, num: number, look: Look): Promise<Sampled> {
  const first = await look(whole, { num, order: 'desc' });
  const stretches: Stretch[] = [];
  if (first.length < num) return { exact: true, stretches: [stretchOf(whole, first.length)] };
  const [begins = whole.oldest] = await look(whole, { num: 1, order: 'asc' });
  let sample = sampleOf(whole.newest, first);
  stretches.push(sample.stretch);
  for (const place of places) {
    const { oldest } = sample.stretch;
    const until = begins + Math.floor((oldest - begins) * place);
    if (oldest <= until || until <= begins) break;
    const times = await look({ oldest: begins, newest: until }, { num, order: 'desc' });
    const isAll = times.length < num;
    const next = isAll
      ? { stretch: stretchOf({ oldest: begins, newest: until }, times.length), density: sample.density }
      : sampleOf(until, times);
    const between = { oldest: until + 1, newest: oldest - 1 };
    if (0 < lengthOf(between)) stretches.push({ ...between, density: meanOf(sample.density, next.density) });
    stretches.push(next.stretch);
    if (isAll) return { exact: false, stretches };
    sample = next;
  }
  const rest = { oldest: begins, newest: sample.stretch.oldest - 1 };
  if (0 < lengthOf(rest)) stretches.push({ ...rest, density: sample.density ?? 0 });
  return { exact: false, stretches };
}

/** The stretch from the oldest log of a sample to the time before which it was asked for, and how dense its logs are at the older end. */
function sampleOf(until: number, times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  const [oldest = until, newest = until] = [sorted[0], sorted.at(-1)];
  const older = sorted.slice(0, Math.ceil(sorted.length / 2));
  return {
    stretch: stretchOf({ oldest, newest: Math.max(until, newest) }, times.length),
    // A crowd of one millisecond says nothing of the times around it.
    density: oldest === older.at(-1) ? undefined : older.length / ((older.at(-1) ?? oldest) - oldest + 1),
  };
}

/** The geometric mean: densities differ by magnitudes. */
function meanOf(first: number | undefined, second: number | undefined): number {
  if (first === undefined || second === undefined) return first ?? second ?? 0;
  return Math.sqrt(first * second);
}

function stretchOf(window: Window, logs: number): Stretch {
  return { oldest: window.oldest, newest: window.newest, density: logs / lengthOf(window) };
}

/** So many windows of a number of logs each, the newest first; at most `most`. */
export function windowsOf(
  stretches: readonly Stretch[],
  { perWindow, most }: { readonly perWindow: number; readonly most: number },
): readonly Window[] {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (!first || !last) return [];
  const windows: Window[] = [];
  let [end, room] = [first.newest, perWindow];
  for (const { oldest, newest, density } of stretches) {
    let from = newest;
    while (room < density * (from - oldest + 1) && windows.length < most) {
      const start = from - Math.max(1, Math.floor(room / density)) + 1;
      windows.push({ oldest: start, newest: end });
      [from, end, room] = [start - 1, start - 1, perWindow];
    }
    room -= density * (from - oldest + 1);
  }
  if (last.oldest <= end && windows.length < most) windows.push({ oldest: last.oldest, newest: end });
  return windows;
}
