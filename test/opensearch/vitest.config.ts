import { defineConfig } from 'vitest/config';
import { repeatBy } from '../repeat.ts';

/**
 * Comparisons with a real OpenSearch, which is fetched beside the project (30 MB), on a JDK: they are
 * no part of `npm test`. To run them: npm run conformance:opensearch
 */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig({
  test: {
    include: ['test/opensearch/**/*.live.ts'],
    testTimeout: 900_000,
    globalSetup: 'test/opensearch/install-server.ts',
    hookTimeout: 900_000,
    fileParallelism: false,
    // Names every test, and with it the seed.
    reporters: ['verbose', repeatBy('npm run conformance:opensearch --')],
  },
});
