import { defineConfig } from 'vitest/config';
import { repeatBy } from '../repeat.ts';

/**
 * Comparisons with Lucene itself, which must be installed (and a JDK): they are
 * no part of `npm test`. To run them: npm run conformance:live
 */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig({
  test: {
    include: ['test/live/**/*.live.ts'],
    testTimeout: 900_000,
    fileParallelism: false,
    // Names every test, and with it the seed.
    reporters: ['verbose', repeatBy('npm run conformance:live --')],
  },
});
