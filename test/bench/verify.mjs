/**
 * The check of a case against its originals: bare NDJSON of some gigabytes, and
 * many small files. The same files are hashed alone for comparison, which is
 * the least that a check can do.
 *
 *     npm run build && node test/bench/verify.mjs [gigabytes] [small files]
 *
 * Every run is a process of its own. Twice the gigabytes must be free in the
 * folder of temporary files. The processor time is that of all threads; it says
 * more than the seconds where the machine is busy.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

/** Logs of the text that large files repeat: each file begins with a line of its own. */
const repeatedLogs = 200_000;
const gigabyte = 1e9;
const logsOfSmallFile = 100;

/** Tasks to time. Each gets a folder of files. */
const tasks = {
  async hash(folder) {
    for (const path of filesIn(folder)) {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path, { highWaterMark: 262_144 })) hash.update(chunk);
      hash.digest();
    }
  },
  async import(folder) {
    const { addFiles, openCase } = await import('../../dist/index.js');
    const into = await openCase(`${folder}.duckdb`, { access: 'write', create: true });
    for await (const { error } of addFiles(into, filesIn(folder))) if (error) throw error;
    await into[Symbol.asyncDispose]();
  },
  async verify(folder) {
    const { openCase, verifyCase } = await import('../../dist/index.js');
    const of = await openCase(`${folder}.duckdb`, { access: 'read' });
    const { deviations } = await verifyCase(of);
    await of[Symbol.asyncDispose]();
    if (deviations.length > 0) throw new Error(`The case has ${deviations.length} deviations`);
  },
};

const [word, ...rest] = process.argv.slice(2);
if (word in tasks) await runTask(word, rest[0]);
else await compare(Number(word ?? 1), Number(rest[0] ?? 3_000));

/** Runs one task and prints what it took. */
async function runTask(name, folder) {
  const start = performance.now();
  await tasks[name](folder);
  const seconds = (performance.now() - start) / 1_000;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const processor = (userCPUTime + systemCPUTime) / 1e6;
  console.log(JSON.stringify({ seconds, processor, megabytes: Math.round(maxRSS / 1_000) }));
}

async function compare(gigabytes, smallFiles) {
  const base = mkdtempSync(join(tmpdir(), 'logquarry-bench-'));
  process.on('exit', () => rmSync(base, { recursive: true, force: true }));
  console.log(
    `${availableParallelism()} processors (${cpus()[0]?.model}), load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}\n`,
  );
  console.log(
    'what                         megabytes       logs  task    seconds  processor s  MB of memory',
  );
  await measure(join(base, 'large'), await makeLargeFiles(join(base, 'large'), gigabytes));
  await measure(join(base, 'small'), await makeSmallFiles(join(base, 'small'), smallFiles));
}

/** Runs all tasks on a folder of files and prints a row for each. */
async function measure(folder, { name, bytes, logs }) {
  for (const task of Object.keys(tasks)) {
    const words = [fileURLToPath(import.meta.url), task, folder];
    const { seconds, processor, megabytes } = JSON.parse(
      execFileSync(process.execPath, words, { encoding: 'utf8' }),
    );
    console.log(
      [
        name.padEnd(27),
        (bytes / 1e6).toFixed(0).padStart(10),
        String(logs).padStart(10),
        ` ${task.padEnd(6)}`,
        seconds.toFixed(1).padStart(8),
        processor.toFixed(1).padStart(12),
        String(megabytes).padStart(13),
      ].join(' '),
    );
  }
  for (const path of [folder, `${folder}.duckdb`, `${folder}.duckdb.evidence`])
    rmSync(path, { recursive: true, force: true });
}

/** Bare files of half a gigabyte. */
async function makeLargeFiles(folder, gigabytes) {
  const { incidentLogs } = await import('../../dist/emulator/incident/incident-logs.js');
  mkdirSync(folder);
  const text = Buffer.from(
    Array.from(incidentLogs({ count: repeatedLogs }), (log) => `${JSON.stringify(log)}\n`).join(''),
  );
  const repeats = Math.max(1, Math.round(gigabyte / 2 / text.length));
  const count = Math.max(1, Math.round(gigabytes * 2));
  for (let file = 0; file < count; file += 1) {
    const stream = createWriteStream(join(folder, `${file}.ndjson`));
    stream.write(`{"time":1741766400000,"msg":"file ${file}"}\n`);
    for (let repeat = 0; repeat < repeats; repeat += 1)
      if (!stream.write(text)) await new Promise((resolve) => stream.once('drain', resolve));
    stream.end();
    await finished(stream);
  }
  const bytes = count * repeats * text.length;
  return { name: `${count} bare files`, bytes, logs: count * (repeats * repeatedLogs + 1) };
}

async function makeSmallFiles(folder, count) {
  const { incidentLogs } = await import('../../dist/emulator/incident/incident-logs.js');
  mkdirSync(folder);
  const lines = Array.from(
    incidentLogs({ count: count * logsOfSmallFile }),
    (log) => `${JSON.stringify(log)}\n`,
  );
  for (let file = 0; file < count; file += 1) {
    const own = lines.slice(file * logsOfSmallFile, (file + 1) * logsOfSmallFile).join('');
    writeFileSync(join(folder, `${file}.ndjson`), own);
  }
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  return { name: `${count} small files`, bytes, logs: lines.length };
}

function filesIn(folder) {
  return readdirSync(folder).map((name) => join(folder, name));
}
