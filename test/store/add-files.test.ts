import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { type Case, openCase, readCase, writeToCase } from '../../src/case/file/case.ts';
import { type AddProgress, addFile, addFiles } from '../../src/case/loading/add-files.ts';
import type { LogFile } from '../../src/case/originals/evidence.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { toStatusBody } from '../../src/protocol/upgrades.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { toZip } from './zips.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-files-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const bytesOf = (text: string) => new TextEncoder().encode(text);

const ndjson = (count: number, name = 'm') =>
  Array.from({ length: count }, (_, time) => `{"time":${time},"msg":"${name} ${time}"}\n`).join('');

/** Some 10 MB of logs. */
const long = (name: string) => ndjson(2_500, `${name} ${'x'.repeat(4_000)}`);

const upgrade = (messages: readonly string[]) =>
  bytesOf(
    JSON.stringify(
      toStatusBody({
        state: 'in_progress',
        code: 1,
        messages: messages.map((message) => ({ message, code: 2038, when: 1 })),
      }),
    ),
  );

/** The logs of one file that are more than are written at a time. */
const many = rounds(60_000, 20_000);

/** Files that loading can meet, one after the other. */
const files: readonly LogFile[] = [
  { name: 'a.ndjson', bytes: bytesOf(`${ndjson(3_000, 'a')}{"msg":\n`) },
  {
    name: 'b.zip',
    bytes: toZip([
      { name: 'one.ndjson', content: ndjson(100, 'b') },
      { name: 'two.csv', content: 'time,msg\n1,a\n2,b\n' },
      { name: 'wrong.ndjson', content: ndjson(10), checksum: 7 },
      { name: 'three.json', content: '[{"msg":"a"},{"msg":' },
      { name: 'none.txt', content: 'no logs' },
    ]),
  },
  { name: 'c.zip', bytes: bytesOf('PK\u0003\u0004 and no end') },
  { name: 'a again.ndjson', bytes: bytesOf(`${ndjson(3_000, 'a')}{"msg":\n`) },
  { name: 'empty.zip', bytes: toZip([]) },
  { name: 'c again.zip', bytes: bytesOf('PK\u0003\u0004 and no end') },
  { name: 'many.ndjson', bytes: bytesOf(ndjson(many, 'd')) },
  { name: 'e.json', bytes: upgrade(['x', 'y']) },
  { name: 'f.json', bytes: upgrade(['x', 'y', 'z']) },
  { name: 'g.gz', bytes: gzipSync(ndjson(100, 'g')) },
  { name: 'empty.ndjson', bytes: bytesOf('') },
  {
    name: 'medium.zip',
    bytes: toZip([
      { name: 'whole.ndjson', content: long('h') },
      { name: 'damaged.ndjson', content: long('i'), checksum: 7 },
      { name: 'messages.json', content: upgrade(['x', 'y', 'z', 'new']) },
      { name: 'small.ndjson', content: ndjson(10, 'j') },
    ]),
  },
  { name: 'medium.gz', bytes: gzipSync(long('k')) },
  // It claims the size of its last piece.
  {
    name: 'two pieces.gz',
    bytes: Buffer.concat([long('m'), ndjson(5, 'n')].map((text) => gzipSync(text))),
  },
  { name: 'last.ndjson', bytes: bytesOf(ndjson(5, 'last')) },
];

/** Everything that a case holds of what was read, logs as a hash of those of a part, and what was noted of it. */
async function contents(of: Case): Promise<unknown> {
  const rows = (sql: string) =>
    readCase(of, async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
  return {
    logs: await rows(
      `SELECT part, count(*), md5(string_agg(hash(log)::VARCHAR, ' ' ORDER BY id))
       FROM (SELECT * EXCLUDE (extra) FROM stored.logs) AS log GROUP BY part ORDER BY part`,
    ),
    unreadable: await rows('SELECT * FROM unreadable ORDER BY part, position'),
    parts: await rows('SELECT * EXCLUDE (added) FROM parts ORDER BY part'),
    files: await rows('SELECT * EXCLUDE (added) FROM stored.files ORDER BY sha256'),
    actions: await rows(
      `SELECT action, json_merge_patch(details, '{"added":null,"created":null}') FROM actions ORDER BY number`,
    ),
  };
}

const outcomeOf = (error: unknown) => ({
  error: error instanceof Error && 'code' in error ? error.code : String(error),
});

largeTest('files that are added together come to what they come to one by one', async () => {
  await using apart = await openCase(join(folder, 'apart.duckdb'), { access: 'write', create: true });
  const expected: unknown[] = [];
  for (const file of files) {
    const added = addFile(apart, file, { zone: '+02:00', job: 'j1' });
    expected.push(await added.then(({ parts, ...rest }) => ({ ...rest, parts: parts.length }), outcomeOf));
  }

  await using together = await openCase(path, { access: 'write', create: true });
  const found: unknown[] = [];
  for await (const addition of addFiles(together, files, { zone: '+02:00', job: 'j1' })) {
    if ('error' in addition) found.push(outcomeOf(addition.error));
    else found.push({ ...addition.added, parts: addition.added.parts.length });
  }
  expect(found).toEqual(expected);
  expect(await contents(together)).toEqual(await contents(apart));
  expect((await verifyCase(together)).deviations).toEqual([]);

  for await (const addition of addFiles(together, files))
    expect('error' in addition || addition.added.already).toBe(true);
});

test('progress comes in the order of the files, and says in the end what each came to', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const last = new Map<string, AddProgress>();
  const onProgress = (progress: AddProgress) => void last.set(progress.file, progress);
  const some = files.filter((file) => typeof file !== 'string' && /^(a|b|many|last)\./.test(file.name));
  for await (const addition of addFiles(into, some, { onProgress })) expect(addition).toHaveProperty('added');
  expect([...last.values()]).toMatchObject([
    { file: 'a.ndjson', logs: 3_000, unreadable: 1 },
    { file: 'b.zip', logs: 103 },
    { file: 'many.ndjson', logs: many, unreadable: 0 },
    { file: 'last.ndjson', logs: 5, bytes: ndjson(5, 'last').length },
  ]);
});

test('an interruption leaves what was written, and nothing of what was not', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const stop = new AbortController();
  const small = Array.from({ length: 30 }, (_, at) => ({
    name: `${at}`,
    bytes: bytesOf(ndjson(50, `${at}`)),
  }));
  const onProgress = ({ file }: AddProgress) => file === '10' && stop.abort(new Error('interrupted'));
  const outcomes: string[] = [];
  for await (const addition of addFiles(into, small, { signal: stop.signal, onProgress }))
    outcomes.push('error' in addition ? String(addition.error) : addition.added.name);
  const written = outcomes.filter((outcome) => !outcome.includes('interrupted'));
  // It comes while the eleventh is read.
  expect(written).toEqual(small.slice(0, 10).map(({ name }) => name));
  expect(outcomes).toHaveLength(30);
  expect((await summary(into)).parts.map(({ file }) => file)).toEqual(written);
  expect(await readdir(`${path}.evidence`)).toHaveLength(written.length);
  expect((await verifyCase(into)).deviations).toEqual([]);
});

test('an interruption in the middle of a file that shares a transaction leaves those before it', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const stop = new AbortController();
  const some = [
    { name: 'small', bytes: bytesOf(ndjson(50)) },
    { name: 'medium', bytes: bytesOf(ndjson(200_000, 'much')) },
  ];
  // It comes when some of the second file was read.
  const onProgress = ({ file }: AddProgress) => file === 'medium' && stop.abort(new Error('interrupted'));
  const outcomes: string[] = [];
  for await (const addition of addFiles(into, some, { signal: stop.signal, onProgress }))
    outcomes.push('error' in addition ? String(addition.error) : addition.added.name);
  expect(outcomes).toEqual(['small', 'Error: interrupted']);
  expect((await summary(into)).parts.map(({ file }) => file)).toEqual(['small']);
  expect(await readdir(`${path}.evidence`)).toHaveLength(1);
  expect((await verifyCase(into)).deviations).toEqual([]);
});

async function countParts(connection: DuckDBConnection): Promise<number> {
  const parts = await connection.runAndReadAll('SELECT part FROM stored.parts');
  return parts.currentRowCount;
}

const sharing: [string, number, number, number[]][] = [
  ['two hundred of tiny ones', 450, 10, [200, 400, 450]],
  ['half a million logs of larger ones', 10, 62_000, [9, 10]],
];

test.each(sampled(sharing, 1))('files share transactions, %s', async (_name, count, logs, ends) => {
  await using into = await openCase(path, { access: 'write', create: true });
  const some = Array.from({ length: count }, (_, at) => ({
    name: `${at}`,
    bytes: bytesOf(ndjson(logs, `${at}`)),
  }));
  const seen = new Set<number>();
  // A reported file was written, together with others that are not reported yet.
  for await (const addition of addFiles(into, some)) {
    expect(addition).toHaveProperty('added');
    seen.add(await readCase(into, countParts));
  }
  expect([...seen]).toEqual(ends);
});

test('a part that could not be read stays until what takes its place is there', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const damaged = { name: 'd.zip', bytes: toZip([{ name: 'd', content: long('d'), checksum: 7 }]) };
  for await (const addition of addFiles(into, [damaged])) expect(addition).toHaveProperty('added');
  const stop = new AbortController();
  const first = { name: 'first', bytes: bytesOf(ndjson(5)) };
  const onProgress = ({ file }: AddProgress) => file === 'd.zip' && stop.abort(new Error('interrupted'));
  for await (const addition of addFiles(into, [first, damaged], { signal: stop.signal, onProgress }))
    expect(addition).toHaveProperty(addition.file === first ? 'added' : 'error');
  const { parts } = await summary(into);
  expect(parts.map(({ file, problem }) => [file, problem?.code])).toEqual([
    ['d.zip', 'WRONG_CRC'],
    ['first', undefined],
  ]);
});

test('who stops asking leaves nothing behind that the case does not know', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  for await (const _ of addFiles(into, files)) break;
  expect((await verifyCase(into)).deviations).toEqual([]);
});

test('a case that cannot be written to is said, and none of the originals is kept', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  await writeToCase(into, async (connection) => {
    await connection.run('DROP TABLE stored.files');
    await connection.run('CREATE TABLE stored.files (sha256 VARCHAR)');
  });
  const adding = async () => {
    for await (const _ of addFiles(into, files.slice(0, 2))) expect.unreachable();
  };
  await expect(adding()).rejects.toMatchObject({ code: 'STORE_FAILED' });
  expect((await summary(into)).parts).toEqual([]);
  expect(await readdir(folder)).not.toContain('case.duckdb.evidence');
});

test('a case that was opened to read takes no files', async () => {
  await (await openCase(path, { access: 'write', create: true }))[Symbol.asyncDispose]();
  await using from = await openCase(path, { access: 'read' });
  await expect(addFiles(from, files).next()).rejects.toMatchObject({ code: 'READ_ONLY' });
});

test('nothing is left of a file that is refused when that is said', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const refused = { name: 'c.zip', bytes: bytesOf('PK\u0003\u0004 and no end') };
  const added = { name: 'a.ndjson', bytes: bytesOf(ndjson(10)) };
  const evidence: number[] = [];
  for await (const addition of addFiles(into, [added, refused])) {
    expect('error' in addition).toBe(addition.file !== added);
    evidence.push((await readdir(`${path}.evidence`)).length);
  }
  expect(evidence).toEqual([1, 1]);
});

test.each([
  [17, 1, true],
  [15, 1, false],
  [17, 2, false],
])(
  'a bare file of %d MB is loaded while it is copied if it is the only one: of %d, %s',
  async (size, count, expected) => {
    const bytes = bytesOf(`{"msg":"a${' '.repeat(1_048_576 - 11)}"}\n`.repeat(size));
    const some = Array.from({ length: count }, (_, at) => ({
      name: `${at}.log`,
      bytes: bytes.subarray(0, -at || undefined),
    }));
    await using into = await openCase(path, { access: 'write', create: true });
    const isCopying = new Set<boolean>();
    const onProgress = () => {
      const names = readdirSync(`${path}.evidence`);
      isCopying.add(!names.some((name) => name.endsWith('.gz')));
    };
    for await (const addition of addFiles(into, some, { onProgress }))
      expect(addition).toHaveProperty('added');
    expect([...isCopying]).toEqual([expected]);
    expect(await summary(into)).toMatchObject({ logs: size * count });
  },
);
