import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import asc from 'assemblyscript/asc';
import { rolldown } from 'rolldown';

/**
 * Bundles the command line into `dist/bin`. Code of a single command is a file
 * of its own, which is loaded on its call. The bundle is CommonJS: Node loads
 * many such files sooner than modules.
 */
const bundle = await rolldown({
  input: {
    main: 'src/cli/main.ts',
    // Run in threads of their own, and are found beside what starts them.
    'region-worker': 'src/case/loading/region-worker.ts',
    'segment-worker': 'src/word-index/segment-worker.ts',
    // Runs in a process of its own, likewise.
    'sql-process': 'src/case/sql/sql-process.ts',
  },
  platform: 'node',
  // The native part of the database's driver. The rest, a hundred files, is bundled.
  external: ['@duckdb/node-bindings'],
  transform: { target: 'node20.19' },
});
const { output } = await bundle.write({
  dir: 'dist/bin',
  cleanDir: true,
  format: 'cjs',
  // Less text is read sooner.
  minify: true,
  chunkFileNames: '[name]-[hash].js',
  // Scripts with stored code have no `import()`: `require` takes modules of Node as well.
  dynamicImportInCjs: false,
  // Commands that need no more of the store, as `sql`, which starts a process, do without the database's driver.
  codeSplitting: {
    groups: [
      {
        name: 'store-basics',
        test: /src\/database\/(?:package|store-error)\.ts$/,
      },
    ],
  },
});
await bundle.close();

// What runs these files, with the code that an earlier call compiled.
const start = await rolldown({
  input: 'src/cli/start.ts',
  platform: 'node',
  transform: { target: 'node20.19' },
});
await start.write({ file: 'dist/bin/logquarry.js', format: 'cjs', minify: true });
await start.close();

// The page of `logquarry ui`, which is found beside the command line.
const page = await rolldown({
  input: { page: 'src/page/main.tsx' },
  platform: 'browser',
  tsconfig: 'src/page/tsconfig.json',
  transform: { target: 'es2023' },
});
const { output: pageOutput } = await page.write({ dir: 'dist/bin/page', format: 'esm', minify: true });
await page.close();
for (const name of ['index.html', 'page.css', 'icon.svg'])
  await copyFile(join('src/page', name), join('dist/bin/page', name));

await writeFile('dist/bin/package.json', '{ "type": "commonjs" }\n');

// The pages for "man" come from the texts of the help, which need none of what the commands load.
const manual = await rolldown({
  input: 'packaging/write-manual.ts',
  platform: 'node',
  external: ['@duckdb/node-bindings'],
  transform: { target: 'node20.19' },
  plugins: [{ name: 'no-commands', resolveDynamicImport: (id) => ({ id, external: true }) }],
});
await manual.write({ file: 'node_modules/.cache/packaging/write-manual.mjs' });
await manual.close();
await import('./node_modules/.cache/packaging/write-manual.mjs');

// The work on every log is WebAssembly, which lies beside its users too.
const programs = ['plain-lines', 'columns', 'postings', 'phrase'].map((program) => ({
  program,
  built: join('dist/database', `${program}.wasm`),
}));
for (const { program, built } of programs) {
  const { error, stderr } = await asc.main([
    `src/database/assembly/${program}.ts`,
    ...['--outFile', built, '--runtime', 'stub', '--enable', 'simd', '--optimizeLevel', '3', '--noAssert'],
  ]);
  if (error) throw new Error(stderr.toString(), { cause: error });
  await copyFile(built, `dist/bin/${program}.wasm`);
}

// The licences of what is bundled ask to be passed on with it.
const modules = [...output, ...pageOutput].flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
const packages = new Set(
  modules.flatMap((id) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative('.', id)) ?? []),
);
const licences = await Promise.all([...packages].sort().map(licenceOf));
await writeFile('dist/bin/licences.txt', licences.join('\n\n'));

// Files that were built from sources that are gone would go into the package.
for (const path of await readdir('dist', { recursive: true })) {
  const [name, ending] = path.split(/(\.js|\.js\.map|\.d\.ts|\.wasm)$/);
  if (!ending || path.startsWith('bin')) continue;
  const isBuilt =
    ending === '.wasm'
      ? programs.some(({ built }) => built === join('dist', path))
      : existsSync(join('src', `${name}.ts`));
  if (!isBuilt) await rm(join('dist', path));
}

/** The name, version and licence of a package. */
async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? await readFile(join(folder, file), 'utf8') : '';
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
