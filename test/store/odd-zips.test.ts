import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryNotes, lossesOf } from '../../src/case/contents/summary.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { type AddOptions, addFile } from '../../src/case/loading/add-files.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { rounds, sampled } from '../effort.ts';
import { type RawEntry, toZip } from './zips.ts';

let folder: string;
let into: Case;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-zips-'));
  into = await openCase(join(folder, 'case.duckdb'), { access: 'write', create: true });
});

afterAll(async () => {
  await into[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const logs = [
  { time: 1_000, logLevel: 'INFO', msg: 'first' },
  { time: 2_000, logLevel: 'SEVERE', msg: 'ü😀' },
];

const ndjson = (more: readonly object[] = logs) => more.map((log) => `${JSON.stringify(log)}\n`).join('');

/** Other logs than those of other numbers. */
const logsOf = (number: number) => ndjson([{ time: number, msg: `of ${number}` }]);

/** Contents of the case after a zip was added to it. */
async function add(bytes: Uint8Array, options?: AddOptions) {
  const { parts } = await addFile(into, { name: 'export.zip', bytes }, options);
  const own = new Set(parts.map(({ part }) => part));
  const found = (await findLogs(into, matchAllFilter, { limit: 10_000, order: 'oldest' })).filter(
    ({ part }) => own.has(part),
  );
  const notes = await entryNotes(into, parts);
  return { parts, found, messages: found.map(({ log }) => log.msg), notes, losses: lossesOf(parts) };
}

/** The files in the folder of the case that do not belong to it. */
async function beside() {
  return (await readdir(folder)).filter((name) => !/^case\.duckdb(\.wal|\.evidence)?$/.test(name));
}

/** The texts of logs in their original. */
function rawOf(found: readonly { readonly id: number }[]) {
  return Promise.all(found.map(({ id }) => readRaw(into, id)));
}

describe('the name of an entry is never used as a path, and its logs are read', () => {
  test.each(
    sampled<[string, string | Uint8Array, string]>(
      [
        ['climbs out', '../../etc/cron.d/x', '../../etc/cron.d/x'],
        ['is absolute', '/etc/passwd', '/etc/passwd'],
        ['names a drive', 'C:\\Windows\\x.log', 'C:/Windows/x.log'],
        ['climbs out with backslashes', '..\\..\\x', '../../x'],
        ['has control characters', 'a\u001b[31m\n\u0007b', 'a\u001b[31m\n\u0007b'],
        ['has a NUL', 'a\0b', 'a\0b'],
        ['is no UTF-8', Uint8Array.of(0x61, 0xff, 0xfe, 0x62), 'a\ufffd\ufffdb'],
        ['is empty', '', ''],
        ['is that of a folder', 'logs/', 'logs/'],
        ['is very long', 'x'.repeat(60_000), 'x'.repeat(60_000)],
      ],
      4,
    ),
  )('one that %s', async (_, name, entry) => {
    const { parts, found, messages, losses } = await add(toZip([{ name, content: ndjson() }]));
    expect(parts).toMatchObject([{ entry, logs: 2 }]);
    expect(messages).toEqual(['first', 'ü😀']);
    expect(await rawOf(found)).toEqual(logs.map((log) => JSON.stringify(log)));
    expect(losses).toEqual([]);
  });

  test('two of the same name are two parts', async () => {
    const twice = [1, 2].map((number) => ({ name: 'a', content: logsOf(number) }));
    expect((await add(toZip(twice))).messages).toEqual(['of 1', 'of 2']);
  });

  test('any names at all', async () => {
    const name = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom('..', '.', '/', '../', '\\', 'a/../../b', '//host/share', 'NUL', 'a:b', '~/x'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 5 }), async (names) => {
        const entries = names.map((each, number) => ({ name: each, content: logsOf(number) }));
        expect((await add(toZip(entries))).messages).toEqual(names.map((_, number) => `of ${number}`));
      }),
      { numRuns: rounds(10, 3) },
    );
    expect(await beside()).toEqual([]);
  });
});

describe('what a zip may be by its specification', () => {
  test.each(
    sampled<[string, Partial<RawEntry>]>(
      [
        ['stored', { method: 0 }],
        ['written as a stream', { descriptor: 'signed' }],
        ['written as a stream, without a signature', { descriptor: 'bare' }],
        ['stored as a stream', { method: 0, descriptor: 'signed' }],
        ['in Zip64', { zip64: true }],
        ['in Zip64 as a stream', { zip64: true, descriptor: 'signed' }],
        ['with a name in code page 437', { flags: 0 }],
        ['with flags that say how well it was compressed', { flags: 0x806 }],
      ],
      3,
    ),
  )('an entry %s', async (_, how) => {
    const entries = [
      { name: 'a', content: logsOf(1), ...how },
      { name: 'b', content: logsOf(2), ...how },
    ];
    expect((await add(toZip(entries))).messages).toEqual(['of 1', 'of 2']);
  });

  test('a comment, and an end in Zip64', async () => {
    const zip = toZip([{ name: 'a', content: logsOf(1) }], { comment: 'made by hand', zip64: true });
    expect((await add(zip)).messages).toEqual(['of 1']);
  });
});

const readme =
  'Logs of the deployment.\n\nExported on 2025-03-12 at 10:00 by ann. See https://gis.example.com.\n';
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13);

describe('what is no log file', () => {
  test('is kept and named, and is no loss', async () => {
    const zip = toZip([
      { name: 'README.txt', content: readme },
      { name: 'empty/', content: '', method: 0 },
      { name: 'logo.png', content: png },
      { name: 'logs.ndjson', content: ndjson() },
    ]);
    const { parts, notes, losses } = await add(zip);
    const entrySha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(parts).toMatchObject([
      { entry: 'README.txt', format: 'text', logs: 0, unreadable: 0, entrySha256 },
      { entry: 'logo.png', format: 'image', logs: 0, unreadable: 0, entrySha256 },
      { logs: 2 },
    ]);
    expect(parts.some(({ problem }) => problem)).toBe(false);
    expect(notes).toEqual([
      { kind: 'no log file', entry: 'README.txt', format: 'text', files: 1 },
      { kind: 'no log file', entry: 'logo.png', format: 'image', files: 1 },
    ]);
    expect(losses).toEqual([]);
  });

  test('what may be logs is a loss', async () => {
    const zip = toZip([
      { name: 'README.txt', content: '10:00:01 started\n10:00:02 stopped\n' },
      { name: 'logs.ndjson', content: ndjson() },
    ]);
    const { parts, losses } = await add(zip);
    expect(parts).toMatchObject([{ problem: { code: 'NOT_LOGS' } }, { logs: 2 }]);
    expect(losses).toMatchObject([{ entry: 'README.txt' }]);
  });

  test('is noted once for all zips that have it', async () => {
    const zips = [1, 2].map((number) => {
      return toZip([
        { name: 'README.txt', content: readme },
        { name: 'a', content: logsOf(number) },
      ]);
    });
    const parts = (await Promise.all(zips.map((zip) => add(zip)))).flatMap((added) => added.parts);
    expect(await entryNotes(into, parts)).toEqual([
      { kind: 'no log file', entry: 'README.txt', format: 'text', files: 2 },
    ]);
  });

  test('a zip that holds nothing else is a loss, as it is not known what was to be there', async () => {
    const { parts, losses } = await add(toZip([{ name: 'README.txt', content: readme }]));
    expect(parts).toMatchObject([{ format: 'text' }]);
    expect(losses).toEqual([
      { entry: 'README.txt', message: 'The zip contains no log file, only files like "README.txt"' },
    ]);
    const empty = { name: 'logs.ndjson', content: '' };
    expect((await add(toZip([{ name: 'README.txt', content: readme }, empty]))).losses).toEqual([]);
  });

  test('one with a wrong checksum is a loss: nothing can be said of its content', async () => {
    const { losses } = await add(toZip([{ name: 'README.txt', content: readme, checksum: 1 }]));
    expect(losses).toHaveLength(1);
  });
});

describe('a zip within a zip', () => {
  const inner = (number: number, more: readonly RawEntry[] = []) =>
    toZip([{ name: 'logs.ndjson', content: logsOf(number) }, ...more]);

  test('its logs are read, and their evidence names the path to them', async () => {
    const zip = toZip([
      { name: 'a.zip', content: inner(1, [{ name: '../b.zip', content: inner(2) }]) },
      { name: 'c', content: inner(3), method: 0 },
      { name: 'last.ndjson', content: logsOf(4) },
    ]);
    const { parts, found, messages, losses } = await add(zip);
    expect(parts.map(({ entry, format, logs }) => [entry, format, logs])).toEqual([
      ['a.zip', 'zip', 0],
      ['a.zip!/logs.ndjson', 'ndjson', 1],
      ['a.zip!/../b.zip', 'zip', 0],
      ['a.zip!/../b.zip!/logs.ndjson', 'ndjson', 1],
      ['c', 'zip', 0],
      ['c!/logs.ndjson', 'ndjson', 1],
      ['last.ndjson', 'ndjson', 1],
    ]);
    expect(messages).toEqual(['of 1', 'of 2', 'of 3', 'of 4']);
    expect(await rawOf(found)).toEqual([1, 2, 3, 4].map((number) => logsOf(number).trim()));
    expect(losses).toEqual([]);
  });

  /** A zip in as many others as said. */
  const nested = (depth: number): Uint8Array =>
    depth === 0 ? inner(1) : toZip([{ name: 'in.zip', content: nested(depth - 1) }]);

  test('down to three zips are opened within the outermost one', async () => {
    expect((await add(nested(3))).messages).toEqual(['of 1']);
    const deeper = await add(nested(4));
    expect(deeper.messages).toEqual([]);
    expect(deeper.losses).toMatchObject([
      { entry: 'in.zip!/in.zip!/in.zip!/in.zip', message: expect.stringContaining('at most 3 are opened') },
    ]);
  });

  test('one that is damaged is a loss, and the others are read', async () => {
    const zip = toZip([
      { name: 'cut.zip', content: inner(1).subarray(0, 60) },
      { name: 'sum.zip', content: inner(2), checksum: 1 },
      { name: 'bad.zip', content: toZip([{ name: 'x', content: logsOf(3), checksum: 1 }]) },
      { name: 'logs.ndjson', content: logsOf(4) },
    ]);
    const { parts, messages } = await add(zip);
    expect(parts.map(({ entry, problem }) => [entry, problem?.code])).toEqual([
      ['cut.zip', 'NESTED_ARCHIVE'],
      ['sum.zip', 'WRONG_CRC'],
      ['bad.zip', undefined],
      ['bad.zip!/x', 'WRONG_CRC'],
      ['logs.ndjson', undefined],
    ]);
    expect(messages).toEqual(['of 4']);
  });

  test.each(
    sampled(
      [
        ['of itself', 1000, { totalBytes: 50_000 }],
        ['of what is in it', 100_000, { totalBytes: 50_000 }],
        ['by its ratio', 200_000, { ratioFrom: 10_000, ratio: 20 }],
      ],
      2,
    ),
  )('a bomb is refused for the size %s', async (_, spaces, limits) => {
    const bomb = toZip([{ name: 'x', content: ' '.repeat(spaces), method: spaces === 1000 ? 0 : 8 }]);
    const many = Array.from({ length: 60 }, (_, number) => ({ name: `${number}.zip`, content: bomb }));
    await expect(add(toZip(many), { limits })).rejects.toMatchObject({ code: 'TOO_BIG' });
  });

  test('more entries in all than are read are refused', async () => {
    const many = [1, 2].map((number) => {
      return {
        name: `${number}.zip`,
        content: toZip([{ name: 'a', content: logsOf(number) }], { claims: 60_000 }),
      };
    });
    await expect(add(toZip(many))).rejects.toMatchObject({
      code: 'BAD_ZIP',
      message: expect.stringContaining('at most 100000 are read'),
    });
  });
});

describe('the same logs in two entries', () => {
  const csv = 'time,logLevel,msg\n2000,SEVERE,ü😀\n1000,INFO,first\n';
  const others = logs.map((log) => ({ ...log, username: 'ann' }));
  const entries = [
    { name: 'a.ndjson', content: ndjson() },
    { name: 'b.ndjson', content: ndjson() },
    { name: 'c.csv', content: csv },
    { name: 'other.ndjson', content: ndjson(others) },
  ];

  test('are said of an import, which keeps all of them', async () => {
    const { parts, notes } = await add(toZip(entries));
    expect(parts.map(({ logs }) => logs)).toEqual([2, 2, 2, 2]);
    expect(notes).toEqual([
      { kind: 'same logs', entries: ['a.ndjson', 'b.ndjson'], isLeftOut: false, files: 1 },
      { kind: 'same logs', entries: ['a.ndjson', 'c.csv'], isLeftOut: false, files: 1 },
    ]);
  });

  test('are said of an export, where those of the same bytes are left out', async () => {
    const { parts, notes } = await add(toZip(entries, { comment: 'an export' }), { job: 'j1' });
    expect(parts.map(({ logs, leftOut }) => [logs, leftOut])).toEqual([
      [2, undefined],
      [0, 2],
      [2, undefined],
      [2, undefined],
    ]);
    expect(notes).toMatchObject([
      { entries: ['a.ndjson', 'b.ndjson'], isLeftOut: true },
      { entries: ['a.ndjson', 'c.csv'], isLeftOut: false },
    ]);
  });
});

test('the case is as its originals are', async () => {
  expect((await verifyCase(into)).deviations).toEqual([]);
  expect(await beside()).toEqual([]);
});

test('a size that no entry has concerns its entry alone', async () => {
  const lying = { name: 'lying.ndjson', content: logsOf(71), size: 4_000_000_000 };
  const { parts, messages } = await add(toZip([lying, { name: 'right.ndjson', content: logsOf(72) }]));
  expect(messages).toEqual(['of 72']);
  expect(parts.map(({ problem }) => problem?.code)).toEqual(['WRONG_SIZE', undefined]);
});
