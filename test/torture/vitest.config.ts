import { defineConfig } from 'vitest/config';
import { repeatBy } from '../repeat.ts';

/** A fault at every write takes half an hour, so it is no part of `npm test`. To run it: npm run torture */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig({
  test: {
    include: ['test/torture/**/*.torture.ts'],
    hookTimeout: 120_000,
    reporters: ['verbose', repeatBy('npm run torture --')],
  },
});
