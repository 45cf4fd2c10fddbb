import type { Random } from './random.ts';

/** A time in the story and the circumstances at it. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly random: Random;
  /** Shortage of connections in the pool at a time, 0 (plenty) to 1 (none left). */
  readonly pressureAt: (time: number) => number;
}

/** Seconds as they are logged: with milliseconds. */
export function toSeconds(value: number): number {
  return Math.round(value * 1000) / 1000;
}
