/**
 * The language against its peers on npm and Lucene itself, in one run and in
 * turns: parsing, validating, formatting, matching, large texts, start-up.
 * Prints the median of each, and its ratio to the first of its table.
 *
 *     npm run bench:language
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { filter as filterLiqe, parse as parseLiqe } from 'liqe';
import lucene from 'lucene';
import { filter as filterLuceneKit, QueryParser } from 'lucene-kit';
import { format, parse } from '../../dist/language.js';
import { matchDocument, resolve, toDocument, validate } from '../../dist/meaning.js';
import { startLucene } from './language/lucene.mjs';
import { largeTexts, logs, monotonousTexts, queries, shortQueries } from './language/queries.mjs';

const rounds = 25;

/** Warm-up rounds: enough for the JavaScript engine to compile the frequent code of each program. */
const usualWarmUp = 15;
const started = [];
await table(
  `Milliseconds to parse ${queries.length} queries of ${meanLength(queries)} characters`,
  {
    'logquarry: parse': timed(queries, (query) => parse(query)),
    'logquarry: parse, validate': timed(queries, (query) => validate(parse(query).query)),
    'logquarry: parse, format': timed(queries, (query) => format(parse(query).query)),
    'logquarry: parse, resolve': timed(queries, (query) => resolve(parse(query).query)),
    lucene: timed(queries, (query) => lucene.parse(query)),
    'lucene-kit': timed(queries, (query) => new QueryParser(query).toAST()),
    liqe: timed(queries, (query) => parseLiqe(query)),
  },
  { elsewhere: await luceneItself('parse', queries) },
);

const documents = logs.map(toDocument);
await table(
  `Milliseconds to ask ${shortQueries.length} queries of ${logs.length} logs`,
  {
    'logquarry: match': timed(shortQueries, (query) => matching(query, documents)),
    'logquarry: match, logs not yet analysed': timed(shortQueries, (query) =>
      matching(query, logs.map(toDocument)),
    ),
    'lucene-kit: filter': timed(shortQueries, (query) => filterLuceneKit(new QueryParser(query), logs)),
    'liqe: filter': timed(shortQueries, (query) => filterLiqe(parseLiqe(query), logs)),
  },
  { elsewhere: await luceneItself('search', shortQueries) },
);

for (const name of Object.keys(largeTexts)) {
  await table(
    `Milliseconds to read ${name}, once, in a process of its own`,
    Object.fromEntries(
      ['parse', 'parse and validate', 'lucene', 'lucene-kit', 'liqe'].map((each) => [
        each,
        large(each, name),
      ]),
    ),
    { rounds: 3, warmUp: 0 },
  );
}

await table(
  'Milliseconds to parse and validate about 1 MB of one thing, once, in a process of its own',
  Object.fromEntries(Object.keys(monotonousTexts).map((name) => [name, large('parse and validate', name)])),
  { rounds: 3, warmUp: 0 },
);

const command = fileURLToPath(new URL('../../dist/bin/logquarry.js', import.meta.url));
await table(
  'Milliseconds from the start of a process to its end',
  {
    'node, nothing': spawned('-e', '0'),
    'node, logquarry/language': spawned(
      '--input-type=module',
      '-e',
      `import '${import.meta.resolve('../../dist/language.js')}'`,
    ),
    'node, lucene': spawned('--input-type=module', '-e', `import '${import.meta.resolve('lucene')}'`),
    'logquarry check': spawned(command, 'check', 'logLevel:SEVERE AND msg:timeout'),
  },
  { rounds: 9, warmUp: 1 },
);

for (const java of started) java.stop();

/** Makes a program of the comparison: it returns its duration in milliseconds and a note. */
function timed(items, work) {
  return () => {
    let refused = 0;
    const start = performance.now();
    for (const item of items) {
      try {
        work(item);
      } catch {
        refused += 1;
      }
    }
    const time = performance.now() - start;
    return { time, note: refused ? `${refused} refused` : '' };
  };
}

function matching(query, asked) {
  const filter = resolve(parse(query).query);
  return asked.filter((document) => matchDocument(filter, document)).length;
}

/** Lucene as a program of the comparison; none if it is missing. */
async function luceneItself(verb, asked) {
  const java = startLucene();
  if (!java) {
    console.log('Lucene itself is missing: it requires a JDK and the package liblucene8-java of Debian');
    return {};
  }
  started.push(java);
  for (const query of asked) await java.ask('query', query);
  for (const log of logs) await java.ask('log', ...Object.entries(log).flat().map(String));
  return { 'Lucene 8 itself': async () => ({ time: Number(await java.ask(verb)), note: '' }) };
}

function large(program, name) {
  const script = fileURLToPath(new URL('language/large.mjs', import.meta.url));
  return () => {
    const { stdout, signal } = spawnSync(process.execPath, [script, program, name], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (signal) return { time: 60_000, note: 'stopped after a minute' };
    if (stdout === '') return { time: Number.NaN, note: 'failed' };
    const { time, megabytes } = JSON.parse(stdout);
    return { time, note: `${megabytes.toFixed(0)} MB` };
  };
}

function spawned(...options) {
  return () => {
    const start = performance.now();
    spawnSync(process.execPath, options);
    return { time: performance.now() - start, note: '' };
  };
}

/**
 * Runs the programs in turns and prints the median of each. Those in another
 * process run afterwards: while this process waits, its engine discards compiled
 * code.
 */
async function table(title, here, { elsewhere = {}, rounds: count = rounds, warmUp = usualWarmUp } = {}) {
  const results = new Map(Object.keys({ ...here, ...elsewhere }).map((name) => [name, []]));
  for (const programs of [here, elsewhere]) {
    for (let round = -warmUp; round < count; round += 1) {
      for (const [name, work] of Object.entries(programs)) {
        const result = await work();
        if (0 <= round) results.get(name).push(result);
      }
    }
  }
  console.log(`${title}, the median of ${count} rounds in turns`);
  const [first] = [...results.values()].map(median);
  for (const [name, all] of results) {
    const time = median(all);
    const ratio = `${(time / first).toFixed(2)} x`;
    console.log(`  ${name.padEnd(42)}${time.toFixed(1).padStart(10)}${ratio.padStart(12)}   ${all[0].note}`);
  }
  console.log();
}

function median(results) {
  return results.map(({ time }) => time).sort((a, b) => a - b)[Math.floor(results.length / 2)];
}

function meanLength(texts) {
  return Math.round(texts.join('').length / texts.length);
}
