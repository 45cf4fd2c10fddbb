/**
 * Questions of a run, by the environment. Another seed asks other questions; the
 * one of a run stands in the names of its tests, and `LIVE_SEED` repeats it.
 */
export const seed = Number(process.env.LIVE_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Number of questions of each kind. */
export const numRuns = Number(process.env.LIVE_RUNS ?? 5_000);
