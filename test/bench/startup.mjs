/**
 * Measures the start of the command line, as a ratio to an empty Node:
 *
 *     npm run build:bin && node test/bench/startup.mjs [RUNS]
 *
 * The programs take turns, so that what else the machine does falls on all of
 * them. Absolute times do not carry over to other machines; ratios do.
 */
import { spawnSync } from 'node:child_process';

const runs = Number(process.argv[2] ?? 31);
const bin = 'dist/bin/logquarry.js';
const programs = {
  'empty node': ['-e', '0'],
  'logquarry --version': [bin, '--version'],
  'logquarry --help': [bin, '--help'],
  'logquarry check': [bin, 'check', 'msg:"timed out" AND logCode:[9000 TO 9999]'],
  'logquarry format': [bin, 'format', 'logLevel:SEVERE   AND(msg:timeout )'],
};

const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
for (let run = 0; run < runs; run += 1) {
  for (const [name, words] of Object.entries(programs)) times[name].push(timeOf(words));
}

const median = (name) => times[name].toSorted((a, b) => a - b)[Math.floor(runs / 2)];
const base = median('empty node');
const rows = Object.keys(programs).map((name) => ({
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
