import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import JSZip from 'jszip';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findUnreadable, summary } from '../../src/case/contents/summary.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { type AddOptions, addFile } from '../../src/case/loading/add-files.ts';
import type { LogFile } from '../../src/case/originals/evidence.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { sampled } from '../effort.ts';
import { toZip } from './zips.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-store-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const bytesOf = (text: string) => new TextEncoder().encode(text);

const ndjson = (logs: readonly object[]) => logs.map((log) => `${JSON.stringify(log)}\n`).join('');

/** More than a region of text, so that it is read in several steps. */
const manyLogs = (count: number) =>
  ndjson(Array.from({ length: count }, (_, index) => ({ time: index, msg: `m${index} ${'x'.repeat(300)}` })));

const logs: readonly Log[] = [
  { time: 1_000, logLevel: 'INFO', logCode: 9029, msg: 'first', elapsed: 0.25 },
  { time: 2_000, logLevel: 'SEVERE', msg: 'ü😀 "quoted"\n\ttraces', stackTraces: 'a\n\tat b' },
  {
    time: 3_000,
    msg: 'third',
    username: 'maria@example.com',
    requestID: '550e8400-e29b-41d4-a716-446655440000',
  },
];

async function logsIn(from: Case): Promise<readonly Log[]> {
  return (await findLogs(from, matchAllFilter, { limit: 1_000, order: 'oldest' })).map(({ log }) => log);
}

/** Adds a file to a new case in memory and gives back what the case then holds. */
async function checkAdding(file: LogFile, options?: AddOptions) {
  await using into = await openCase(':memory:', { access: 'write' });
  const added = await addFile(into, file, options);
  return { ...added, found: await logsIn(into), bad: await findUnreadable(into, { limit: 100 }) };
}

/** The code of the error that adding a file rejects with, and what is left behind. */
async function checkRefusal(file: LogFile, options?: AddOptions) {
  await using into = await openCase(path, { access: 'write', create: true });
  const error = await addFile(into, file, options).catch((thrown: unknown) => thrown);
  const { parts } = await summary(into);
  expect(parts).toEqual([]);
  expect(await logsIn(into)).toEqual([]);
  expect(await readdir(folder)).not.toContain('case.duckdb.evidence');
  return error;
}

describe('a zip', () => {
  test('every entry is a part, whatever its format, and every log is found as it was', async () => {
    const zip = new JSZip();
    zip.folder('empty folder');
    zip.file('logs/a.ndjson', ndjson(logs));
    zip.file('logs/b.json', JSON.stringify({ messages: logs.map((log) => ({ ...log, pod: 'p' })) }));
    zip.file('c.csv', 'time,message\n4000,"a, b"\n');
    zip.file('d.ndjson.gz', gzipSync(ndjson(logs.slice(0, 1))));
    const bytes = await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });

    await using into = await openCase(path, { access: 'write', create: true });
    const added = await addFile(into, { name: 'export.zip', bytes }, { job: 'j1' });
    expect(added).toMatchObject({
      name: 'export.zip',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
      already: false,
      parts: [
        { part: 1, entry: 'logs/a.ndjson', format: 'ndjson', logs: 3, unreadable: 0, job: 'j1' },
        { part: 2, entry: 'logs/b.json', format: 'json', logs: 3, unreadable: 0 },
        { part: 3, entry: 'c.csv', format: 'csv', logs: 1, unreadable: 0 },
        { part: 4, entry: 'd.ndjson.gz', format: 'ndjson', logs: 1, unreadable: 0 },
      ],
    });
    expect(added.parts[0]?.entrySha256).toBe(createHash('sha256').update(ndjson(logs)).digest('hex'));

    const found = await findLogs(into, matchAllFilter, { limit: 100, order: 'oldest' });
    expect(found.filter(({ part }) => part === 1).map(({ log }) => log)).toEqual(logs);
    expect(found.filter(({ part }) => part === 2)).toMatchObject(
      logs.map((log, index) => ({ log, extra: { pod: 'p' }, entry: 'logs/b.json', position: index + 1 })),
    );
    expect(found.at(-1)).toMatchObject({ part: 3, log: { time: 4_000, msg: 'a, b' } });
    expect(await summary(into)).toMatchObject({
      logs: 8,
      unreadable: 0,
      first: 1_000,
      last: 4_000,
      parts: added.parts,
    });
  });

  test('the raw record is read from the kept original', async () => {
    const zip = new JSZip();
    zip.file('a.ndjson', ndjson(logs));
    zip.file('b.csv.gz', gzipSync('time,msg\n9000,"ü\r\nb"\n'));
    const bytes = await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
    await using into = await openCase(path, { access: 'write', create: true });
    const { sha256 } = await addFile(into, { name: 'export.zip', bytes });
    expect(await readdir(`${path}.evidence`)).toEqual([sha256]);
    expect(new Uint8Array(await readFile(join(`${path}.evidence`, sha256)))).toEqual(new Uint8Array(bytes));
    expect(await readRaw(into, 2)).toBe(JSON.stringify(logs[1]));
    expect(await readRaw(into, 4)).toBe('9000,"ü\r\nb"');
    expect(await readRaw(into, 5)).toBeUndefined();
    await rm(`${path}.evidence`, { recursive: true });
    expect(await readRaw(into, 2)).toBeUndefined();
  });

  test('an empty zip has no parts, and is known when it comes again', async () => {
    await using into = await openCase(path, { access: 'write', create: true });
    const file = { name: 'empty.zip', bytes: toZip([]) };
    expect(await addFile(into, file)).toMatchObject({ already: false, parts: [] });
    expect(await addFile(into, file)).toMatchObject({ already: true, parts: [] });
  });

  test.each(
    sampled<[string, Parameters<typeof toZip>[0][number], string, RegExp]>(
      [
        ['an encrypted entry', { name: 'a', content: ndjson(logs), flags: 0x801 }, 'ENCRYPTED', /encrypted/],
        [
          'a method that is not read',
          { name: 'a', content: ndjson(logs), method: 12 },
          'BAD_METHOD',
          /method 12/,
        ],
        ['a wrong checksum', { name: 'a', content: ndjson(logs), checksum: 1 }, 'WRONG_CRC', /checksum/],
        [
          'a size too small',
          { name: 'a', content: ndjson(logs), size: 10 },
          'WRONG_SIZE',
          /more bytes than the 10/,
        ],
        [
          'a size too large',
          { name: 'a', content: ndjson(logs), size: 9_999 },
          'WRONG_SIZE',
          /fewer bytes than the 9999/,
        ],
        [
          'damaged bytes',
          { name: 'a', content: ndjson(logs), stored: bytesOf('garbage') },
          'BAD_DATA',
          /damaged/,
        ],
        [
          'a truncated gzip',
          { name: 'a', content: gzipSync(ndjson(logs)).subarray(0, 60) },
          'BAD_DATA',
          /gzip/,
        ],
        [
          'a zip in the zip that is cut off',
          { name: 'a.zip', content: toZip([{ name: 'b', content: ndjson(logs) }]).subarray(0, 60) },
          'NESTED_ARCHIVE',
          /zip archive inside another that is not opened: End of central directory/,
        ],
        [
          'a gzip in a gzip',
          { name: 'a.gz', content: gzipSync(gzipSync('a')) },
          'NESTED_ARCHIVE',
          /gzip archive/,
        ],
        [
          'other XML',
          { name: 'a.xml', content: '<?xml version="1.0"?><a b="c">d</a>' },
          'NOT_LOGS',
          /outside of any <Msg>/,
        ],
        ['a page of HTML', { name: 'a.html', content: '<html>Sign in</html>' }, 'NOT_LOGS', /HTML/],
        [
          'records that are no logs',
          { name: 'a.json', content: '[{"a":1},{"b":2}]' },
          'NOT_LOGS',
          /None of its 2 records/,
        ],
      ],
      4,
    ),
  )('%s is told with its part, and the other entries are loaded', async (_, entry, code, message) => {
    const bytes = toZip([
      { name: 'before', content: ndjson(logs) },
      entry,
      { name: 'after', content: ndjson(logs) },
    ]);
    const { parts, found, bad } = await checkAdding({ name: 'export.zip', bytes });
    expect(parts).toMatchObject([
      { logs: 3 },
      { logs: 0, problem: { code, message: expect.stringMatching(message) } },
      { logs: 3 },
    ]);
    expect(found).toHaveLength(6);
    expect(bad.length).toBeGreaterThan(0);
    expect(bad.every(({ part }) => part === 2)).toBe(true);
    expect(parts[1]?.unreadable).toBe(bad.length);
  });

  test('one without its end is refused as truncated, and nothing of it is left', async () => {
    const bytes = toZip([{ name: 'a', content: ndjson(logs) }]);
    for (const length of [bytes.length - 1, bytes.length - 22, 40, 4])
      expect(await checkRefusal({ name: 'export.zip', bytes: bytes.slice(0, length) })).toMatchObject({
        code: 'TRUNCATED_ZIP',
        message: expect.stringMatching(/"export.zip" is a zip without its end/),
      });
    expect(await checkRefusal({ name: 'export.zip', bytes: new Uint8Array(0) })).toMatchObject({
      code: 'TRUNCATED_ZIP',
    });
  });

  test('one whose list of entries is damaged is refused', async () => {
    const bytes = toZip([{ name: 'a', content: ndjson(logs) }]);
    const start = Buffer.from(bytes).lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    expect(
      await checkRefusal({
        name: 'export.zip',
        bytes: bytes.map((byte, at) => (at === start + 2 ? 9 : byte)),
      }),
    ).toMatchObject({
      code: 'BAD_ZIP',
    });
  });

  test.each(
    sampled<[string, LogFile, AddOptions['limits']]>(
      [
        [
          'by what the zip says',
          { name: 'a.zip', bytes: toZip([{ name: 'a', content: ' '.repeat(1_000_000) }]) },
          { ratioFrom: 1_000 },
        ],
        [
          'by the total',
          { name: 'a.zip', bytes: toZip([{ name: 'a', content: ndjson(logs) }]) },
          { totalBytes: 100 },
        ],
        [
          'by what a gzip inflates to',
          { name: 'a.gz', bytes: gzipSync(' '.repeat(1_000_000)) },
          { ratioFrom: 1_000 },
        ],
      ],
      2,
    ),
  )('a bomb is refused %s', async (_, file, limits) => {
    expect(await checkRefusal(file, { limits: limits ?? {} })).toMatchObject({
      code: 'TOO_BIG',
      message: expect.stringMatching(/it inflates to more than/),
    });
  });
});

describe('a bare file', () => {
  test.each(
    sampled<[string, string | Uint8Array, string]>(
      [
        ['a.ndjson', ndjson(logs), 'ndjson'],
        ['a.json', JSON.stringify(logs, null, 2), 'json'],
        ['a.log.gz', gzipSync(ndjson(logs)), 'ndjson'],
        ['misnamed.zip', ndjson(logs), 'ndjson'],
      ],
      4,
    ),
  )('%s', async (name, content, format) => {
    const file = join(folder, name);
    await writeFile(file, content);
    const { parts, found } = await checkAdding(file);
    // The times of these logs are seconds after 1970.
    const remarks = [{ code: 'IMPLAUSIBLE_TIME', field: 'time', count: 3 }];
    expect(parts).toMatchObject([{ file: name, entry: name, format, logs: 3, unreadable: 0, remarks }]);
    expect(found).toEqual(logs);
  });

  test('an empty one is a part without logs', async () => {
    expect((await checkAdding({ name: 'a.ndjson', bytes: new Uint8Array(0) })).parts).toMatchObject([
      { format: 'empty', logs: 0, unreadable: 0, bytes: 0 },
    ]);
  });

  test('one that is no log is kept and said', async () => {
    const { parts, bad } = await checkAdding({ name: 'letter.txt', bytes: bytesOf('Dear reader\n') });
    expect(parts).toMatchObject([{ logs: 0, unreadable: 1, problem: { code: 'NOT_LOGS' } }]);
    expect(bad).toMatchObject([{ entry: 'letter.txt', position: 1, code: 'NOT_LOGS', raw: 'Dear reader\n' }]);
  });

  test('unreadable records and remarks are counted', async () => {
    const text = '{"msg":"a","code":"x"}\n{"msg":"tr\n{"msg":"b","code":"y","level":"INFO","type":"log"}\n';
    const { parts, found, bad } = await checkAdding({ name: 'a', bytes: bytesOf(text) });
    expect(parts).toMatchObject([
      {
        logs: 2,
        unreadable: 1,
        remarks: [
          { code: 'WRONG_TYPE', field: 'logCode', count: 2 },
          { code: 'SECOND_VALUE', field: 'logLevel', count: 1 },
        ],
      },
    ]);
    expect(parts[0]?.problem).toBeUndefined();
    expect(found).toHaveLength(2);
    expect(bad).toMatchObject([{ position: 2, code: 'BAD_JSON', raw: '{"msg":"tr' }]);
  });

  test.each(
    sampled(
      [
        ['that is not there', 'nowhere.zip', 'FILE_NOT_FOUND'],
        ['that is a folder', '.', 'FILE_UNREADABLE'],
      ],
      2,
    ),
  )('one %s', async (_, name, code) => {
    expect(await checkRefusal(join(folder, name))).toMatchObject({ code });
  });
});

test('values that are hard to carry come back as they were', async () => {
  const hard = [
    '\u0000',
    '\u001e',
    '\u001eabc',
    "'; DROP TABLE logs --",
    '=cmd|x',
    '\u001b[31m',
    '"',
    '\\',
    'NULL',
    '￿',
    '  ',
    '%$1',
  ];
  const given = hard.map((msg, index) => ({ time: index, msg, source: msg }));
  const { found } = await checkAdding({ name: 'a', bytes: bytesOf(ndjson(given)) });
  expect(found).toEqual(given);
});

test.each(sampled([-62_167_219_200_000, 0, -1, 253_402_300_799_999, 8.64e15, -8.64e15], 2))(
  'a log of the time %d comes back',
  async (time) => {
    expect((await checkAdding({ name: 'a', bytes: bytesOf(ndjson([{ time, msg: 'a' }])) })).found).toEqual([
      { time, msg: 'a' },
    ]);
  },
);

describe('adding again', () => {
  test('the same file is said to be there, under any name, and nothing is doubled', async () => {
    await using into = await openCase(path, { access: 'write', create: true });
    const first = await addFile(into, { name: 'a.ndjson', bytes: bytesOf(ndjson(logs)) });
    const again = await addFile(into, { name: 'b.ndjson', bytes: bytesOf(ndjson(logs)) });
    expect(again).toMatchObject({ already: true, sha256: first.sha256, parts: first.parts });
    expect(await logsIn(into)).toEqual(logs);
    expect(await readdir(`${path}.evidence`)).toEqual([first.sha256]);
  });

  test('goes on after an interruption where it stopped', async () => {
    const bytes = toZip([
      { name: 'a', content: manyLogs(9_000) },
      { name: 'b', content: manyLogs(9_000) },
    ]);
    await using into = await openCase(path, { access: 'write', create: true });
    const stop = new AbortController();
    const onProgress = ({ entry, logs: done }: { entry: string; logs: number }) => {
      if (entry === 'b' && done > 12_000) stop.abort(new Error('interrupted'));
    };
    const file = { name: 'export.zip', bytes };
    await expect(addFile(into, file, { signal: stop.signal, onProgress })).rejects.toThrow('interrupted');
    expect(await summary(into)).toMatchObject({ logs: 9_000, parts: [{ entry: 'a', logs: 9_000 }] });

    expect(await addFile(into, file)).toMatchObject({
      already: false,
      parts: [{ part: 1 }, { entry: 'b', logs: 9_000 }],
    });
    expect(await addFile(into, file)).toMatchObject({ already: true });
    expect(await summary(into)).toMatchObject({ logs: 18_000 });
  });

  test('an entry that failed is tried again and takes the place of its failure', async () => {
    await using into = await openCase(path, { access: 'write', create: true });
    const file = { name: 'a.zip', bytes: toZip([{ name: 'a', content: '{"a":1}' }]) };
    await addFile(into, file);
    await addFile(into, file);
    expect(await summary(into)).toMatchObject({ unreadable: 1, parts: [{ problem: { code: 'NOT_LOGS' } }] });
  });
});

test('a failure in the middle of a part leaves nothing of it, and the case goes on working', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ time: index, msg: `m${index}` }));
  const text = `${ndjson(many)}{"msg":"tr\n`;
  const bytes = toZip([{ name: 'a', content: text, checksum: 7 }]);
  await using into = await openCase(path, { access: 'write', create: true });
  expect((await addFile(into, { name: 'a.zip', bytes })).parts).toMatchObject([
    { problem: { code: 'WRONG_CRC' } },
  ]);
  expect(await summary(into)).toMatchObject({ logs: 0, unreadable: 1 });
  const again = await addFile(into, { name: 'b', bytes: bytesOf(text) });
  expect(again.parts).toMatchObject([{ logs: 20_000, unreadable: 1 }]);
  const ids = await findLogs(into, matchAllFilter, { limit: 100_000, order: 'oldest' });
  expect(ids.map(({ id }) => id)).toEqual(many.map((_, index) => index + 1));
});

test('progress says how far it is', async () => {
  const content = manyLogs(20_000);
  const seen: number[] = [];
  const onProgress = (progress: { bytes: number; totalBytes?: number; logs: number }) => {
    expect(progress).toMatchObject({ file: 'a.zip', entry: 'a', totalBytes: content.length, unreadable: 0 });
    seen.push(progress.bytes, progress.logs);
  };
  await checkAdding({ name: 'a.zip', bytes: toZip([{ name: 'a', content }]) }, { onProgress });
  expect(seen.slice(-2)).toEqual([content.length, 20_000]);
  expect(seen.length).toBeGreaterThan(2);
});

test('what was added is there after closing, for SQL too, and the evidence cannot be written by accident', async () => {
  let sha256: string;
  {
    await using into = await openCase(path, { access: 'write', create: true });
    ({ sha256 } = await addFile(into, { name: 'a', bytes: bytesOf(ndjson(logs)) }));
  }
  const { rows } = await runSql(path, 'SELECT id, part, entry, position, "time", msg FROM logs ORDER BY id');
  expect(rows[0]).toEqual([1, 1, 'a', 1, '1970-01-01 00:00:01', 'first']);
  expect((await runSql(path, 'SELECT action, details FROM actions ORDER BY number')).rows).toEqual([
    ['create case', { version: 1, created: expect.any(String) }],
    [
      'add part',
      expect.objectContaining({ part: 1, entry: 'a', entrySha256: sha256, logs: 3, unreadable: 0 }),
    ],
    [
      'add file',
      { file: 'a', sha256, bytes: expect.any(Number), added: expect.any(Number), parts: 1, logs: 3 },
    ],
  ]);
  // The owner may still change it, as a folder has to be removable: that is what the mode asks first.
  await expect(chmod(join(`${path}.evidence`, sha256), 0o444)).resolves.toBeUndefined();
});
