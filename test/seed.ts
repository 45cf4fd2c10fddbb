import fc from 'fast-check';

/** Properties are held for other inputs each time; with `PROPERTY_SEED` for those of a run before. */
const seed = process.env.PROPERTY_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
