/**
 * Loading logs into a case file: bare NDJSON, one zip, and many small zips.
 * Each log is checked, hashed, analysed and committed, and the case closed.
 * Other tools do less in comparison: `unzip -p` inflates and discards, DuckDB
 * alone reads the bare NDJSON into a table with its default storage, and again
 * after jszip inflated a zip.
 *
 *     npm run build && node test/bench/import.mjs [logs] [rounds]
 *
 * Every run is a process of its own; the runs take turns, and the medians are
 * compared. The processor time is that of all threads; it says more than the
 * seconds where the machine is busy. What is not installed is left out and named.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** Tasks to time. Each gets the files and a path for its output. */
const tasks = {
  async ours(files, made) {
    const { addFiles, openCase } = await import('../../dist/index.js');
    const into = await openCase(made, { access: 'write', create: true });
    for await (const { error } of addFiles(into, files)) if (error) throw error;
    await into[Symbol.asyncDispose]();
  },
  async readJson([file], made) {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(made);
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE logs AS FROM read_json('${file}')`);
    connection.closeSync();
    instance.closeSync();
  },
  async jszip([file], made) {
    const { default: JSZip } = await import('jszip');
    const archive = await JSZip.loadAsync(readFileSync(file));
    const [entry] = Object.values(archive.files);
    writeFileSync(`${made}.ndjson`, await entry.async('nodebuffer'));
    await tasks.readJson([`${made}.ndjson`], made);
    rmSync(`${made}.ndjson`);
  },
  async unzip([file]) {
    execFileSync('unzip', ['-p', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  },
};

const [word, ...rest] = process.argv.slice(2);
if (word in tasks) await runTask(word, rest);
else await compare(Number(word ?? 500_000), Number(rest[0] ?? 3));

/** Runs one task and prints what it took. The modules are loaded within the time, as they are for everybody. */
async function runTask(name, [made, ...files]) {
  const start = performance.now();
  await tasks[name](files, made);
  const seconds = (performance.now() - start) / 1_000;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const processor = (userCPUTime + systemCPUTime) / 1e6;
  console.log(JSON.stringify({ seconds, processor, megabytes: Math.round(maxRSS / 1024) }));
}

async function compare(count, rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'logquarry-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { ndjson, zip, zips } = await makeFiles(folder, count);
  const runs = [
    ['bare NDJSON', 'ours', [ndjson]],
    ['one zip', 'ours', [zip]],
    [`${zips.length} zips`, 'ours', zips],
    ["DuckDB's read_json of the bare NDJSON", 'readJson', [ndjson]],
    ['jszip, then read_json', 'jszip', [zip]],
    ...(hasUnzip() ? [['unzip -p > /dev/null', 'unzip', [zip]]] : []),
  ].map(([name, task, files]) => ({ name, task, files, results: [] }));
  const before = loadavg()[0];
  for (let round = 0; round < rounds; round++) for (const run of runs) run.results.push(measure(run, folder));
  report({ count, bytes: statSync(ndjson).size, runs, load: [before, loadavg()[0]] });
}

/** The same logs in one file, in one zip, and in a hundred. */
async function makeFiles(folder, count) {
  const { incidentLogs } = await import('../../dist/emulator/incident/incident-logs.js');
  const { default: JSZip } = await import('jszip');
  const zipped = (text) =>
    new JSZip().file('logs.ndjson', text).generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
  const lines = Array.from(incidentLogs({ count }), (log) => `${JSON.stringify(log)}\n`);
  const each = Math.ceil(count / 100);
  const pieces = [];
  for (let from = 0; from < count; from += each) pieces.push(lines.slice(from, from + each).join(''));
  const all = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  writeFileSync(join(folder, 'logs.ndjson'), all);
  writeFileSync(join(folder, 'logs.zip'), await zipped(all));
  for (const [at, piece] of pieces.entries())
    writeFileSync(join(folder, `part-${at}.zip`), await zipped(piece));
  const zips = readdirSync(folder).filter((name) => name.startsWith('part-'));
  return {
    ndjson: join(folder, 'logs.ndjson'),
    zip: join(folder, 'logs.zip'),
    zips: zips.map((name) => join(folder, name)),
  };
}

function hasUnzip() {
  const found = spawnSync('unzip', ['-v']).status === 0;
  if (!found) console.log('unzip is not installed and left out');
  return found;
}

function measure({ task, files }, folder) {
  const made = join(folder, 'made');
  const words = [fileURLToPath(import.meta.url), task, made, ...files];
  const result = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
  const size = statSync(made, { throwIfNoEntry: false })?.size;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(basename(made))) rmSync(join(folder, name), { recursive: true });
  }
  return { ...result, size };
}

function report({ count, bytes, runs, load }) {
  console.log(
    `${count} logs, ${(bytes / count).toFixed(0)} bytes each; ${availableParallelism()} processors (${cpus()[0]?.model}), ` +
      `load ${load.map((value) => value.toFixed(1)).join(' to ')}, Node ${process.version}\n`,
  );
  const secondsOf = (task) => median(runs.find((run) => run.task === task)?.results ?? [], 'seconds');
  console.log(
    'what                                    seconds    logs/s  to unzip -p  to read_json  µs of CPU a log  MB of memory  bytes a log',
  );
  for (const { name, task, results } of runs) {
    // Of a program that is only started, the process knows no more than the time.
    const own = (text) => (task === 'unzip' ? '' : text);
    const seconds = median(results, 'seconds');
    const size = results[0].size;
    console.log(
      [
        name.padEnd(38),
        seconds.toFixed(2).padStart(8),
        String(Math.round(count / seconds)).padStart(9),
        (seconds / secondsOf('unzip')).toFixed(2).padStart(12),
        (seconds / secondsOf('readJson')).toFixed(2).padStart(13),
        own(((median(results, 'processor') / count) * 1e6).toFixed(1)).padStart(16),
        own(String(Math.max(...results.map(({ megabytes }) => megabytes)))).padStart(13),
        (size ? (size / count).toFixed(0) : '').padStart(12),
      ].join(' '),
    );
  }
}

function median(results, property) {
  const values = results.map((result) => result[property]).toSorted((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}
