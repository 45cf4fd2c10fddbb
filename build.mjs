import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles the command line into `dist/bin`. What one command needs and others
 * do without is split off, so that it is loaded when that command is called.
 */
await rm('dist/bin', { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  entryPoints: { logquarry: 'src/cli/main.ts' },
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@duckdb/node-api'],
  // Less text is read sooner.
  minify: true,
  chunkNames: '[name]-[hash]',
  // Packages in CommonJS ask for the modules of Node in this way.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
});

// The licences of what is bundled ask to be passed on with it.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
);
const licences = await Promise.all([...packages].sort().map(licenceOf));
await writeFile('dist/bin/licences.txt', licences.join('\n\n'));

// What the compiler made of sources that are gone would go into the package.
for (const path of await readdir('dist', { recursive: true })) {
  const [name, ending] = path.split(/(\.js|\.js\.map|\.d\.ts)$/);
  if (ending && !path.startsWith('bin') && !existsSync(join('src', `${name}.ts`)))
    await rm(join('dist', path));
}

/** The name, version and licence of a package. */
async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? await readFile(join(folder, file), 'utf8') : '';
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
