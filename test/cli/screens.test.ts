import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import { displayWidth } from '../../src/cli/terminal/text.ts';
import { type Running, runDeployment } from '../e2e/deployment.ts';
import { sampled } from '../effort.ts';
import { run } from './run-in-process.ts';
import { wordsOf } from './words-of.ts';

let folder = '';
let deployment: Running;
const home = process.cwd();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  deployment = await runDeployment({ pace: { queued: 0, running: 0, perLog: 0 } });
  await mkdir(join(folder, 'queries'));
  await copyFile('samples/incident.ndjson', join(folder, 'incident.ndjson'));
  await copyFile('samples/template.json', join(folder, 'template.json'));
  await copyFile('samples/queries.txt', join(folder, 'queries/first.txt'));
  process.chdir(folder);
  await writeFile('bad.txt', 'msg:timeout AND (logCode:9003\nlogLevel:SEVERE or levle:x\n');
  await run(['import', 'incident.ndjson', '--into', 'incident.duckdb']);
  await run([
    'note',
    'add',
    'incident.duckdb',
    '142',
    '147',
    'the connection pool of the hosted data has run dry here',
    '--tag',
    'start,pool',
  ]);
  await run(['note', 'add', 'incident.duckdb', 'the network was changed at 02:00']);
  await run(
    ['export', '--from', '2025-03-11T08:00', '--to', '2025-03-12T10:00', '--into', 'exported.duckdb'],
    { environment: deployment.environment },
  );
  await run(['saved', 'add', 'incident.duckdb', 'pool', 'msg:"timed out"', '--from', '2025-03-12']);
  await run(['seal', 'incident.duckdb']);
  await writeFile('pw', `${deployment.environment.LOGQUARRY_PASSWORD}\n`, { mode: 0o600 });
  const gis = { url: deployment.url, user: 'ann', passwordFile: 'pw', backfill: '1h' };
  await writeFile('collect.json', JSON.stringify({ store: 'store', sources: { gis } }));
  await run(['collect', '--once', 'collect.json']);
});
afterAll(async () => {
  process.chdir(home);
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Command lines that print for people, each command at least once. */
const lines = [
  `check 'msg:"timed out" AND (logCode:[9000 TO 9999]' 'logLevel:SEVERE or levle:x'`,
  'check --file bad.txt --case incident.duckdb',
  `explain 'logLevel:SEVERE OR msg:timeout AND logCode:9003'`,
  `explain 'msg:"timed out"' --case incident.duckdb --id 142`,
  `compare 'msg:timeout OR source:Sharing' 'msg:timeout AND source:Sharing'`,
  `format --explicit 'a OR b AND c'`,
  `complete 'source:' --case incident.duckdb`,
  'suggest incident.duckdb --like 141,147 --unlike 105',
  'coverage exported.duckdb',
  'import incident.ndjson --into incident.duckdb',
  'verify incident.duckdb',
  'verify incident.duckdb --seal incident.duckdb.seal.json',
  'overview incident.duckdb',
  'overview exported.duckdb incident.duckdb',
  'investigate incident.duckdb',
  'investigate exported.duckdb --zone Europe/Berlin',
  `search 'msg:*' incident.duckdb --limit 40`,
  `search 'msg:*' incident.duckdb exported.duckdb --limit 40`,
  `search 'logLevel:SEVERE' incident.duckdb --context 1 --zone Europe/Berlin`,
  `search 'msg:timedout' incident.duckdb`,
  `search 'msg:*' incident.duckdb --columns time,user,request,className,message`,
  `search 'msg:*' incident.duckdb --explain`,
  'show 142 incident.duckdb',
  'show 105 incident.duckdb --full',
  'trace faec5611 incident.duckdb',
  'trace --slowest incident.duckdb',
  'histogram incident.duckdb --every 1h',
  'histogram incident.duckdb --by logLevel --every 3h --zone Europe/Berlin',
  'top source incident.duckdb',
  'top user incident.duckdb',
  'patterns incident.duckdb',
  'patterns incident.duckdb --id 32b20d3d78',
  'diff 2025-03-11..2025-03-12 2025-03-12..2025-03-13 incident.duckdb',
  'diff incident.duckdb exported.duckdb',
  'gaps exported.duckdb --at-least 1m',
  'gaps incident.duckdb',
  'services incident.duckdb',
  'services incident.duckdb --by service,hour',
  'services exported.duckdb --zone Europe/Berlin',
  'sessions incident.duckdb',
  'detect incident.duckdb',
  'detect incident.duckdb --all',
  'note list incident.duckdb',
  'saved list incident.duckdb',
  `sql 'SELECT time, source, msg, requestID FROM logs LIMIT 5' incident.duckdb`,
  'logs settings',
  'logs query --limit 5',
  `logs search 'logLevel:SEVERE' --limit 5`,
  'jobs list',
  'uploads list',
  'health',
  'catalog info',
  'catalog folders',
  'catalog services --all',
  'catalog services --all --tree',
  'properties list',
  'properties check template.json',
  'upgrade available',
  'upgrade installed',
  'upgrade rollback-options',
  'profile list',
  'collect status collect.json',
  'config',
  'export --from 2025-03-11 --plan',
  'logs query --limit 2 --zone Europe/Berlin',
];

/** Queries and commands to copy, and records as they were written, which are never wrapped. */
const toCopy = /^ *(logquarry |(NOT )?\(?"?\w+:|include: |exclude: |\{)/;

/** A line whose last column is one word: it can be copied, and nothing of it is below. */
const endsWithWord = /(^| {2})\S+$/;

function tooWide(text: string, width: number): readonly string[] {
  const wide = text.split('\n').filter((line) => width < displayWidth(line));
  return wide.filter((line) => !toCopy.test(line) && !endsWithWord.test(line));
}

/** Words of a text, without those that an ellipsis cuts. */
function shownWords(text: string): readonly string[] {
  return text.replace(/\S*…\S*/g, ' ').match(/[A-Za-z]{2,}/g) ?? [];
}

/** Words that depend on the width, or on what the deployment did in between. */
const varying = new Set(['others', 'query', 'between', 'and', 'the', 'samples', 'differ', 'widely', 'more']);

test.each(sampled(lines, 8))(
  'fits terminals of 50 to 200 columns without a broken word: %s',
  async (line) => {
    const call = async (width: number) => {
      const { code, out, err } = await run(wordsOf(line), { width, environment: deployment.environment });
      expect([code === 2 || code === 3, err]).toEqual([false, err]);
      return `${out}${err}`;
    };
    const known = new Set([...shownWords(await call(2000)), ...varying]);
    for (const width of sampled([50, 80, 120, 200], 1)) {
      const text = await call(width);
      expect([width, shownWords(text).filter((word) => !known.has(word))]).toEqual([width, []]);
      expect([width, tooWide(text, width)]).toEqual([width, []]);
      expect([width, text.split('\n').filter((each) => / $/.test(each))]).toEqual([width, []]);
    }
  },
);

test('every command that prints for people is shown', () => {
  const shown = new Set(lines.map((line) => commandOf(wordsOf(line))));
  const missing = commands
    .map(({ spec }) => spec.name)
    .filter((name) => !shown.has(name) && !hidden.has(name));
  expect(missing).toEqual([]);
});

/** Commands whose output is a file, a script or JSON, or a line that a test of its own shows. */
const hidden: ReadonlySet<string> = new Set([
  ...[
    'translate',
    'export',
    'collect',
    'collect check',
    'index',
    'seal',
    'hand-over',
    'ui',
    'report',
    'redact',
    'completion',
    'demo',
    'emulate',
  ],
  ...[
    'note add',
    'note edit',
    'note remove',
    'saved add',
    'saved remove',
    'cluster init',
    'cluster push',
    'cluster status',
  ],
  ...['jobs show', 'uploads show', 'uploads add', 'uploads delete', 'sign-in', 'sign-out'],
  ...[
    'profile add',
    'profile use',
    'profile remove',
    'properties show',
    'properties diff',
    'properties edit',
  ],
  ...[
    'upgrade settings',
    'upgrade check',
    'upgrade license',
    'upgrade rollback',
    'upgrade start',
    'upgrade watch',
  ],
]);

function commandOf(words: readonly string[]): string {
  const two = words.slice(0, 2).join(' ');
  return commands.some(({ spec }) => spec.name === two) ? two : (words[0] ?? '');
}
