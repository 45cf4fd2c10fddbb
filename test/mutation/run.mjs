import { Stryker } from '@stryker-mutator/core';
import { printUnexplained } from './survivors.mjs';

/**
 * Changes the sources one place at a time, and reports the changes that no test
 * notices: `npm run mutation [-- src/language [src/language/parse/lex.ts]]`, of a
 * folder all sources or those of a pattern. The tests run so often that this
 * takes hours for all folders; `MUTATION_SAMPLE=10` tries every tenth change.
 * `reports/mutation` holds the reports, and what a later run need not repeat:
 * remove it after a change in this folder.
 */
const [prefix = '', files] = process.argv.slice(2);

/** The tests of sources: those written for them, because a mutant that survives runs all that reach it. */
const suites = {
  'src/export/decide/*.ts': [
    'test/export/{cap-control,concurrency,decide-window,density,evidence,expected,observed-behaviour,remaining,resolution}.test.ts',
    'test/export/{scheduler,slice,totals,verdict,window-parts,window-states}.test.ts',
    'test/property/{coarse-times,export-verdict,remaining}.test.ts',
  ],
  // Their deployment runs in the process of the tests.
  'src/export/run/*.ts': [
    'test/export/{concurrent-jobs,export-faults,export-state,export-windows,own-cap}.test.ts',
    'test/export/{coverage,find-beginning,open-export,order,request-settings,sample-times}.test.ts',
    'test/export/{search-windows,stored-exports,summarize-reply,window-request,windows-result}.test.ts',
  ],
  'src/language/parse/*.ts': [
    'test/language/!(any-size).test.ts',
    'test/property/language.test.ts',
    'test/grammar/grammar.test.ts',
  ],
  'src/language/meaning/!(analyze|score*).ts': [
    'test/meaning/*.test.ts',
    'test/lint/validate.test.ts',
    'test/language/engine.test.ts',
    'test/conformance/{booleans,searches}.test.ts',
    'test/property/explicit.test.ts',
  ],
  'src/language/meaning/analyze.ts': [
    'test/meaning/{analyzer,analyzer-classes,ascii-words}.test.ts',
    'test/conformance/tokens.test.ts',
    'test/property/analyzer.test.ts',
  ],
  'src/language/logic/*.ts': ['test/logic/*.test.ts', 'test/property/{compare,plan,simplify}.test.ts'],
  'src/language/assist/*.ts': ['test/assist/*.test.ts', 'test/property/{complete,explain}.test.ts'],
  'src/language/automata/*.ts': ['test/patterns/*.test.ts', 'test/property/pattern.test.ts'],
  'src/language/meaning/score*.ts': [
    'test/meaning/relevance/*.test.ts',
    'test/conformance/relevance.test.ts',
    'test/property/relevance.test.ts',
  ],
  'src/language/lint/*.ts': [
    'test/lint/validate.test.ts',
    'test/lint/{rules,views}/*.test.ts',
    'test/property/{refused,rule-views,rules}.test.ts',
  ],
  // Threads run what was built, without the changes.
  'src/word-index/!(segment-worker).ts': [
    'test/store/segments/*.test.ts',
    'test/store/{best-logs,bit-parts,essential-leaves,field-values,find-logs,first-logs,id-index,log-set,many-hits}.test.ts',
    'test/store/{rebuilt-index,token-index}.test.ts',
    'test/property/{literal-start,near-terms,relevance-index,times,token-index.large}.test.ts',
  ],
  'src/language/translate/@(elasticsearch|text).ts': [
    'test/translate/{elasticsearch,text}.test.ts',
    'test/property/{elasticsearch,text}.test.ts',
  ],
  'src/language/translate/@(duckdb|sql).ts': [
    'test/translate/{duckdb,duckdb-pattern,duckdb-statement,re2}.test.ts',
    'test/property/pattern-sql.test.ts',
  ],
};

const chosen = Object.entries(suites).filter(([sources]) => sources.startsWith(prefix));
if (chosen.length === 0) throw new Error(`"${prefix}" begins none of:\n${Object.keys(suites).join('\n')}`);
for (const [sources, testFiles] of chosen) await mutate(files ?? sources, testFiles);

async function mutate(sources, testFiles) {
  const report = `reports/mutation/${sources.replaceAll(/[^\w-]+/g, '-').slice(0, 60)}`;
  const stryker = new Stryker({
    mutate: [sources],
    testFiles,
    // Texts are messages, which the tests compare, or names of kinds, which types check.
    // The texts of translations are statements of another language.
    mutator: { excludedMutations: sources.startsWith('src/language/translate/') ? [] : ['StringLiteral'] },
    testRunner: 'one-process',
    plugins: [import.meta.resolve('./runner.mjs')],
    coverageAnalysis: 'perTest',
    ignorePatterns: ['docs', 'samples', 'dist/bin', 'reports'],
    incremental: !process.env.MUTATION_SAMPLE,
    incrementalFile: `${report}.incremental.json`,
    reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    concurrency: Number(process.env.MUTATION_JOBS ?? 2),
    // Stryker stops a loop with a mutant in it by the number of its rounds; this is for other loops.
    timeoutMS: 20_000,
    timeoutFactor: 1,
    dryRunTimeoutMinutes: 15,
  });
  printUnexplained(await stryker.runMutationTest());
}
