import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCommandLine } from '../../src/cli/command-line/command-line.ts';
import { commands } from '../../src/cli/command-table.ts';
import { run } from '../cli/run-in-process.ts';
import { wordsOf } from '../cli/words-of.ts';
import { type Running, runDeployment } from '../e2e/deployment.ts';
import { commandLinesOf, manualPages } from './command-lines.ts';

const lines = manualPages.flatMap(commandLinesOf);

/** Pages whose command lines are run by a test of their own, in another order or with another deployment. */
const ownTests: Readonly<Record<string, string>> = {
  'docs/administration.md': 'administration.test.ts',
  'docs/exports.md': 'exports.test.ts',
  'docs/other-tools.md': 'other-tools.test.ts',
  'docs/rules.md': 'rules.test.ts',
};

/** Command lines that no test can run as they are, with the reason. */
const notRun: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^npm (install|ci)/, 'installs from a registry; test/e2e/package.test.ts installs the packed package'],
  [/^(openssl|jq|cat) /, 'needs an authority of time; test/seal holds the bytes that these commands check'],
  [/--time-stamp https/, 'needs an authority of time; test/seal has one'],
  [/--public-key seal\.pub/, 'follows the command that needs an authority of time'],
  [/--profile gis\.json/, 'continues an export of a deployment; the commands of docs/exports.md are run'],
  [/before-upgrade\.duckdb/, 'compares two cases that no page makes'],
  [/^logquarry (ui|demo --ui)\b/, 'serves a page until it is stopped; test/browser opens it'],
  [/clickhouse|LOGQUARRY_CLUSTER/, 'needs a server of ClickHouse; the tests of test/cluster have one'],
  [/\$\(logquarry suggest/, 'needs a shell; test/cli/suggest.test.ts searches with what is suggested'],
  [/^npx vitest run/, 'runs tests, as "npm test" does'],
];

function reasonNotToRun(line: string): string | undefined {
  return notRun.find(([pattern]) => pattern.test(line))?.[1];
}

/** Exit codes of command lines whose answer is no. */
const answersNo: readonly RegExp[] = [
  /^logquarry check .*timed out.*\(logCode/,
  /^logquarry check '\*out'/,
  /^logquarry compare 'msg:/,
  // The sample has no upgrade.
  /^logquarry diff --upgrade/,
];

const here = lines.filter(({ page, line }) => !(page in ownTests) && !reasonNotToRun(line));

let folder = '';
let deployment: Running;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manual-test-'));
  deployment = await runDeployment({ pace: { queued: 0, running: 0, perLog: 0 } });
  await mkdir(join(folder, 'queries'));
  await copyFile('samples/queries.txt', join(folder, 'queries/first.txt'));
  await copyFile('samples/queries.txt', join(folder, 'more.txt'));
  await writeFile(join(folder, 'pw'), `${deployment.environment.LOGQUARRY_PASSWORD}\n`, { mode: 0o600 });
  await run(['import', 'samples/incident.ndjson', '--into', join(folder, 'incident.duckdb')]);
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A word of a command line with the files and the deployment of this test. */
function inFolder(word: string): string {
  if (word === 'https://gis.example.com/arcgis') return deployment.url;
  if (word === 'admin') return 'ann';
  if (word === 'samples/*.ndjson') return 'samples/incident.ndjson';
  return /^(pw|queries|queries\/\*\*\/\*\.txt|more\.txt|[\w-]+\.(duckdb|html|xlsx|jsonl|key))$/.test(word)
    ? join(folder, word)
    : word;
}

describe('the command lines of the manual', () => {
  test('are found', () => {
    expect(lines.length).toBeGreaterThan(110);
    expect(here.length).toBeGreaterThan(30);
  });

  test('are run here, by the test of their page, or have a reason not to be', () => {
    const unknown = here.filter(({ line }) => !line.startsWith('logquarry '));
    expect(unknown).toEqual([]);
    for (const [pattern] of notRun)
      expect([pattern, lines.some(({ line }) => pattern.test(line))]).toEqual([pattern, true]);
  });

  test.each(here)('$page: $line', async ({ line }) => {
    const [, ...words] = wordsOf(line).map(inFolder);
    const { code, out, err } = await run(words, { environment: deployment.environment });
    const isNo = answersNo.some((pattern) => pattern.test(line));
    expect({ code, err: code === Number(isNo) ? '' : err }).toEqual({ code: Number(isNo), err: '' });
    expect(out + err).toMatch(/\S/);
    // The logs of the sample are older than a week.
    if (!/--last 7d|--from yesterday/.test(line)) expect(out + err).not.toMatch(/^(No log|0 rows|0 logs)/m);
  });
});

describe('the command lines of the help', () => {
  const examples = commands.flatMap(({ spec }) => spec.examples.map(({ run: line }) => line));
  test.each(examples)('%s is possible', (line) => {
    const [program, ...words] = wordsOf(line);
    expect([program, readCommandLine(words, commands, 90).kind]).toEqual(['logquarry', 'call']);
  });
});
