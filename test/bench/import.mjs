/**
 * Loading 100,000 logs, as NDJSON in a zip, into a case file: checked, hashed,
 * analysed, committed and closed. Beside it what DuckDB alone needs to read the
 * same NDJSON into a table of its own, which neither inflates nor analyses.
 *
 *     npm run build && node test/bench/import.mjs [logs]
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DuckDBInstance } from '@duckdb/node-api';
import JSZip from 'jszip';
import { incidentLogs } from '../../dist/emulator/incident/incident-logs.js';
import { addFile, openCase } from '../../dist/store/index.js';

const count = Number(process.argv[2] ?? 100_000);
const rounds = 5;
const folder = mkdtempSync(join(tmpdir(), 'logquarry-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const text = Array.from(incidentLogs({ count }), (log) => `${JSON.stringify(log)}\n`).join('');
const ndjson = join(folder, 'logs.ndjson');
const zip = join(folder, 'logs.zip');
writeFileSync(ndjson, text);
const archive = new JSZip().file('logs.ndjson', text);
writeFileSync(zip, await archive.generateAsync({ type: 'uint8array', compression: 'DEFLATE' }));

/** Loads the zip into a new case and gives back how large that is. */
async function load(round) {
  const path = join(folder, `case-${round}.duckdb`);
  const into = await openCase(path, { access: 'write', create: true });
  const { parts } = await addFile(into, zip);
  await into[Symbol.asyncDispose]();
  if (parts[0]?.logs !== count) throw new Error(`${parts[0]?.logs} of ${count} logs were loaded`);
  return statSync(path).size;
}

/** Reads the NDJSON into a table with nothing but DuckDB. */
async function readJson(round) {
  const instance = await DuckDBInstance.create(join(folder, `plain-${round}.duckdb`));
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE logs AS FROM read_json('${ndjson}')`);
  connection.closeSync();
  instance.closeSync();
}

/** The median of several times, in seconds. */
function median(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] / 1000;
}

const ours = [];
const plain = [];
let size = 0;
for (let round = 0; round < rounds; round++) {
  for (const [work, times] of [
    [load, ours],
    [readJson, plain],
  ]) {
    const start = performance.now();
    size = (await work(round)) ?? size;
    times.push(performance.now() - start);
  }
}

const seconds = median(ours);
console.log(
  `${count} logs, ${(text.length / 1e6).toFixed(0)} MB, in a zip of ${(statSync(zip).size / 1e6).toFixed(1)} MB`,
);
console.log(
  `loaded into a case in ${seconds.toFixed(2)} s: ${Math.round(count / seconds)} logs/s, ${(text.length / 1e6 / seconds).toFixed(0)} MB/s`,
);
console.log(
  `${(seconds / median(plain)).toFixed(1)} times what DuckDB's read_json needs for the bare NDJSON (${median(plain).toFixed(2)} s)`,
);
console.log(
  `${(size / count).toFixed(0)} bytes a log on disk, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory at most`,
);
