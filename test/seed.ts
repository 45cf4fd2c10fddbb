import fc from 'fast-check';
import { rounds } from './effort.ts';

/** Properties are held for other inputs each time; with `PROPERTY_SEED` for those of a run before. */
const seed = process.env.PROPERTY_SEED;
fc.configureGlobal({ numRuns: rounds(100), ...(seed !== undefined && { seed: Number(seed) }) });
