import { defineConfig } from 'vitest/config';

/**
 * Comparisons with real engines, which must be installed: they are no part of
 * `npm test`. To run them: npx vitest run --config test/live/vitest.config.ts
 */
export default defineConfig({
  test: { include: ['test/live/**/*.live.ts'], testTimeout: 600_000, fileParallelism: false },
});
