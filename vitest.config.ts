import { defineConfig } from 'vitest/config';
import { unfinished } from './test/unfinished.ts';

export default defineConfig({
  test: {
    reporters: ['default', unfinished],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/property/**', 'test/e2e/**'],
          setupFiles: 'test/seed.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'property',
          include: ['test/property/**/*.test.ts'],
          setupFiles: 'test/seed.ts',
          benchmark: { include: [] },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          benchmark: { include: [] },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      thresholds: { lines: 90, branches: 85, 'src/language/**': { lines: 100, branches: 95 } },
    },
  },
});
