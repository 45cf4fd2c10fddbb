import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
