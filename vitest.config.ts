import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { isFull } from './test/effort.ts';
import { ProcessesFirst } from './test/processes-first.ts';
import { repeatBy } from './test/repeat.ts';
import { unfinished } from './test/unfinished.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Large tests take half a minute each, or gigabytes.
    exclude: isFull ? [] : ['test/**/*.large.test.ts'],
    setupFiles: 'test/seed.ts',
    // In a terminal it shows how far it is; elsewhere what failed, and a summary.
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', unfinished, repeatBy()],
    // Importing the sources anew for each file takes longer than most tests: a process runs many files.
    isolate: false,
    // One more than there are cores: tests of the command line wait for processes that they start.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: ProcessesFirst },
    // Only what hangs is ended: no test measures time, and a slow machine beside other work takes its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 600_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // A browser and a real cluster run these, out of sight of this process.
      exclude: ['src/page/**', 'src/cluster/**', 'src/cli/cluster/**', 'src/cli/commands/clusters/**'],
      // Errors that a mistake in the grammar alone could cause have no test.
      thresholds: { lines: 90, branches: 85, 'src/language/**': { lines: 99, branches: 95 } },
    },
  },
});
