import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { type Ran, run } from './run-in-process.ts';

const sample = resolve('samples/incident.ndjson');
const table = resolve('samples/incident.csv');
const home = process.cwd();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  process.chdir(folder);
  expect(await call('import', sample, '--into', 'case.duckdb')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  process.chdir(home);
  await rm(folder, { recursive: true });
});

/** Runs a command line in the folder of the cases. */
function call(...words: string[]): Promise<Ran> {
  return run(words);
}

describe('import', () => {
  test('says what was loaded, and a file is loaded once', async () => {
    const first = await call('import', sample, table, '--into', 'two.duckdb', '--json');
    expect(first).toMatchObject({ code: 0 });
    const { files } = JSON.parse(first.out);
    expect(files).toMatchObject([
      { name: 'incident.ndjson', already: false, parts: [{ format: 'ndjson', logs: 220, unreadable: 0 }] },
      { name: 'incident.csv', already: false, parts: [{ format: 'csv', logs: 220, unreadable: 0 }] },
    ]);
    const again = await call('import', sample, '--into', 'two.duckdb');
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('already in the case') });
    expect(await call('search', '*:*', 'two.duckdb', '--count')).toMatchObject({ out: '440\n' });
  });

  test('keeps and counts what it cannot read', async () => {
    await writeFile(join(folder, 'broken.ndjson'), '{"time":1,"msg":"a"}\nnonsense\n{"time":2,"msg":"b"}\n');
    const { code, out, err } = await call('import', 'broken.ndjson', '--into', 'broken.duckdb');
    expect({ code, out }).toEqual({ code: 4, out: expect.stringMatching(/ndjson +2 +1/) });
    expect(err).toContain('"broken.ndjson": 1 record could not be read');
  });

  test.each(
    sampled(
      [
        ['a file that is no log', 'picture.png', '\u0089PNG\r\n\u001a\n\u0000\u0000', 'was not loaded'],
        ['a zip without its end', 'cut.zip', 'PK\u0003\u0004 and then nothing', 'TRUNCATED_ZIP'],
      ],
      1,
    ),
  )('%s is refused, and the others are loaded', async (_name, file, text, message) => {
    await writeFile(join(folder, file), Buffer.from(text, 'latin1'));
    const { code, err } = await call('import', file, sample, '--into', `${file}.duckdb`);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
    expect(await call('search', '*:*', `${file}.duckdb`, '--count')).toMatchObject({ out: '220\n' });
  });

  test.each(
    sampled(
      [
        ['not there', 'nowhere.zip', 'The file "nowhere.zip" does not exist'],
        ['of no match', 'no-*.log', '"no-*.log" names no file'],
      ],
      1,
    ),
  )('makes no case when a file is %s', async (_name, file, message) => {
    const { code, err } = await call('import', sample, file, '--into', 'none.duckdb');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
    expect(await readdir(folder)).not.toContain('none.duckdb');
  });
});

test('import reads folders with what is below, and patterns that no shell has resolved', async () => {
  await mkdir(join(folder, 'depot/gis1/server'), { recursive: true });
  const log = (msg: string) => `{"time":1,"msg":"${msg}"}\n`;
  await writeFile(join(folder, 'depot/a.log'), log('one'));
  await writeFile(join(folder, 'depot/gis1/server/b.log'), log('two'));
  await writeFile(join(folder, 'depot/gis1/server/b.log.lck'), '');
  const whole = await call('import', 'depot', '--into', 'depot/depot.duckdb');
  expect(whole.code).toBe(0);
  expect(await call('search', '*:*', 'depot/depot.duckdb', '--count')).toMatchObject({ out: '2\n' });
  const again = await call('import', 'depot', '--into', 'depot/depot.duckdb');
  expect(again).toMatchObject({
    code: 0,
    err: expect.stringMatching(/depot\.duckdb" is a case and was left out/),
  });
  expect(await call('search', '*:*', 'depot/depot.duckdb', '--count')).toMatchObject({ out: '2\n' });
  expect((await call('import', 'depot/**/*.log', '--into', 'pattern.duckdb')).code).toBe(0);
  expect(await call('search', '*:*', 'pattern.duckdb', '--count')).toMatchObject({ out: '2\n' });
});

describe('search', () => {
  test('shows the newest logs and says how many there are', async () => {
    const { code, out, err } = await call('search', '*:*', 'case.duckdb', '--limit', '2');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^The newest 2 of 220 logs; --limit N or --all shows more, --after \d+:0:\d+ the next page\.\n$/,
      ),
    });
    const times = [...out.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/g)].map(([time]) => time);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(times.length).toBe(2);
  });

  test('the oldest first where that is wanted', async () => {
    const { out } = await call('search', '*:*', 'case.duckdb', '--oldest', '--all', '--ndjson');
    const times = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).log.time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.length).toBe(220);
  });

  test('every log of every output says where it came from', async () => {
    const { out } = await call('search', 'logCode:1312', 'case.duckdb', '--json');
    const { query, total, logs } = JSON.parse(out);
    expect({ query, total }).toEqual({ query: 'logCode:1312', total: logs.length });
    for (const log of logs) {
      expect(log).toMatchObject({ part: 1, entry: 'incident.ndjson', position: expect.any(Number) });
    }
  });

  test.each(sampled(['ndjson', 'json', 'csv'], 1))(
    'what it writes as %s is read again as the same logs',
    async (format) => {
      const all = ['*:*', '--all', '--oldest'];
      const { out: written } = await call('search', ...all, 'case.duckdb', `--${format}`);
      await writeFile(join(folder, `found.${format}`), written);
      const logsOf = async (from: string) => {
        const { out } = await call('search', ...all, from, '--ndjson');
        return out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).log);
      };
      const again = await logsOf(`found.${format}`);
      expect(again.length).toBe(220);
      expect(again).toEqual(await logsOf('case.duckdb'));
    },
  );

  test('a query with errors is not run', async () => {
    const { code, out, err } = await call('search', '(a', 'case.duckdb');
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('[unclosed-group]'),
    });
  });

  test('nothing found is no failure', async () => {
    expect(await call('search', 'xyzzy', 'case.duckdb')).toEqual({
      code: 0,
      out: '',
      err: 'No log matches.\n',
    });
  });

  test.each(
    sampled(
      [
        ['nowhere.duckdb', 'CASE_NOT_FOUND'],
        ['.', 'NOT_A_CASE'],
      ],
      1,
    ),
  )('%s is wrong usage', async (path, code) => {
    expect(await call('search', 'a', path)).toMatchObject({
      code: 2,
      err: expect.stringContaining(code),
    });
  });

  test('control characters of a log reach no output', async () => {
    const msg = 'before \u001b[2J\u009b31m\u202e after';
    await writeFile(
      join(folder, 'evil.ndjson'),
      `${JSON.stringify({ time: 1, msg, source: '\u0007bell' })}\n`,
    );
    expect(await call('import', 'evil.ndjson', '--into', 'evil.duckdb')).toMatchObject({ code: 0 });
    for (const words of [
      ['search', '*:*'],
      ['search', '*:*', '--json'],
      ['search', '*:*', '--ndjson'],
      ['search', '*:*', '--markdown'],
      ['sql', 'FROM logs'],
      ['sql', 'FROM logs', '--json'],
    ]) {
      const [command = '', query = '', ...options] = words;
      const { code, out } = await call(command, query, 'evil.duckdb', ...options);
      expect({ code, unsafe: /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(out) }).toEqual({
        code: 0,
        unsafe: false,
      });
    }
  });
});

describe('sql', () => {
  test('prints a table, JSON or CSV', async () => {
    const sql = 'SELECT logLevel, count(*) AS n FROM logs GROUP BY ALL ORDER BY n DESC LIMIT 2';
    const { out: table, err } = await call('sql', sql, 'case.duckdb');
    expect(table).toMatch(/^logLevel +n\n\w+ +\d+\n\w+ +\d+\n$/);
    expect(err).toBe('2 rows.\n');
    const { columns, rows, more } = JSON.parse((await call('sql', sql, 'case.duckdb', '--json')).out);
    expect(columns).toEqual([
      { name: 'logLevel', type: 'VARCHAR' },
      { name: 'n', type: 'BIGINT' },
    ]);
    expect(more).toBe(false);
    const { out: csv } = await call('sql', sql, 'case.duckdb', '--csv');
    expect(csv).toBe(`logLevel,n\n${rows.map((row: unknown[]) => `${row.join(',')}\n`).join('')}`);
  });

  test('of the standard input, cut where the limit says', async () => {
    const { code, out, err } = await run(['sql', '-', 'case.duckdb', '--limit', '3'], {
      input: 'SELECT id\nFROM logs\n',
    });
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: 5 });
    expect(err).toContain('The first 3 rows; --limit N shows more');
  });

  test.each(
    sampled(
      [
        ['SELEC', 'BAD_SQL'],
        ["SELECT * FROM read_csv('/etc/passwd')", 'SQL_REFUSED'],
        ['DROP VIEW logs', 'SQL_REFUSED'],
      ],
      1,
    ),
  )('%s is refused', async (sql, code) => {
    expect(await call('sql', sql, 'case.duckdb')).toMatchObject({
      code: 1,
      err: expect.stringContaining(code),
    });
  });
});
