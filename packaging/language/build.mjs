import { copyFile, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/**
 * Builds the package of the language in `packaging/language/dist` from the same sources and, for its declarations, from
 * what `tsc` has written to `dist`.
 */
const target = 'packaging/language/dist';
await rm(target, { recursive: true, force: true });

const bundle = await rolldown({
  input: { index: 'src/language-package.ts' },
  platform: 'neutral',
  external: ['chevrotain'],
  transform: { target: 'es2023' },
});
await bundle.write({ dir: target, format: 'esm' });
await bundle.close();

const types = join(target, 'types');
await mkdir(types, { recursive: true });
for (const name of ['language-package.d.ts', 'language.d.ts', 'meaning.d.ts'])
  await copyFile(join('dist', name), join(types, name));
for (const path of await readdir('dist/language', { recursive: true }))
  if (path.endsWith('.d.ts')) await cp(join('dist/language', path), join(types, 'language', path));
await copyFile('LICENSE', join(target, 'LICENSE'));
// A little of it is bundled.
await copyFile('node_modules/valibot/LICENSE.md', join(target, 'LICENSE-valibot.md'));

// Its users pay for the code they call: a bundle of everything is the upper bound.
const browser = await rolldown({ input: join(target, 'index.js'), platform: 'browser' });
const { output } = await browser.generate({ format: 'esm', minify: true });
await browser.close();
const zipped = gzipSync(output[0].code, { level: 9 }).length;
const folders = [
  target,
  ...['chevrotain', '@chevrotain', 'lodash-es'].map((name) => join('node_modules', name)),
];
const installed = (await Promise.all(folders.map(sizeOf))).reduce((sum, size) => sum + size, 0);
// `npm pack --json` prints its own output, during which this runs.
console.error(
  `@logquarry/language: ${(installed / 1e6).toFixed(1)} MB installed with chevrotain, ${Math.ceil(zipped / 1000)} kB as a bundle for browsers (gzip)`,
);

/** The bytes of all files in a folder. */
async function sizeOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
