import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { unfinished } from './test/unfinished.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: 'test/seed.ts',
    reporters: ['dot', unfinished],
    // Importing the sources anew for each file would take longer than the tests: a process runs many files.
    isolate: false,
    // Two processes on two cores, where one would be the default: many tests wait for programs they start.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      thresholds: { lines: 90, branches: 85, 'src/language/**': { lines: 100, branches: 95 } },
    },
  },
});
