/**
 * Prints the source files that a command enters: those of which it calls a function, by the coverage of a real run. What
 * a file calls while it is loaded, such as the making of a table, does not count: a second run loads the same files alone.
 *
 *     npm run walk [search | import | export]
 *
 * It runs the built library, file by file, on the sample logs and against the reference deployment on this machine.
 * `src/README.md` follows the same three calls.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const main = 'dist/cli/main.js';
const walks = { search: walkSearch, import: walkImport, export: walkExport };

const [wanted] = process.argv.slice(2);
if (wanted !== undefined && !Object.hasOwn(walks, wanted)) {
  console.error(`Usage: npm run walk [${Object.keys(walks).join(' | ')}]`);
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'logquarry-walk-'));
try {
  for (const [name, walk] of Object.entries(walks)) {
    if (wanted !== undefined && name !== wanted) continue;
    const files = await walk(join(folder, name));
    const rules = files.filter(isRule).length;
    console.log(`${name}: ${files.length} files${rules ? `, ${rules} of them rules of lint` : ''}`);
    if (wanted !== undefined) for (const file of files) console.log(`  ${file}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function walkSearch(at) {
  const incident = `${at}.duckdb`;
  await run(process.execPath, [main, 'import', 'samples/incident.ndjson', '--into', incident]);
  return entered(at, ['search', 'msg:"timed out"', incident]);
}

async function walkImport(at) {
  return entered(at, ['import', 'samples/incident.ndjson', '--into', `${at}.duckdb`]);
}

async function walkExport(at) {
  const deployment = spawn(process.execPath, [main, 'emulate', '--now', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const { url, user, password } = await addressOf(deployment);
    const secret = `${at}.password`;
    await writeFile(secret, password, { mode: 0o600 });
    const call = ['export', '--url', url, '--user', user, '--password-file', secret];
    return await entered(at, [...call, '--from', 'now-6h', '--into', `${at}.duckdb`]);
  } finally {
    deployment.kill();
  }
}

/** The address and the account that the reference deployment prints when it is ready. */
async function addressOf(deployment) {
  const found = {};
  for (const stream of [deployment.stdout, deployment.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      found.url ??= /https?:\/\/\S+/.exec(line)?.[0];
      const account = /^Sign in as (\S+) with the password (\S+)\.$/.exec(line);
      if (account) [, found.user, found.password] = account;
    });
  while (!(found.url && found.password)) {
    if (deployment.exitCode !== null) throw new Error('The reference deployment ended early');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return found;
}

/** The source files whose functions a call of the command line enters, in all of its threads and processes. */
async function entered(at, args) {
  const called = await callsIn(`${at}.coverage`, [main, ...args]);
  const loader = `${at}.load.mjs`;
  const modules = [...called.keys()].filter((path) => path !== relative('dist', main));
  await writeFile(loader, modules.map((path) => `import ${JSON.stringify(moduleUrl(path))};\n`).join(''));
  const loaded = await callsIn(`${at}.load-coverage`, [loader]);
  const isEntered = ([path, calls]) =>
    [...calls].some(([name, count]) => (loaded.get(path)?.get(name) ?? 0) < count);
  return [...called]
    .filter(isEntered)
    .map(([path]) => sourceOf(path))
    .sort();
}

/** How often a run of Node calls each function of each file under `dist`, by the file and the place in it. */
async function callsIn(reports, args) {
  await run(process.execPath, args, {
    env: { ...process.env, NODE_V8_COVERAGE: reports, NO_COLOR: '1' },
    maxBuffer: 2 ** 28,
  });
  const files = new Map();
  for (const name of await readdir(reports)) {
    const { result } = JSON.parse(await readFile(join(reports, name), 'utf8'));
    for (const { url, functions } of result) {
      const path = url.startsWith('file:') ? relative('dist', fileURLToPath(url)) : '..';
      if (path.startsWith('..') || path.startsWith('bin')) continue;
      const calls = files.get(path) ?? new Map();
      files.set(path, calls);
      // The first function of a report is the module itself, which runs when it is loaded.
      for (const { ranges } of functions.slice(1)) {
        const [whole] = ranges;
        const key = `${whole.startOffset}-${whole.endOffset}`;
        calls.set(key, (calls.get(key) ?? 0) + whole.count);
      }
    }
  }
  return files;
}

function moduleUrl(path) {
  return pathToFileURL(join('dist', path)).href;
}

function isRule(path) {
  return path.startsWith('language/lint/');
}

function sourceOf(path) {
  return path.replace(/\.js$/, '.ts');
}
