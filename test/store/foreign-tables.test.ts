import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { utils, write } from '@e965/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { toTar } from './tars.ts';
import { toZip } from './zips.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foreign-tables-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function logsIn(name: string, bytes: Uint8Array) {
  await using into = await openCase(':memory:', { access: 'write', create: true });
  const { parts } = await addFile(into, { name, bytes });
  const logs = [];
  for await (const { log, extra } of streamLogs(into, matchAllFilter, { order: 'oldest' }))
    logs.push({ log, extra });
  return {
    logs,
    formats: parts.map(({ format }) => format),
    remarks: parts.flatMap(({ remarks }) => remarks),
  };
}

/** A Parquet file of a SELECT, as another program writes it. */
async function parquetOf(select: string): Promise<Uint8Array> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const path = join(folder, 'foreign.parquet');
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return await readFile(path);
}

const time = Date.UTC(2025, 4, 14, 6, 10, 50, 69);

test.each([
  ['microseconds', `TIMESTAMP '2025-05-14 06:10:50.069'`],
  ['nanoseconds', `'2025-05-14 06:10:50.069123456'::TIMESTAMP_NS`],
  ['a zone', `TIMESTAMPTZ '2025-05-14 08:10:50.069+02'`],
  ['milliseconds as a number', '1747203050069::BIGINT'],
])('Parquet of others is read, its times with %s', async (_, written) => {
  const bytes = await parquetOf(
    `SELECT ${written} AS "@timestamp", 'ERROR' AS level, 'Sheet 7' AS message, 1450::SMALLINT AS code,
       9007199254740993::BIGINT AS big, {'pod': 'a'} AS kubernetes, ['x'] AS tags`,
  );
  const { logs, formats } = await logsIn('foreign.parquet', bytes);
  expect(formats).toEqual(['parquet']);
  expect(logs).toMatchObject([
    {
      log: { time, logLevel: 'SEVERE', msg: 'Sheet 7', logCode: 1450 },
      extra: { big: '9007199254740993', kubernetes: { pod: 'a' }, tags: ['x'] },
    },
  ]);
});

/** A workbook as a spreadsheet program writes it: shared texts, and dates as day numbers with a format. */
function workbookOf(sheets: readonly string[] = ['Logs'], message = 'Sheet <7> & "more"'): Uint8Array {
  const book = utils.book_new();
  for (const name of sheets) {
    const sheet = utils.aoa_to_sheet([
      ['time', 'level', 'code', 'message', 'user'],
      [45_791.257_523_946_76, 'WARN', 1450, message, null],
      [],
      [45_791.257_523_946_76, 'ERROR', 9003, 'second', 'joost'],
    ]);
    for (const cell of ['A2', 'A4']) sheet[cell].z = 'yyyy-mm-dd hh:mm:ss.000';
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true });
}

const rows = [
  { log: { time, logLevel: 'WARNING', logCode: 1450, msg: 'Sheet <7> & "more"' } },
  { log: { time, logLevel: 'SEVERE', logCode: 9003, msg: 'second', username: 'joost' } },
];

/** A frame of Zstandard (RFC 8878, section 3.1.1) with the bytes in raw blocks. */
function toZstd(bytes: Uint8Array): Uint8Array {
  const length = 100_000;
  const blocks = Array.from({ length: Math.max(1, Math.ceil(bytes.length / length)) }, (_, at) => {
    const content = bytes.subarray(at * length, (at + 1) * length);
    const isLast = bytes.length <= (at + 1) * length;
    const header = Buffer.alloc(3);
    header.writeUIntLE(content.length * 8 + Number(isLast), 0, 3);
    return [header, content];
  });
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), ...blocks.flat()]);
}

/** Ways to pack a file. */
const packings: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['itself', (bytes) => bytes],
  ['gzip', (bytes) => gzipSync(bytes)],
  ['Zstandard', toZstd],
  ['a zip', (content) => toZip([{ name: 'logs', content }])],
  ['gzip in a tar in gzip', (bytes) => gzipSync(toTar([{ name: 'logs.gz', content: gzipSync(bytes) }]))],
];

test.each(packings)('a Parquet file is read, within %s', async (_, packed) => {
  const bytes = await parquetOf(`SELECT ${time}::BIGINT AS time, 'a' AS message`);
  const { logs, formats } = await logsIn('logs.parquet', packed(bytes));
  expect(formats.at(-1)).toBe('parquet');
  expect(logs).toMatchObject([{ log: { time, msg: 'a' } }]);
});

test('a table that is damaged within gzip says so, and a format that is not read is named', async () => {
  await using into = await openCase(':memory:', { access: 'write', create: true });
  const problemOf = async (bytes: Uint8Array) =>
    (await addFile(into, { name: 'a.gz', bytes: gzipSync(bytes) })).parts[0]?.problem;
  expect(await problemOf(Buffer.from(`PAR1${'x'.repeat(100)}`))).toMatchObject({
    code: 'BAD_DATA',
    message: expect.stringContaining('The Parquet file is damaged'),
  });
  expect(await problemOf(Buffer.from(`ElfFile\0${'x'.repeat(100)}`))).toMatchObject({
    message: expect.stringContaining('the Windows event log (.evtx)'),
  });
  expect(await problemOf(Buffer.from(`7z\u00bc\u00af'\u001c${'x'.repeat(100)}`, 'latin1'))).toMatchObject({
    message: expect.stringContaining('compressed by 7z, which is not read: unpack it first'),
  });
  const bomb = Buffer.alloc(200 * 1024 * 1024);
  bomb.write('PAR1');
  expect(await problemOf(bomb)).toMatchObject({ message: expect.stringContaining('more than 200 times') });
});

test.each(packings)('a workbook of a spreadsheet program is read, within %s', async (_, packed) => {
  const { logs, formats } = await logsIn('logs.xlsx', packed(workbookOf()));
  expect(formats.at(-1)).toBe('workbook');
  expect(logs).toMatchObject(rows);
});
