import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interrupted } from '../../src/cli/terminal/terminal.ts';
import { sampled } from '../effort.ts';
import { run } from './run-in-process.ts';

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  await run(['import', 'samples/incident.ndjson', '--into', at('incident.duckdb')]);
  await writeFile(at('empty.ndjson'), '');
  await writeFile(at('begun.duckdb'), '');
  await run(['import', at('empty.ndjson'), '--into', at('empty.duckdb')]);
});
afterAll(() => rm(folder, { recursive: true }));

describe('a mistake is named, with what to do', () => {
  test.each(
    sampled(
      [
        ['show x CASE', 'ID must be a whole number of at least 1, got "x"'],
        ['note remove CASE x', 'NOTE must be a whole number of at least 1, got "x"'],
        ['note remove CASE 7', 'has no note 7'],
        ['report samples/incident.ndjson', '"logquarry import FILE --into CASE" makes one of log files'],
        ['report missing.duckdb', 'There is no case file "missing.duckdb"'],
        ['report CASE --to docx', '--to must be one of html, pdf, xlsx, md, json, timesketch, got "docx"'],
        ['detect CASE --rules nowhere', '--rules must name a file or a folder with rules, got "nowhere"'],
        ['sessions CASE --idle 10', '--idle must be a duration such as 90s, 30m, 2h, 7d or 1w, got "10"'],
        ['services CASE --by servce', '--by must be one of service, user, method'],
        ['servces CASE', 'Did you mean services?'],
        ['hist CASE', 'Did you mean histogram?'],
        ['count x CASE', 'Did you mean search --count?'],
        ['login', 'Did you mean sign-in?'],
        ['note wxyz', '"logquarry note --help" lists its commands.'],
        ['wxyz', '"logquarry --help" lists the commands.'],
        ['note lst CASE', 'Did you mean list?'],
        ['investigate CASE --arround 2025-03-12', 'Did you mean --around?'],
        [
          'search timeout',
          'search requires a source, and "timeout" is no file: logquarry search timeout SOURCE',
        ],
        [
          'histogram timeout CASE',
          `"timeout" is no file; a query is given with --search: logquarry histogram`,
        ],
        ['top user code:9003.5 CASE', `incident.duckdb --search 'code:9003.5'`],
        ['trace CASE 9c4a', 'ID comes first: logquarry trace 9c4a '],
        ['show CASE 142', 'ID comes first: logquarry show 142 '],
        ['top CASE user', 'FIELD comes first: logquarry top user '],
        ['sql CASE SELECT', 'SQL comes first: logquarry sql SELECT '],
        ['search timed out CASE', `a query of several words is quoted: logquarry search 'timed out' `],
        ['search timed AND out missing.duckdb', 'The file "AND" does not exist'],
        ['search timeout CASE --format json', 'Did you mean --json, --ndjson, --csv,'],
        ['top user CASE --output x', 'Did you mean --json'],
        ['histogram CASE missing.duckdb', 'The file "missing.duckdb" does not exist'],
        ['gaps missing.duckdb', 'The file "missing.duckdb" does not exist'],
        ['ui missing.duckdb --no-open', 'The file "missing.duckdb" is not there'],
        ['ui EMPTY --no-open', 'No log can be read in "'],
        [
          'search * BEGUN --count',
          'begun.duckdb" is empty: a command that is killed while it creates a case',
        ],
        ['overview BEGUN', 'begun.duckdb" is empty: a command that is killed while it creates a case'],
      ],
      6,
    ),
  )('%s', async (line, message) => {
    const files = { CASE: 'incident.duckdb', EMPTY: 'empty.ndjson', BEGUN: 'begun.duckdb' };
    const named = new Map(Object.entries(files));
    const words = line.split(' ').map((word) => {
      const name = named.get(word);
      return name === undefined ? word : at(name);
    });
    const { code, out, err } = await run(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('a file in a folder that does not exist, without the name of a temporary one', async () => {
    const { code, err } = await run(['report', at('incident.duckdb'), '--out', at('nowhere/report.html')]);
    expect(code).toBe(2);
    expect(err).toMatch(/nowhere\/report\.html" cannot be written: ENOENT: no such file or directory\n$/);
  });
});

describe('an empty case', () => {
  test.each(
    sampled(
      [
        'overview',
        'investigate',
        'gaps',
        'services',
        'sessions',
        'detect',
        'patterns',
        'histogram',
        'report --to md',
        'note list',
        'coverage',
        'top source',
      ],
      2,
    ),
  )('%s says that there is nothing', async (line) => {
    const { code, out, err } = await run([...line.split(' '), at('empty.duckdb')]);
    expect(code).toBe(0);
    expect(`${out}${err}`).toMatch(/\b(0|no|No|unknown|Unknown)\b/);
  });
});

test.each(sampled(['report CASE --out report.html', 'redact CASE --out copy.duckdb'], 1))(
  'Ctrl-C leaves nothing of "%s"',
  async (line) => {
    const before = await readdir(folder);
    const words = line
      .split(' ')
      .map((word) => (word === 'CASE' ? at('incident.duckdb') : /\.\w+$/.test(word) ? at(word) : word));
    const { code, err } = await run(words, { signal: AbortSignal.abort(new Interrupted()) });
    expect([code, err]).toEqual([130, 'Interrupted.\n']);
    expect(await readdir(folder)).toEqual(before);
  },
);

describe('times beyond all logs', () => {
  test.each(
    sampled(
      [
        'search msg:*',
        'top source',
        'histogram',
        'patterns',
        'sessions',
        'services',
        'detect',
        'investigate',
        'gaps',
      ],
      2,
    ),
  )('%s names the time of the newest log, or of the oldest one', async (line) => {
    const words = [...line.split(' '), at('incident.duckdb')];
    const later = await run([...words, '--from', '2025-04-01']);
    expect(later.err).toContain(
      '--from selects no log: the newest one is from 2025-03-12 11:28:37.442 (UTC).',
    );
    const earlier = await run([...words, '--to', '2025-03-01', '--zone', '+01:00']);
    expect(earlier.err).toContain(
      '--to selects no log: the oldest one is from 2025-03-11 01:43:23.891 +01:00.',
    );
    const some = await run([...words, '--from', '2025-03-12', '--to', '2025-03-12']);
    expect(some.err).not.toContain('selects no log');
  });
});
