import type { Random } from './random.ts';

/** When something happens, and what decides how it goes. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly random: Random;
  /** How short of connections the pool is at a time, 0 to 1. */
  readonly pressureAt: (time: number) => number;
}

/** Seconds as they are logged: with milliseconds. */
export function toSeconds(value: number): number {
  return Math.round(value * 1000) / 1000;
}
