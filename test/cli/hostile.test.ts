import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse as parseCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { toZip } from '../store/zips.ts';
import { type Ran, run } from './run-in-process.ts';

/*
 * Whatever a log holds and however a file lies, every output says what is
 * there, is well-formed, and does nothing to a terminal or a spreadsheet.
 */

let folder: string;
let imported: Ran;

/** The messages that have to come out again, in the order of their times. */
const messages: string[] = [];

const at = (name: string) => join(folder, name);
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** A line with a message, which is expected to come out as `expected`. */
function line(message: string, expected = message): string {
  const time = messages.push(expected);
  return `${JSON.stringify({ time, msg: message, source: message })}\n`;
}

/** A record as it is written, whose message is expected to come out. */
function written(record: (time: number) => string, expected: string): string {
  const time = messages.push(expected);
  return `${record(time)}\n`;
}

/** The files, each with something hostile in it. */
function files(): Readonly<Record<string, Uint8Array>> {
  return {
    'controls.ndjson': bytes(
      line('NUL \u0000 inside'),
      line('\u001b[2J\u001b]0;title\u0007 ansi \u009b31m'),
      line('right to left \u202e and \u2066 isolates'),
      line('line\u2028breaks\u0085of\r\nall\u000bkinds'),
      line('half \ud83d of a pair', 'half \ufffd of a pair'),
    ),
    'formulas.ndjson': bytes(
      ...["=cmd|' /C calc'!A0", '+1+1', '-2', '@SUM(A1)', '\t=1', '\r=1'].map((each) => line(each)),
      ...['\n=1', '\n', ' =1', '＝1', '＋1', '－1', '＠1', '\t＝1'].map((each) => line(each)),
    ),
    'markup.ndjson': bytes(
      ...['a | b', '<script>alert(1)</script>', '[x](javascript:y) `z` **', '"quoted", and \'more\''].map(
        (each) => line(each),
      ),
    ),
    'utf8.ndjson': bytes(
      written((time) => `{"time":${time},"msg":"bad `, 'bad \ufffd\ufffd utf').slice(0, -1),
      [0xff, 0xc3],
      ' utf"}\n',
    ),
    'mark.ndjson': bytes([0xef, 0xbb, 0xbf], line('behind a mark ü')),
    'utf16.ndjson': Buffer.from(`\ufeff${line('in UTF-16 😀')}`, 'utf16le'),
    'keys.ndjson': bytes(
      written((time) => `{"time":${time},"msg":"first","msg":"last of two keys"}`, 'last of two keys'),
      written(
        (time) => `{"time":"${time}","code":"9003","elapsed":"0.5","msg":"numbers as text"}`,
        'numbers as text',
      ),
      written(
        (time) => `{"time":${time},"msg":"odd keys","__proto__":{"x":1},"constructor":2,"\\u0000":3}`,
        'odd keys',
      ),
      written((time) => `{"time":${time},"msg":"missing fields"}`, 'missing fields'),
    ),
    'long.ndjson.gz': gzipSync(
      Buffer.concat([
        Buffer.from('{"msg":"'),
        Buffer.alloc(100 * 1024 * 1024, 'x'),
        Buffer.from(`"}\n${line('behind a long line')}`),
      ]),
    ),
    'classic.log': bytes(
      written((time) => `<Msg time="${time}" user="=1">&#27;[31m\u0000 < b</Msg>`, '\u001b[31m\u0000 < b'),
    ),
  };
}

const ends = [
  { time: -62_167_219_200_000, msg: 'year 0' },
  { time: 253_402_300_799_999, msg: 'year 9999' },
  { msg: 'no time' },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-hostile-'));
  const all = files();
  for (const [name, content] of Object.entries(all)) await writeFile(at(name), content);
  await writeFile(at('ends.ndjson'), ends.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const zeros = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  await writeFile(at('bomb.gz'), zeros);
  await writeFile(
    at('lying.zip'),
    toZip([
      { name: '../../evil.ndjson', content: '{"time":0,"msg":"escaped"}\n' },
      { name: '/etc/evil.ndjson', content: '{"time":0,"msg":"escaped"}\n' },
      { name: 'short.ndjson', content: '{"msg":"too short"}\n', size: 5 },
      { name: 'wrong.ndjson', content: '{"msg":"wrong checksum"}\n', checksum: 1 },
      {
        name: '\u001b[31mname\u202e.ndjson',
        content: `${JSON.stringify({ time: 0, msg: 'of a hostile name' })}\n`,
      },
    ]),
  );
  await mkdir(at('work'));
  const names = [...Object.keys(all), 'ends.ndjson', 'bomb.gz', 'lying.zip'];
  imported = await run(['import', ...names.map(at), '--into', at('case.duckdb')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** All messages as they have to come out, the oldest first. */
const expected = () => [
  ...['year 0', 'escaped', 'escaped', 'of a hostile name'],
  ...[...messages, 'year 9999', 'no time'],
];

/** Characters that do something to a terminal. */
const unsafe =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

const search = (...options: string[]) =>
  run(['search', '*:*', at('case.duckdb'), '--all', '--oldest', ...options]);

test('hostile content of a file is reported, and the rest is loaded', async () => {
  const { code, out, err } = imported;
  expect(code).toBe(1);
  expect(out).not.toMatch(unsafe);
  expect(err).not.toMatch(unsafe);
  for (const told of ['TOO_BIG', 'WRONG_SIZE', 'WRONG_CRC', 'hold the same logs'])
    expect(err).toContain(told);
  expect(await run(['search', '*:*', at('case.duckdb'), '--count'])).toMatchObject({
    out: `${expected().length}\n`,
  });
  expect((await readdir(folder)).filter((name) => name.includes('evil'))).toEqual([]);
  const { out: unreadable } = await run([
    'sql',
    'SELECT code, length(raw) FROM unreadable ORDER BY part',
    at('case.duckdb'),
    '--csv',
  ]);
  expect(unreadable).toContain('TOO_LONG,65536');
});

/** Reports if a spreadsheet may take a text for a formula (OWASP, "CSV Injection"). */
const isFormula = (text: string) => /^[\t\r\n=+\-@＝＋－＠]|^\s+[=+\-@＝＋－＠]/.test(text);

describe('every output', () => {
  test('a table is safe to show, and has a line for each log', async () => {
    const { code, out } = await search();
    expect(code).toBe(0);
    expect(out).not.toMatch(unsafe);
    expect(out.split('\n')).toHaveLength(expected().length + 2);
  });

  test('JSON and NDJSON hold the logs as they are, and are safe to show', async () => {
    const { out: json } = await search('--json');
    expect(json).not.toMatch(unsafe);
    expect(JSON.parse(json).logs.map(({ log }: { log: { msg: string } }) => log.msg)).toEqual(expected());
    const { out: ndjson } = await search('--ndjson');
    expect(ndjson).not.toMatch(unsafe);
    const logs = ndjson
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(logs.map(({ log }) => log.msg)).toEqual(expected());
    const odd = logs.find(({ log }) => log.msg === 'odd keys');
    expect(Object.entries(odd.extra).map(([key]) => key)).toEqual(['__proto__', 'constructor', '\u0000']);
    const textual = logs.find(({ log }) => log.msg === 'numbers as text');
    expect(textual.log).toMatchObject({ logCode: 9003, elapsed: 0.5 });
    expect(logs.find(({ log }) => log.msg === 'missing fields').log).toEqual({
      time: expect.any(Number),
      msg: 'missing fields',
    });
    expect([logs[0].log.time, logs.at(-2).log.time, logs.at(-1).log.time]).toEqual([
      ends[0]?.time,
      ends[1]?.time,
      undefined,
    ]);
  });

  test('CSV holds the logs, and no cell is a formula', async () => {
    const { out } = await search('--csv');
    const rows: Record<string, string>[] = parseCsv(out, { columns: true });
    const safe = expected().map((msg) => (isFormula(msg) ? `'${msg}` : msg));
    expect(rows.map(({ msg }) => msg)).toEqual(safe);
    for (const cell of rows.flatMap((row) => Object.values(row)))
      expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$|000001)/);
    expect(rows.map(({ time }) => time).filter((time) => /^(0000|9999)/.test(time ?? ''))).toHaveLength(2);
  });

  test('raw CSV holds the logs as they are', async () => {
    const { out } = await search('--raw-csv');
    const rows: Record<string, string>[] = parseCsv(out, { columns: true });
    expect(rows.map(({ msg }) => msg)).toEqual(expected());
  });

  test('CSV is safe to show in a terminal', async () => {
    const { out } = await run(['search', '*:*', at('case.duckdb'), '--all', '--csv'], { width: 80 });
    expect(out).not.toMatch(unsafe);
  });

  test('Markdown has a row for each log, and no markup of theirs', async () => {
    const { out } = await search('--markdown');
    expect(out).not.toMatch(unsafe);
    const rows = out.trimEnd().split('\n').slice(2);
    expect(rows).toHaveLength(expected().length);
    for (const row of rows) expect(row.replace(/\\./g, '').split('|')).toHaveLength(9);
    expect(out).not.toMatch(/(?<!\\)<script|(?<!\\)\[x|(?<!\\)`/);
  });

  test('Parquet holds the logs as they are', async () => {
    expect(await search('--parquet', at('work/all.parquet'))).toMatchObject({ code: 0, out: '' });
    expect(await readdir(at('work'))).toEqual(['all.parquet']);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(`SELECT msg FROM '${at('work/all.parquet')}'`);
    expect(result.getRowsJS().map(([msg]) => msg)).toEqual(expected());
    connection.closeSync();
    instance.closeSync();
  });

  test.each(sampled(['', '--json', '--ndjson', '--markdown'], 1))(
    'SQL as %s is safe to show',
    async (form) => {
      const { code, out } = await run([
        'sql',
        'SELECT * FROM logs ORDER BY time NULLS LAST, id',
        at('case.duckdb'),
        ...(form ? [form] : []),
      ]);
      expect(code).toBe(0);
      expect(out).not.toMatch(unsafe);
    },
  );

  largeTest('SQL as CSV has no formula, and as raw CSV all as it is', async () => {
    const ask = ['sql', 'SELECT msg, -1 AS n FROM logs ORDER BY time NULLS LAST, id', at('case.duckdb')];
    const rows: string[][] = parseCsv((await run([...ask, '--csv'])).out);
    for (const [msg = '', n] of rows.slice(1)) expect([isFormula(msg), n]).toEqual([false, '-1']);
    const raw: string[][] = parseCsv((await run([...ask, '--raw-csv'])).out);
    expect(raw.slice(1).map(([msg]) => msg)).toEqual(expected());
  });

  test.each(
    sampled<[command: string, before: string[], behind: string[]]>(
      [
        ['top', ['msg'], []],
        ['top', ['source'], ['--csv']],
        ['histogram', [], ['--by', 'source']],
        ['histogram', [], ['--json']],
        ['search', ['*:*'], ['--context', '1']],
        ['trace', ['=1'], []],
      ],
      3,
    ),
  )('%s %j %j is safe to show', async (command, before, behind) => {
    const { code, out, err } = await run([command, ...before, at('case.duckdb'), ...behind], { width: 100 });
    expect(code).toBe(0);
    expect(out + err).not.toMatch(unsafe);
  });

  test('and the case is as its originals say', async () => {
    expect(await run(['verify', at('case.duckdb')])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Intact/),
    });
  });
});

largeTest('what was written is named without control characters', async () => {
  const name = 'out\u001b[31m\u202e.parquet';
  const from = at('controls.ndjson');
  const said = await Promise.all([
    run(['search', '*:*', from, '--parquet', at(`1${name}`)]),
    run(['trace', 'none\u001b[31m\u202e', from]),
    run(['trace', 'none', from, '--parquet', at(`2${name}`)]),
    run(['import', from, '--into', at('named.duckdb')]).then(() =>
      run(['sql', 'SELECT 1', at('named.duckdb'), '--parquet', at(`3${name}`)]),
    ),
    run(['emulate', '--\u001b[31m\u202e']),
    run(['\u001b[31m\u202e']),
  ]);
  for (const { err } of said) {
    expect(err).toContain('\\x1b[31m\\u202e');
    expect(err).not.toMatch(/[\u001b\u202e]/);
  }
});
