/**
 * Measures the start of the command line, as a ratio to an empty Node:
 *
 *     npm run build:bin && node test/bench/startup.mjs [RUNS] [CASE WORD]
 *
 * With a case, also a search for a word, beside a count of all logs by the driver of DuckDB alone. The programs take
 * turns, so that what else the machine does falls on all of them. Absolute times do not carry over to other machines;
 * ratios do.
 */
import { spawnSync } from 'node:child_process';

const [runs = '31', path, word] = process.argv.slice(2);
const bin = 'dist/bin/logquarry.js';
const countAll = `const { DuckDBInstance } = require('@duckdb/node-api');
  (async () => {
    const instance = await DuckDBInstance.create(process.argv[1], { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    console.log((await connection.runAndReadAll('SELECT count(*) FROM stored.logs')).getRowsJS());
    connection.closeSync();
    instance.closeSync();
  })();`;
const programs = {
  'empty node': ['-e', '0'],
  'logquarry --version': [bin, '--version'],
  'logquarry --help': [bin, '--help'],
  'logquarry check': [bin, 'check', 'msg:"timed out" AND logCode:[9000 TO 9999]'],
  'logquarry format': [bin, 'format', 'logLevel:SEVERE   AND(msg:timeout )'],
  ...(path &&
    word && {
      'DuckDB, count of all': ['-e', countAll, path],
      'logquarry search --count': [bin, 'search', '--count', word, path],
      'logquarry search': [bin, 'search', '--limit', '20', word, path],
      'logquarry top': [bin, 'top', 'source', path, '--search', word],
      'logquarry histogram': [bin, 'histogram', path, '--search', word],
    }),
};

const names = Object.keys(programs);
const times = Object.fromEntries(names.map((name) => [name, []]));
// The first call of each stores its compiled code.
for (const words of Object.values(programs)) timeOf(words);
for (let run = 0; run < Number(runs); run += 1) {
  for (const [name, words] of Object.entries(programs)) times[name].push(timeOf(words));
}

const median = (name) => times[name].toSorted((a, b) => a - b)[Math.floor(times[name].length / 2)];
const base = median('empty node');
const rows = names.map((name) => ({
  program: name,
  'median ms': Math.round(median(name)),
  'fastest ms': Math.round(Math.min(...times[name])),
  'times empty node': Number((median(name) / base).toFixed(2)),
}));
console.table(rows);

/** Milliseconds from the start of a process to its end. */
function timeOf(words) {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`"${words.join(' ')}" ended with ${status}: ${stderr}`);
  return performance.now() - started;
}
