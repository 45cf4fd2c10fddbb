import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import { readCommandLine } from '../../src/cli/configuration/run-args.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { run } from '../cli/run-in-process.ts';
import { wordsOf } from '../cli/words-of.ts';
import { type Running, runDeployment } from '../e2e/deployment.ts';
import { sampled } from '../effort.ts';
import { type Authority, startAuthority } from '../seal/authority.ts';
import { commandLinesOf, manualPages, type ShownLine } from './command-lines.ts';
import { expectPrinted, printedOf, shownWidth, statementsWithout } from './printed.ts';

const lines = manualPages.flatMap(commandLinesOf);

/** Pages whose command lines are run by a test of their own, in another order or with another deployment. */
const ownTests: Readonly<Record<string, string>> = {
  'docs/administration.md': 'administration.test.ts',
  'docs/exports.md': 'exports.test.ts',
  'docs/other-tools.md': 'other-tools.test.ts',
};

/** Command lines that no test can run as they are, with the reason. */
const notRun: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^npm (install|ci)/,
    'installs from a registry; test/e2e/package.large.test.ts installs the packed package',
  ],
  [/^logquarry emulate /, 'runs until it is stopped; the tests of its pages read its options'],
  [/^logquarry collect /, 'needs a deployment; test/e2e/collect.test.ts runs each of them'],
  [/^logquarry (ui|demo --ui)\b/, 'serves a page until it is stopped; test/browser opens it'],
  [
    /clickhouse:|LOGQUARRY_CLUSTER|^docker /,
    'needs a server of ClickHouse; the tests of test/cluster have one',
  ],
  [/^logquarry report .*\.pdf\b/, 'needs a Chromium; test/browser prints with one'],
  [/^npx vitest run/, 'runs tests, as "npm test" does'],
];

function reasonNotToRun(line: string): string | undefined {
  return notRun.find(([pattern]) => pattern.test(line))?.[1];
}

/** Command lines that end with another exit code than 0. */
const exitCodes: readonly (readonly [pattern: RegExp, code: number])[] = [
  [/^logquarry check .*timed out.*\(logCode/, 1],
  [/^logquarry check '\*out'/, 1],
  [/^logquarry compare 'msg:/, 1],
  [/^logquarry detect .* --fail-on high/, 1],
  // The sample has no upgrade.
  [/^logquarry diff --upgrade/, 1],
  // The export before was complete.
  [/^logquarry export .*--resume/, 2],
];

const here = lines.filter(({ page, line }) => !(page in ownTests) && !reasonNotToRun(line));
const pages = [...new Set(here.map(({ page }) => page))];

const home = process.cwd();
let folder = '';
let deployment: Running;
let authority: Authority;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manual-test-'));
  // An export leaves out the present second, and all that the deployment logs of its start may be of it.
  const recent = [...incidentLogs({ count: 200, until: Date.now() - 60_000 })].slice(-1);
  deployment = await runDeployment({
    logs: [...incidentLogs({ count: 500 }), ...recent],
    pace: { queued: 0, running: 0, perLog: 0 },
  });
  authority = await startAuthority();
});
afterAll(async () => {
  process.chdir(home);
  await authority[Symbol.asyncDispose]();
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Makes the folder of a page with the files that a reader has, and works there. */
async function enterFolder(page: string): Promise<void> {
  const own = join(folder, page.replaceAll('/', '-'));
  await cp(join(home, 'samples'), join(own, 'samples'), { recursive: true });
  process.chdir(own);
  await mkdir('queries');
  await copyFile('samples/queries.txt', 'queries/first.txt');
  await copyFile('samples/queries.txt', 'more.txt');
  await writeFile('authority.pem', authority.root);
  await writeFile('pw', `${deployment.environment.LOGQUARRY_PASSWORD}\n`, { mode: 0o600 });
  const signIn =
    'sign-in --url https://gis.example.com/arcgis --user admin --password-file pw --out gis.json';
  await run(wordsOf(atServers(signIn)));
  await makeCases();
}

/** Makes the case of the sample, and one of each half of it. */
async function makeCases(): Promise<void> {
  const logs = (await readFile('samples/incident.ndjson', 'utf8')).trimEnd().split('\n');
  await writeFile('before-upgrade.ndjson', logs.slice(0, 110).join('\n'));
  await writeFile('after-upgrade.ndjson', logs.slice(110).join('\n'));
  for (const name of ['before-upgrade', 'after-upgrade'])
    await run(['import', `${name}.ndjson`, '--into', `${name}.duckdb`]);
  await run(['import', 'samples/incident.ndjson', '--into', 'incident.duckdb']);
}

/** A command line with the servers of this test. */
function atServers(line: string): string {
  return line
    .replace('https://gis.example.com/arcgis', deployment.url)
    .replace('--user admin', '--user ann')
    .replace('https://tsa.example.com', `${authority.url} --ca authority.pem`);
}

/** Runs a line of the program: with a terminal if its output is shown, otherwise with pipes. */
async function runLine({ line, shown }: ShownLine) {
  const [, inner] = /"\$\(logquarry (.+)\)"/.exec(line) ?? [];
  const query = inner === undefined ? '' : (await run(wordsOf(inner))).out.trim();
  const [, ...words] = wordsOf(atServers(line)).flatMap((word) => {
    if (word.startsWith('$(')) return query;
    return word === 'samples/*.ndjson' ? 'samples/incident.ndjson' : word;
  });
  const { environment } = deployment;
  return run(words, { environment, ...(shown !== undefined && { width: shownWidth }) });
}

const runFile = promisify(execFile);
const hasPrograms = await Promise.all([runFile('openssl', ['version']), runFile('jq', ['--version'])]).then(
  () => true,
  () => false,
);

/** The files that a command line writes. */
function filesOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:--out|--into|--parquet) (\S+)/g)].map(([, path = '']) => path);
}

test('the command lines of the manual are found, and are run or have a reason not to be', () => {
  expect(lines.length).toBeGreaterThan(110);
  expect(here.length).toBeGreaterThan(75);
  for (const [pattern] of [...notRun, ...exitCodes])
    expect([pattern, lines.some(({ line }) => pattern.test(line))]).toEqual([pattern, true]);
});

test('it is known of each command line what it prints', () => {
  const own = lines.filter(({ line }) => line.startsWith('logquarry ') && !reasonNotToRun(line));
  const isCompared = ({ page }: ShownLine) => page !== 'docs/other-tools.md';
  expect(own.filter((each) => isCompared(each) && printedOf(each) === undefined)).toEqual([]);
  expect(statementsWithout(own)).toEqual([]);
});

describe.each(sampled(pages, 2))('the command lines of %s', (page) => {
  beforeAll(() => enterFolder(page));

  test.for(here.filter((each) => each.page === page))('$line', async (shown, { skip }) => {
    const { line } = shown;
    if (!hasPrograms && /^(openssl|jq|cat) |seal\.(key|pub)/.test(line)) skip('there is no openssl or no jq');
    if (!line.startsWith('logquarry '))
      return void (await runFile('bash', ['-c', `set -euo pipefail; ${line}`]));
    const { code, out, err } = await runLine(shown);
    expectPrinted(shown, { out, err });
    expect(code).toBe(exitCodes.find(([pattern]) => pattern.test(line))?.[1] ?? 0);
    for (const path of filesOf(line)) expect((await stat(path)).size).toBeGreaterThan(0);
  });
});

describe('the command lines of the help', () => {
  const examples = commands.flatMap(({ spec }) => spec.examples.map(({ run: line }) => line));
  test.each(examples)('%s is possible', (line) => {
    const [program, ...words] = wordsOf(line);
    expect([program, readCommandLine(words, commands, 90).kind]).toEqual(['logquarry', 'call']);
  });
});
