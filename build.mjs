import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

/**
 * Bundles the command line into `dist/bin`. What one command needs and others
 * do without is split off, so that it is loaded when that command is called.
 */
await rm('dist/bin', { recursive: true, force: true });
await build({
  entryPoints: { logquarry: 'src/cli/main.ts' },
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@duckdb/node-api'],
  // Less text is read sooner; the names are kept for the stacks of errors.
  minify: true,
  keepNames: true,
  chunkNames: '[name]-[hash]',
  // Packages in CommonJS ask for the modules of Node in this way.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
});
