/**
 * Times every analysis command on a case of realistic logs, and prints the tables of docs/speed.md:
 *
 *     npm run build && node test/bench/analysis.mjs [--runs N] [logs]... [folder]
 *
 * for instance `node test/bench/analysis.mjs 1000000 5000000 /tmp/bench`. Default: one million logs. The folder is kept
 * when it is named, with the cases in it. Each command runs as a process of its own with warm files; the time is the
 * best of three runs (`--runs`), beside its processor time (all threads) and its peak memory. Missed aims come first. On a machine with more than two cores,
 * `taskset -c 0,1 node test/bench/analysis.mjs` measures on two. Also measures the masks of messages, and ends with
 * exit code 1 if one takes more than 4 µs of processor time a log.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createMasker } from '../../dist/analysis/mask-message.js';
import { incidentLogs } from '../../dist/emulator/incident/incident-logs.js';

const { values, positionals: words } = parseArgs({
  options: { runs: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const counts = words.filter((word) => /^\d+$/.test(word)).map(Number);
const named = words.find((word) => !/^\d+$/.test(word));
const folder = named ?? mkdtempSync(join(tmpdir(), 'logquarry-analysis-'));
mkdirSync(folder, { recursive: true });
process.on('exit', () => named === undefined && rmSync(folder, { recursive: true, force: true }));

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const program = here('../../dist/bin/logquarry.js');
const runs = Number(values.runs);
const mostMicroseconds = 4;

/** The commands with their aim in seconds at a million logs; `CASE` and `OUT` stand for files. */
const commands = [
  ['report', 5, 'report CASE --to html --out OUT'],
  ['report --to xlsx', 5, 'report CASE --to xlsx --out OUT'],
  ['investigate', 5, 'investigate CASE --json'],
  ['investigate --search', 5, 'investigate CASE --search logLevel:SEVERE --json'],
  ['patterns', 2, 'patterns CASE --json'],
  ['patterns --new-since', 2, 'patterns CASE --new-since 2025-03-12T08:00 --json'],
  ['sessions', 2, 'sessions CASE --json'],
  ['diff` (two levels)', 2, 'diff logLevel:SEVERE logLevel:WARNING CASE --json'],
  ['services', 2, 'services CASE --json'],
  ['services --by user,hour', 2, 'services CASE --by user,hour --json'],
  ['detect', 2, 'detect CASE --json'],
  ['suggest', 2, 'suggest CASE --like 170,200 --unlike 105 --json'],
  ['trace --slowest', 2, 'trace --slowest --limit 20 CASE --json'],
  ['gaps', 2, 'gaps CASE --json'],
  ['overview', 2, 'overview CASE --json'],
];

async function makeCase(count) {
  const path = join(folder, `${count}.duckdb`);
  if (existsSync(path)) return path;
  const logs = join(folder, `${count}.ndjson`);
  const file = createWriteStream(logs);
  let lines = [];
  const flush = async () => {
    if (!file.write(lines.join(''))) await once(file, 'drain');
    lines = [];
  };
  for (const log of incidentLogs({ count }))
    if (lines.push(`${JSON.stringify(log)}\n`) === 5000) await flush();
  await flush();
  await once(file.end(), 'finish');
  const { status, stderr } = spawnSync(process.execPath, [program, 'import', logs, '--into', path], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The import failed: ${stderr}`);
  rmSync(logs);
  return path;
}

/** Runs a command once: seconds, processor seconds, and megabytes. */
function measure(path, line) {
  const usage = join(folder, 'usage.json');
  const args = line
    .split(' ')
    .map((word) => (word === 'CASE' ? path : word === 'OUT' ? join(folder, 'report.html') : word));
  const begin = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', here('analysis/write-usage.mjs'), program, ...args],
    { encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, USAGE_FILE: usage } },
  );
  const seconds = (performance.now() - begin) / 1000;
  if (status !== 0) throw new Error(`"${line}" ended with ${status}: ${stderr}`);
  return { seconds, ...JSON.parse(readFileSync(usage, 'utf8')) };
}

function row(path, count, [name, aim, line]) {
  process.stderr.write(`${name.replace('`', '')} …\n`);
  const measured = Array.from({ length: runs }, () => measure(path, line));
  const [best] = measured.sort((a, b) => a.seconds - b.seconds);
  const processor = Math.min(...measured.map((each) => each.processor));
  const isSlow = count === 1_000_000 && aim < best.seconds;
  const shown = name.includes('`') ? `\`${name}` : `\`${name}\``;
  const figures = [`${best.seconds.toFixed(1)} s`, `${processor.toFixed(1)} s`, `${best.megabytes} MB`];
  return {
    seconds: best.seconds,
    isSlow,
    text: `| ${[shown, ...figures, `${aim} s${isSlow ? ', missed' : ''}`].join(' | ')} |`,
  };
}

/** Processor time for the mask of a message in microseconds, over messages that are each masked by themselves. */
function maskMicroseconds() {
  const messages = [...incidentLogs({ count: 200_000 })].map(({ msg = '' }) => Buffer.from(msg));
  const masker = createMasker();
  const maskAll = () => {
    const begin = process.cpuUsage();
    for (const message of messages) masker.mask(message, 0, message.length);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / messages.length;
  };
  return Math.min(...Array.from({ length: runs }, maskAll));
}

const thousands = (count) => count.toLocaleString('en');
console.log(
  `On ${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.version.slice(1)}, ${new Date().toISOString().slice(0, 10)}:\n`,
);
const mask = maskMicroseconds();
console.log(
  `The mask of a message takes ${mask.toFixed(2)} µs of processor time (at most ${mostMicroseconds}).\n`,
);
for (const count of counts.length === 0 ? [1_000_000] : counts) {
  const path = await makeCase(count);
  const rows = commands
    .map((command) => row(path, count, command))
    .sort((a, b) => Number(b.isSlow) - Number(a.isSlow) || b.seconds - a.seconds);
  console.log(`| ${thousands(count)} logs | wall time | processor time | peak memory | aim at 1,000,000 |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  console.log(`${rows.map(({ text }) => text).join('\n')}\n`);
}
if (mostMicroseconds < mask) process.exitCode = 1;
