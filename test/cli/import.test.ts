import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toZip } from '../store/zips.ts';
import { run } from './run-in-process.ts';

let folder: string;
let caseFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-test-'));
  caseFile = join(folder, 'case.duckdb');
});
afterEach(() => rm(folder, { recursive: true }));

const logs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    time: 1_700_000_000_000 + (from + at) * 1000,
    logLevel: 'INFO',
    msg: `m${from + at}`,
  }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const ndjson = (all: readonly object[]) => all.map((each) => `${JSON.stringify(each)}\n`).join('');

test('the same logs in two files are said by import and coverage, and left out on request', async () => {
  const files = [write('a.ndjson', ndjson(logs(0, 10))), write('b.ndjson', ndjson(logs(7, 20)))];
  const text = '"b.ndjson": 3 of 13 logs are also in "a.ndjson"; ';
  const twice = `${text}they count twice. --no-duplicates leaves such logs out.`;
  const first = await run(['import', ...files, '--into', caseFile]);
  expect(first).toMatchObject({ code: 0, err: expect.stringContaining(twice) });
  for (const command of ['coverage', 'overview'])
    expect((await run([command, caseFile])).err, command).toContain(twice);
  expect((await run(['report', caseFile, '--to', 'json'])).out).toContain(JSON.stringify(twice).slice(1, -1));
  await rm(caseFile);
  await rm(`${caseFile}.evidence`, { recursive: true });
  const second = await run(['import', ...files, '--into', caseFile, '--no-duplicates']);
  expect(second).toMatchObject({
    code: 0,
    out: expect.stringContaining('3 logs already in the case'),
    err: expect.stringContaining(`${text}they were left out, and are kept in the original.`),
  });
  expect((await run(['coverage', caseFile])).err).not.toContain('b.ndjson');
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
  const again = JSON.parse((await run(['import', ...files, '--into', caseFile, '--json'])).out);
  expect(again).toMatchObject({ files: [{ already: true }, { already: true }], overlaps: [] });
});

test('a time that cannot be read is said, and makes the exit code 4', async () => {
  const file = write('a.ndjson', ndjson([{ time: 'yesterday at noon', msg: 'a' }, ...logs(0, 1)]));
  expect(await run(['import', file, '--into', caseFile])).toMatchObject({
    code: 4,
    err: expect.stringContaining('"a.ndjson": time of 1 log is none that can be read'),
  });
});

test('--no-duplicates is refused for a cluster', async () => {
  const file = write('a.ndjson', ndjson(logs(0, 2)));
  const result = await run(['import', file, '--into', 'clickhouse://127.0.0.1:1/x', '--no-duplicates']);
  expect(result).toMatchObject({ code: 2, err: expect.stringContaining('require a case with --into') });
  expect(existsSync(caseFile)).toBe(false);
});

test('--include and --exclude choose files of folders and entries of archives, and say what is left out', async () => {
  const depot = join(folder, 'depot');
  write('depot/gis1/server.log.ndjson', ndjson(logs(0, 1)));
  write('depot/gis1/access.ndjson', ndjson(logs(1, 2)));
  write('depot/gis2/server.log.ndjson', ndjson(logs(2, 3)));
  const zip = toZip([
    { name: 'pods/a/server.log.ndjson', content: ndjson(logs(3, 4)) },
    { name: 'pods/a/access.ndjson', content: ndjson(logs(4, 5)) },
    { name: 'pods/b/server.log.ndjson', content: ndjson(logs(5, 6)) },
  ]);
  writeFileSync(join(depot, 'pods.zip'), zip);
  const found = async (...options: string[]) => {
    const result = await run(['import', depot, '--into', caseFile, '--no-index', ...options]);
    expect(result.code).toBe(0);
    const printed = (await run(['search', caseFile, '--ndjson', '--oldest'])).out.trim().split('\n');
    await rm(caseFile);
    await rm(`${caseFile}.evidence`, { recursive: true });
    return [
      printed.map((line) => JSON.parse(line).log?.msg ?? JSON.parse(line).msg).join(' '),
      result.err,
    ] as const;
  };
  expect((await found())[0]).toBe('m0 m1 m2 m3 m4 m5');
  const [names, err] = await found('--include', 'server*');
  expect(names).toBe('m0 m2 m3 m5');
  expect(err).toContain('depot": --include or --exclude left out a file.');
  expect(err).toContain('"pods.zip": --include or --exclude left out an entry.');
  expect((await found('--include', 'gis1/*', '--include', '**/b/*'))[0]).toBe('m0 m1 m5');
  expect((await found('--exclude', '*.zip', '--exclude', 'access.*'))[0]).toBe('m0 m2');
});

test('patterns that leave out every entry read nothing, which is said with exit code 1', async () => {
  const zip = join(folder, 'x.zip');
  writeFileSync(zip, toZip([{ name: 'a.ndjson', content: ndjson(logs(0, 2)) }]));
  const none = await run(['import', zip, '--into', caseFile, '--include', '*.log']);
  expect(none).toMatchObject({ code: 1, out: expect.stringContaining('left out') });
  expect(none.err).toContain('Nothing was read: --include and --exclude leave out every entry.');
  expect(readdirSync(folder)).toEqual(['x.zip']);
  expect(await run(['import', zip, '--dry-run', '--exclude', '*'])).toMatchObject({ code: 1 });
  const other = write('a.log.ndjson', ndjson(logs(2, 4)));
  expect(await run(['import', zip, other, '--into', caseFile, '--include', '*.log'])).toMatchObject({
    code: 0,
  });
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
  expect(await run(['import', zip, '--into', caseFile])).toMatchObject({ code: 0 });
  expect((await run(['search', '*:*', caseFile, '--count'])).out.trim()).toBe('4');
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
});

test('what was left out of an archive is read by an import without the patterns', async () => {
  const zip = toZip([
    { name: 'a.ndjson', content: ndjson(logs(0, 2)) },
    { name: 'b.ndjson', content: ndjson(logs(2, 5)) },
  ]);
  const path = join(folder, 'x.zip');
  writeFileSync(path, zip);
  expect(await run(['import', path, '--into', caseFile, '--exclude', 'a.*'])).toMatchObject({ code: 0 });
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
  expect(await run(['import', path, '--into', caseFile])).toMatchObject({ code: 0 });
  expect((await run(['search', '*:*', caseFile, '--count'])).out.trim()).toBe('5');
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
});

test('--dry-run prints what would be read, and writes nothing', async () => {
  const csv = write('x.csv', `time;Komunikat\n${'12.03.2025 08:00:00;one\n'.repeat(9)}`);
  const files = [write('a.ndjson', ndjson(logs(0, 5))), csv];
  const before = readdirSync(folder);
  const result = await run(['import', ...files, '--dry-run']);
  expect(result).toMatchObject({ code: 0 });
  expect(result.out).toContain('"a.ndjson": 2023-11-14 22:13:20 to 2023-11-14 22:13:24');
  expect(result.out).toContain('{"time":1700000002000,"logLevel":"INFO","msg":"m2"}');
  expect(result.out).not.toContain('m3"');
  expect(result.err).toContain('"x.csv": no log has a message');
  expect(result.err).toContain('Nothing was written');
  expect(await run(['import', ...files, '--dry-run', '--strict'])).toMatchObject({ code: 4 });
  const bad = write('x.xz', `\xfd7zXZ\0${'x'.repeat(100)}`);
  expect(await run(['import', bad, '--dry-run', '--into', caseFile])).toMatchObject({ code: 1 });
  const { samples } = JSON.parse((await run(['import', files[0] ?? '', '--dry-run', '--json'])).out);
  expect(samples).toMatchObject([{ part: 1, first: 1_700_000_000_000, logs: [{ msg: 'm0' }, {}, {}] }]);
  expect(readdirSync(folder)).toEqual([...before, 'x.xz']);
});

const day = 24 * 60 * 60;

/** A minimal tar with one file. */
function toTar(name: string, content: string, modified: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${modified.toString(8).padStart(11, '0')}\0`, 136);
  header.write('        0ustar\u000000', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc(512 - (content.length % 512) + 1024);
  return Buffer.concat([header, Buffer.from(content), padding]);
}

test.each([
  ['a.ndjson', (content: string, path: string) => writeFileSync(path, content)],
  ['a.ndjson.gz', (content: string, path: string) => writeFileSync(path, gzipSync(content))],
  [
    'a.tar',
    (content: string, path: string, modified: number) =>
      writeFileSync(path, toTar('a.ndjson', content, modified)),
  ],
])('a time more than a day after that of %s is said, and refused with --strict', async (name, writeAs) => {
  const content = ndjson(logs(0, 30));
  const last = 1_700_000_029;
  const path = join(folder, name);
  const imported = async (modified: number, ...options: string[]) => {
    writeAs(content, path, modified);
    if (!name.endsWith('.tar')) utimesSync(path, modified, modified);
    await rm(caseFile, { force: true });
    await rm(`${caseFile}.evidence`, { recursive: true, force: true });
    return await run(['import', path, '--into', caseFile, '--no-index', ...options]);
  };
  const fine = await imported(last - day, '--strict');
  expect(fine).toMatchObject({ code: 0 });
  expect(fine.err).not.toContain('implausible');
  const late = await imported(last - day - 1);
  expect(late).toMatchObject({ code: 0, err: expect.stringContaining('time of 1 log is implausible') });
  expect((await run(['overview', caseFile])).err).toContain('time of 1 log is implausible');
  const strict = await imported(last - day - 1, '--strict');
  expect(strict).toMatchObject({ code: 1, err: expect.stringContaining('[IMPLAUSIBLE_TIME]') });
  expect(strict.err).toContain(
    'was not loaded: The time of 1 of its logs is implausible: 2023-11-14 22:13:49',
  );
  expect((await run(['search', '*:*', caseFile, '--count'])).out.trim()).toBe('0');
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
  expect(await run(['import', path, '--into', caseFile])).toMatchObject({ code: 0 });
  expect((await run(['search', '*:*', caseFile, '--count'])).out.trim()).toBe('30');
  expect(await run(['verify', caseFile])).toMatchObject({ code: 0 });
});

/** A zip whose only entry was changed at a time, in the clock of some zone and in steps of two seconds. */
function zipAt(name: string, content: string, [date, time]: readonly [number, number]): Uint8Array {
  const bytes = Buffer.from(toZip([{ name, content }]));
  const directory = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  for (const at of [10, directory + 12]) {
    bytes.writeUInt16LE(time, at);
    bytes.writeUInt16LE(date, at + 2);
  }
  return bytes;
}

test('a time is implausible by the time of its entry in a zip, which may be twelve hours behind', async () => {
  // The last log is of 2023-11-14 22:13:49 UTC: 24 and 12 hours behind the entry are 10:13:49 of the day before.
  const date = ((2023 - 1980) << 9) | (11 << 5) | 13;
  const clock = (second: number) => (10 << 11) | (13 << 5) | (second / 2);
  const read = async (second: number, ...options: string[]) => {
    writeFileSync(join(folder, 'a.zip'), zipAt('a.ndjson', ndjson(logs(0, 30)), [date, clock(second)]));
    return await run(['import', join(folder, 'a.zip'), '--dry-run', ...options]);
  };
  const fine = await read(50, '--strict');
  expect(fine).toMatchObject({ code: 0, err: expect.not.stringContaining('implausible') });
  const late = await read(48);
  expect(late).toMatchObject({
    code: 0,
    err: expect.stringContaining('time of 1 log is implausible: 2023-11-14'),
  });
  expect(await read(48, '--strict')).toMatchObject({
    code: 1,
    err: expect.stringContaining('[IMPLAUSIBLE_TIME]'),
  });
});

test('damaged records beside the error of a reply, or in a part of a reply, change the exit code', async () => {
  const page = (hasMore: boolean) => `${JSON.stringify({ hasMore, logMessages: logs(0, 3) })}\n`;
  const error = '{"error":{"code":498,"message":"Session has ended."}}\n';
  const damaged = '{"logMessages":[{"time":17e, "message":"lost"}]}\n';
  for (const [content, code] of [
    [page(true) + page(false) + error, 0],
    [page(true) + error + page(true) + error, 0],
    [page(true) + error + damaged, 4],
    [page(true) + damaged, 4],
    [page(true), 0],
  ] as const)
    expect(await run(['import', write('a.json', content), '--dry-run']), content).toMatchObject({ code });
});

test('overview repeats what was said of the files of a case, where a search may miss logs', async () => {
  const csv = write('x.csv', `time;Komunikat\n${'2025-03-12 08:00:00;one\n'.repeat(9)}`);
  await run(['import', csv, '--into', caseFile]);
  const { code, err } = await run(['overview', caseFile]);
  expect(code).toBe(0);
  expect(err).toContain('"x.csv": no log has a message.');
  expect(err).toContain('"x.csv": no log has a level that is known.');
  expect(err).not.toContain('names no zone');
  const { out } = await run(['report', caseFile, '--to', 'md']);
  expect(out).toMatch(/^- "x.csv": no log has a message\.$/m);
});

describe('logs that are lost to a search make the exit code 4 without an option', () => {
  const log = (more: object) =>
    `${JSON.stringify({ time: 1_700_000_000_000, logLevel: 'INFO', msg: 'm', ...more })}\n`;
  test.each([
    ['a record that is no log', `${log({})}nonsense\n`, 4],
    ['a record that breaks off', `${log({})}{"time":1700000000000,"msg":"m`, 4],
    ['a level with a control character', log({ logLevel: 'ODD\u0001' }), 4],
    ['a user with a blank', log({ username: 'ann ' }), 4],
    ['dates in an order that nothing tells', 'time,msg\n03/04/2025 08:00,one\n', 4],
    [
      'no time in any log',
      Array.from({ length: 9 }, (_, at) => `{"msg":"m${at}","logLevel":"INFO"}\n`).join(''),
      4,
    ],
    [
      'no level in any log',
      Array.from({ length: 9 }, (_, at) => log({ logLevel: '', msg: `m${at}` })).join(''),
      0,
    ],
    ['a repeated heading', 'time,msg\n2025-03-12T08:00:00Z,a\ntime,msg\n2025-03-12T08:00:00Z,b\n', 0],
    ['lost characters', log({ msg: 'Gr\ufffd\ufffde' }), 4],
    ['lost characters beside the fields', log({ city: 'K\ufffdln' }), 4],
    ['a time without a year', 'E1129 10:20:30.123456    1 file.go:12] Failed\n', 4],
    ['nothing', log({}), 0],
  ])('%s', async (_name, content, code) => {
    const path = write('lost.log', content);
    expect(await run(['import', path, '--dry-run'])).toMatchObject({ code });
    expect(await run(['import', path, '--into', caseFile, '--no-index'])).toMatchObject({ code });
  });
});
