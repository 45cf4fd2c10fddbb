import { Stryker } from '@stryker-mutator/core';

/**
 * Tests the tests: changes the sources one place at a time, and reports which
 * changes no test notices. `npm run mutation [FOLDER | FILES]`, where files are
 * one pattern; all folders below unless given. The report and what a later run
 * need not do again are in `reports/mutation`.
 */
const [only] = process.argv.slice(2);

/** The tests of each folder, the most specific folder first. A surviving mutant costs all tests that reach it, so these are those written for the folder. */
const folders = {
  'src/export/windows': [
    'test/export/{coverage,density,expected,ledger,order,slice,totals,windows-result}.test.ts',
    'test/property/export-verdict.test.ts',
  ],
  'src/language': [
    'test/language/*.test.ts',
    'test/conformance/syntax.test.ts',
    'test/property/language.test.ts',
  ],
  'src/meaning/analyzer': [
    'test/meaning/analyzer{,-classes}.test.ts',
    'test/conformance/tokens.test.ts',
    'test/property/analyzer.test.ts',
  ],
  'src/meaning/compare': ['test/meaning/compare.test.ts', 'test/property/{compare,simplify}.test.ts'],
  'src/meaning/complete': ['test/meaning/complete.test.ts', 'test/property/complete.test.ts'],
  'src/meaning/explain': ['test/meaning/explain.test.ts', 'test/property/explain.test.ts'],
  'src/meaning/pattern': ['test/meaning/pattern/*.test.ts', 'test/property/pattern.test.ts'],
  'src/meaning/plan': ['test/meaning/plan.test.ts', 'test/property/plan.test.ts'],
  'src/meaning/relevance': [
    'test/meaning/relevance/*.test.ts',
    'test/conformance/relevance.test.ts',
    'test/property/relevance.test.ts',
  ],
  'src/meaning/rules': [
    'test/meaning/validate.test.ts',
    'test/meaning/rules/*.test.ts',
    'test/property/{rules,rule-views}.test.ts',
  ],
  'src/meaning/simplify': ['test/meaning/simplify.test.ts', 'test/property/simplify.test.ts'],
  'src/meaning': [
    'test/meaning/{compare,date,explicit,narrow,nearest,read-schema,resolve,validate}.test.ts',
    'test/conformance/{booleans,searches}.test.ts',
    'test/property/{explicit,simplify}.test.ts',
  ],
  'src/translate': [
    'test/translate/*.test.ts',
    'test/property/{text,elasticsearch,duckdb,pattern-sql,literal-start}.test.ts',
  ],
};

for (const path of only === undefined ? Object.keys(folders) : [only]) await mutate(path);

async function mutate(path) {
  const [folder, testFiles] = Object.entries(folders).find(([name]) => path.startsWith(name)) ?? [];
  if (folder === undefined) throw new Error(`"${path}" is in none of: ${Object.keys(folders).join(', ')}`);
  const report = `reports/mutation/${path.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}`;
  // The files of a folder with folders of its own are by themselves: those below it have their own tests.
  const isParent = Object.keys(folders).some((name) => name.startsWith(`${path}/`));
  await new Stryker({
    mutate: [path.endsWith('.ts') ? path : `${path}/${isParent ? '*' : '**/*'}.ts`],
    testFiles,
    // Texts are messages, which the tests of a rule compare, and names of kinds, which are types: a mutant of
    // one says nothing. In `translate` they are statements of another language.
    mutator: { excludedMutations: folder === 'src/translate' ? [] : ['StringLiteral'] },
    testRunner: 'one-process',
    plugins: [import.meta.resolve('./runner.mjs')],
    coverageAnalysis: 'perTest',
    ignorePatterns: ['docs', 'samples', 'dist/bin'],
    incremental: true,
    incrementalFile: `${report}.incremental.json`,
    reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    concurrency: Number(process.env.MUTATION_JOBS ?? 2),
    // A loop without an end stops at the number of its rounds; this is for the few others.
    timeoutMS: 10_000,
    timeoutFactor: 2,
    dryRunTimeoutMinutes: 15,
  }).runMutationTest();
}
