import fc from 'fast-check';
import type { Trial } from './texts.ts';

/** A message to a worker. */
export interface Work {
  readonly seed: number;
  /** The first batch to do. */
  readonly batch: number;
  /** When to stop, in milliseconds since the epoch. */
  readonly until: number;
  /** The folder of the measured answers. */
  readonly folder: string;
  /** Memory that the watchdog sees: see `Beat`. */
  readonly progress: Int32Array;
}

/** The places of the shared memory: what is being tried, and a number that changes as long as the work goes on. */
export const Beat = { batch: 0, index: 1, count: 2 } as const;

/** The message of a worker about one batch. */
export interface Report {
  readonly counts: ReadonlyMap<string, Count>;
  readonly slowest: { readonly trial: Trial; readonly time: number };
  readonly failures: readonly Failure[];
}

/** Results for the texts of one kind. */
export interface Count {
  readonly texts: number;
  readonly units: number;
  readonly accepted: number;
  readonly findings: number;
  /** Milliseconds of the processor. */
  readonly time: number;
}

/** Two counts added up. */
export function plus(a: Count, b: Count): Count {
  return {
    texts: a.texts + b.texts,
    units: a.units + b.units,
    accepted: a.accepted + b.accepted,
    findings: a.findings + b.findings,
    time: a.time + b.time,
  };
}

/** A text for which something does not hold. */
export interface Failure {
  readonly text: string;
  /** The failure: its first line and its place. */
  readonly key: string;
  readonly stack: string;
}

/** The texts of one batch, the same ones for the same seed. */
export function batchOf(trials: fc.Arbitrary<Trial>, seed: number): readonly Trial[] {
  return fc.sample(trials, { seed, numRuns: 500 });
}
