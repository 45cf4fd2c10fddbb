import { runSeed } from '../run-seed.ts';

/** Seed of the questions of a run. It stands in the names of the tests, and `PROPERTY_SEED` repeats it. */
export const seed = runSeed;

/** Number of questions of each kind. */
export const numRuns = Number(process.env.LIVE_RUNS ?? 5_000);
