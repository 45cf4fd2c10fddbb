// Measures a large export: time, calls and memory, beside loading the same zips from the disk.
// Needs the bundled command line: npm run build:bin && node test/bench/export.mjs [logs]
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const bin = resolve('dist/bin/logquarry.js');
if (!existsSync(bin)) throw new Error('"npm run build:bin" makes what this measures');

const count = Number(process.argv[2] ?? 1_000_000);
const cap = 10_000;
const least = Math.ceil(count / cap);
const folder = await mkdtemp(join(tmpdir(), 'export-bench-'));
const scenario = {
  logs: { count, seed: 11, spread: 1, every: 4000, equal: 0.15, disorder: 5000 },
  pace: { queued: 0, running: 50, perLog: 0 },
  jobsAtOnce: 3,
  faults: [
    { on: 'job', skip: 5, every: 31, effect: 'status', status: 502 },
    { on: 'exportLogs', skip: 9, every: 41, effect: 'status', status: 429, retryAfter: 1 },
    { on: 'exportLogs', skip: 20, every: 67, effect: 'endJob', state: 'FAILED', messages: ['No space left'] },
    { on: 'download', skip: 4, every: 23, effect: 'truncate', keep: 0.7 },
    { on: 'job', skip: 40, every: 150, effect: 'expireTokens' },
  ],
};

let deployment;
try {
  await writeFile(join(folder, 'scenario.json'), JSON.stringify(scenario));
  deployment = await startDeployment();
  const exported = await run(
    ['export', '--into', 'case.duckdb', '--to', '2025-03-12T13:00', '--jobs', '3', '--json'],
    deployment.environment,
  );
  if (exported.code !== 0) throw new Error(`The export ended with ${exported.code}: ${exported.err}`);
  const result = JSON.parse(exported.out);
  const busy = processorSeconds(deployment.child.pid);
  await checkLogs();
  const zips = (await readdir(join(folder, 'case.duckdb.evidence'))).map(
    (name) => `case.duckdb.evidence/${name}`,
  );
  const imported = await run(['import', ...zips, '--into', 'from-disk.duckdb']);
  if (imported.code !== 0) throw new Error(`The import ended with ${imported.code}: ${imported.err}`);
  const rate = (seconds) => Math.round(count / seconds).toLocaleString('en');
  console.log(`${count.toLocaleString('en')} logs, a cap of ${cap.toLocaleString('en')}, a mix of faults`);
  console.log(`calls      ${result.calls} = ${(result.calls / least).toFixed(2)} times the least number`);
  console.log(
    `export     ${exported.seconds.toFixed(1)} s, ${rate(exported.seconds)} logs/s, ${exported.peak} MB at most`,
  );
  console.log(
    `processor  ${exported.processor.toFixed(1)} s of it, beside ${busy.toFixed(1)} s of the deployment on the same machine`,
  );
  console.log(
    `from disk  ${imported.seconds.toFixed(1)} s, ${rate(imported.seconds)} logs/s, ${imported.peak} MB at most`,
  );
} finally {
  deployment?.child.kill();
  await rm(folder, { recursive: true, force: true });
}

/** Every log exactly once: their number, their times and their identifiers are those that the deployment says it has. */
async function checkLogs() {
  const sql =
    'SELECT count(*), count(requestID), count(DISTINCT requestID), sum(epoch_ms(time))::VARCHAR FROM logs';
  const { out, err } = await run(['sql', sql, 'case.duckdb', '--json']);
  const [[logs, named, different]] = JSON.parse(out || err).rows;
  if (logs !== count || named !== different)
    throw new Error(`${logs} logs, ${named} named, ${different} different`);
}

/** The reference deployment in a process of its own, so that its memory does not count. */
async function startDeployment() {
  const words = ['emulate', '--scenario', 'scenario.json', '--port', '0', '--json'];
  const child = spawn(process.execPath, ['--max-old-space-size=4096', bin, ...words], { cwd: folder });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  const { url, user, password } = JSON.parse(text);
  return {
    child,
    environment: { LOGQUARRY_URL: url, LOGQUARRY_USER: user, LOGQUARRY_PASSWORD: password },
  };
}

function run(words, environment = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  });
  let [out, err, peak, processor] = ['', '', 0, 0];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const look = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(child.pid));
    processor = Math.max(processor, processorSeconds(child.pid));
  }, 100);
  return new Promise((done) => {
    child.on('close', (code) => {
      clearInterval(look);
      done({ code, out, err, peak, processor, seconds: (performance.now() - started) / 1000 });
    });
  });
}

/** Memory of a process without the files of the programs, where the system reports it. */
function residentMegabytes(pid) {
  try {
    const [, kilobytes = 0] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

/** Processor time of a process in hundredths of a second, where the system reports it. */
function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
