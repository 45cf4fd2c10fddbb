import { defineConfig } from 'vitest/config';
import { repeatBy } from '../repeat.ts';

/**
 * Tests with a real ClickHouse, whose package is fetched beside the project: they are no part of `npm test`.
 * To run them: npm run test:cluster
 */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.live.ts'],
    globalSetup: 'test/cluster/install-server.ts',
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // A server that ends by itself is started again and says why; what could not reach it meanwhile is asked once more.
    retry: {
      count: 2,
      delay: 20_000,
      condition: /Connection refused|NETWORK_ERROR|ECONNREFUSED|ECONNRESET|fetch failed/,
    },
    // Each file has a server of its own, of 300 MB.
    maxWorkers: 2,
    // Names every test, and with it the seed.
    reporters: ['verbose', repeatBy('npm run test:cluster --')],
  },
});
