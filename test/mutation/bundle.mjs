import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** The address of the file that `bundleTests` writes: the process goes into the copy of the sources before it asks. */
export const bundleAddress = () => pathToFileURL(resolve('.mutation/tests.mjs')).href;

/**
 * Writes tests, and all that they import of this package, into one module: each
 * time it is loaded everything in it begins anew. Packages stay outside, and are
 * loaded once.
 */
export async function bundleTests(testFiles) {
  const functions = resolve('test/mutation/test-functions.ts');
  const fewRuns = resolve('test/mutation/few-runs.ts');
  const bundle = await rolldown({
    input: 'entry',
    platform: 'node',
    logLevel: 'warn',
    transform: { target: 'node20.19' },
    plugins: [
      {
        name: 'tests',
        resolveId(id, importer) {
          if (id === 'entry') return id;
          if (id === 'vitest') return functions;
          if (id === 'fast-check' && importer !== fewRuns) return fewRuns;
          return /^[./]/.test(id) ? undefined : { id, external: true };
        },
        load: (id) => (id === 'entry' ? entryOf(testFiles, functions) : undefined),
        transform: (code, id) =>
          // Files are found beside the sources.
          code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      },
    ],
  });
  await bundle.write({ file: '.mutation/tests.mjs', codeSplitting: false });
  await bundle.close();
}

function entryOf(testFiles, functions) {
  const registered = testFiles.map((file) => {
    const [name, path] = [relative('.', file), file].map((each) => JSON.stringify(each));
    return `await register(${name}, () => import(${path}));`;
  });
  return `import { register, tests } from ${JSON.stringify(functions)};
export { tests };
export const registered = (async () => {${registered.join('\n')}})();`;
}
