/**
 * Importing, indexing and searching realistic logs, side by side with what else searches on one machine: Lucene, SQLite
 * FTS5, DuckDB's LIKE on a plain table and ripgrep, where they are installed. Prints tables for the manual.
 *
 *     npm run build && node test/bench/search.mjs [logs] [folder]
 *
 * The folder is kept when it is named, with the logs in it. All tools look at the field msg of the same logs, index
 * the same seven fields and start with warm files. Nothing is remembered from one query to the next.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { incidentLogs } from '../../dist/emulator/incident/incident-logs.js';
import { bucket, queries } from './search/queries.mjs';

const count = Number(process.argv[2] ?? 100_000);
const folder = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'logquarry-bench-'));
mkdirSync(folder, { recursive: true });
process.on('exit', () => process.argv[3] === undefined && rmSync(folder, { recursive: true, force: true }));

const here = (name) => fileURLToPath(new URL(`search/${name}`, import.meta.url));
const logs = join(folder, 'logs.ndjson');
const rows = join(folder, 'logs.txt');
const fields = ['msg', 'source', 'className', 'username', 'stackTraces', 'serviceTypes', 'logLevel'];

/** Writes the logs as NDJSON, and for tools without a JSON reader as fields between control characters. */
async function writeLogs() {
  const files = [createWriteStream(logs), createWriteStream(rows)];
  let texts = [[], []];
  const flush = async () => {
    for (const [at, file] of files.entries()) if (!file.write(texts[at].join(''))) await once(file, 'drain');
    texts = [[], []];
  };
  for (const log of incidentLogs({ count })) {
    texts[0].push(`${JSON.stringify(log)}\n`);
    const values = fields.map((field) => (log[field] ?? '').replaceAll('\n', '\u001e'));
    texts[1].push(`${[log.time, ...values].join('\u001f')}\n`);
    if (texts[0].length === 5000) await flush();
  }
  await flush();
  await Promise.all(files.map((file) => once(file.end(), 'finish')));
}

/** Runs a tool that prints what it measured as JSON; undefined where it is missing, which is said. */
function measured(name, command, words) {
  const { error, status, stdout, stderr } = spawnSync(command, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (!error && status === 0) return { name, ...JSON.parse(stdout.trim().split('\n').at(-1)) };
  console.log(`${name} is missing or failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}\n`);
  return undefined;
}

function lucene() {
  const jars = process.env.LUCENE_CLASSPATH ?? '/usr/share/java/*';
  const classes = join(folder, 'classes');
  mkdirSync(classes, { recursive: true });
  const compiled = spawnSync('javac', ['-nowarn', '-d', classes, '-cp', jars, here('Searching.java')]);
  if (compiled.status !== 0) return measured('Lucene', 'javac', ['--no-such']);
  const asked = queries.map(({ name, lucene: text, from = '', to = '' }) =>
    [name, text, from, to].join('\t'),
  );
  const index = join(folder, 'lucene');
  rmSync(index, { recursive: true, force: true });
  return measured('Lucene', 'java', [
    ...['-Xmx1g', '-cp', `${classes}:${jars}`, 'Searching', rows, index, String(bucket), ...asked],
  ]);
}

function ripgrep() {
  if (spawnSync('rg', ['--version']).error) return measured('ripgrep', 'rg', []);
  const results = queries.map(({ name, rg }) => {
    if (!rg) return { name };
    const times = [];
    let hits = 0;
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      const { stdout } = spawnSync('rg', ['-c', '-i', ...rg, logs], { encoding: 'utf8' });
      times.push(performance.now() - start);
      hits = Number(stdout);
    }
    return { name, hits, count: times.sort((a, b) => a - b)[1] };
  });
  return { name: 'ripgrep', queries: results };
}

const written = performance.now();
if (!existsSync(logs) || !existsSync(rows)) await writeLogs();
const writing = (performance.now() - written) / 1000;
const gigabytes = statSync(logs).size / 1e9;
const tools = [
  measured('logquarry', process.execPath, [here('logquarry.mjs'), folder]),
  lucene(),
  measured('SQLite FTS5', 'python3', [
    here('fts5.py'),
    rows,
    join(folder, 'fts5.db'),
    String(bucket),
    JSON.stringify(queries),
  ]),
  measured('DuckDB LIKE', process.execPath, [here('like.mjs'), folder]),
  ripgrep(),
].filter((tool) => tool !== undefined);
const [ours, ...others] = tools;

const grouped = (value) => Math.round(value).toLocaleString('en');
const shown = (milliseconds) => (milliseconds < 10 ? milliseconds.toFixed(1) : grouped(milliseconds));
const ratio = (value) => `${value < 0.1 ? value.toPrecision(1) : shown(value)} ×`;
const table = (head, lines) =>
  console.log(
    [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n'),
    '\n',
  );

console.log(
  `${grouped(count)} logs, ${gigabytes.toFixed(2)} GB of NDJSON (made in ${writing.toFixed(0)} s); ${cpus().length} × ${cpus()[0]?.model}, ${grouped(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
);
table(
  ['', 'import s', 'index s', 'bytes a log', 'of them index', 'memory MB to build', 'memory MB to search'],
  tools.map(({ name, load, index, bytes, indexBytes, buildMemory, searchMemory }) => [
    name,
    ...[load, index].map((seconds) => (seconds === undefined ? '' : seconds.toFixed(1))),
    ...[bytes, indexBytes].map((all) => (all === undefined ? '' : (all / count).toFixed(0))),
    ...[buildMemory, searchMemory].map((megabytes) => (megabytes === undefined ? '' : grouped(megabytes))),
  ]),
);
for (const [work, title] of [
  ['count', 'Count, ms'],
  ['newest', 'Newest 100, ms'],
  ['histogram', 'Histogram of 60 intervals, ms'],
]) {
  const lines = queries.map(({ name }) => {
    const own = ours.queries.find((each) => each.name === name);
    const cells = others.map((tool) => {
      const found = tool.queries.find((each) => each.name === name);
      if (found?.[work] === undefined) return '–';
      const differs = found.hits === own.hits ? '' : ` (${grouped(found.hits)} hits)`;
      return `${shown(found[work])} = ${ratio(found[work] / own[work])}${differs}`;
    });
    const without = `${shown(own.without[work])} = ${ratio(own.without[work] / own[work])}`;
    return [name, grouped(own.hits), shown(own[work]), shown(own.again[work]), without, ...cells];
  });
  table([title, 'hits', 'logquarry', 'repeated', 'without index', ...others.map(({ name }) => name)], lines);
}
const works = ['count', 'newest', 'histogram'];
const means = others.map((tool) => {
  const ratios = tool.queries.flatMap((found) => {
    const own = ours.queries.find(({ name }) => name === found.name);
    return works.flatMap((work) => (found[work] === undefined ? [] : [Math.log(found[work] / own[work])]));
  });
  return `${tool.name} ${ratio(Math.exp(ratios.reduce((sum, each) => sum + each, 0) / ratios.length))}`;
});
console.log(`The geometric mean of the ratios of all searches: ${means.join(', ')}.\n`);
console.log(
  `In a shell, \`logquarry search --count\`: ${shown(ours.shell)} ms (an empty Node: ${shown(ours.node)} ms).`,
);
if (process.argv[3]) console.log(`\n${folder}: ${readdirSync(folder).join(', ')}`);
