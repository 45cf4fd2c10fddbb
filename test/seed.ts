import fc from 'fast-check';
import { rounds } from './effort.ts';
import { runSeed } from './run-seed.ts';

fc.configureGlobal({ numRuns: rounds(100), seed: runSeed });
