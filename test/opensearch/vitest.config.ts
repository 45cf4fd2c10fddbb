import { defineConfig } from 'vitest/config';
import { repeatBy } from '../repeat.ts';
import { installServer, Unreachable } from './install-server.ts';

/**
 * Comparisons with a real OpenSearch, which is fetched beside the project (30 MB), on a JDK of version 17 to 23: they are
 * no part of `npm test`. To run them: npm run conformance:opensearch
 */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig(async () => {
  const isThere = await installServer().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Unreachable)) throw error;
      process.stderr.write(`The comparisons with OpenSearch are left out: ${error.message}\n`);
      return false;
    },
  );
  return {
    test: {
      include: isThere ? ['test/opensearch/**/*.live.ts'] : [],
      passWithNoTests: !isThere,
      testTimeout: 900_000,
      hookTimeout: 900_000,
      fileParallelism: false,
      // Names every test, and with it the seed.
      reporters: ['verbose', repeatBy('npm run conformance:opensearch --')],
    },
  };
});
