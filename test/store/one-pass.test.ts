import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { type Case, openCase, readCase } from '../../src/case/file/case.ts';
import { addFile, addInOnePass, largeBareLength } from '../../src/case/loading/add-files.ts';
import { openEvidenceCopy } from '../../src/case/originals/evidence.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { toStatusBody } from '../../src/protocol/upgrades.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { toZip } from './zips.ts';

let folder: string;
let path: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-pass-'));
  path = join(folder, 'case.duckdb');
  file = join(folder, 'file.log');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const blanks = ' '.repeat(300);

const line = (time: number) => `{"time":${time},"msg":"m ${time}"${blanks}}\n`;

/** Some 340 bytes a log. */
const ndjson = (count: number) => Array.from({ length: count }, (_, time) => line(time)).join('');

/** Half of a text of several regions. */
const half = rounds(14_000, 7_000);

const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Reads the copy of an original, compressed or not. */
async function readOriginal(of: string, sha256: string): Promise<Buffer> {
  const copy = join(`${of}.evidence`, sha256);
  return existsSync(copy) ? await readFile(copy) : gunzipSync(await readFile(`${copy}.gz`));
}

const writable = (name = 'case.duckdb') => openCase(join(folder, name), { access: 'write', create: true });

/** Everything that a case holds of what was read, logs as a hash of those of a part, what was noted of it, and what is kept. */
async function contents(of: Case) {
  const rows = (sql: string) =>
    readCase(of, async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
  const evidence = await readdir(`${of.path}.evidence`);
  return {
    logs: await rows(
      `SELECT part, count(*), md5(string_agg(hash(log)::VARCHAR, ' ' ORDER BY id))
       FROM stored.logs AS log GROUP BY part ORDER BY part`,
    ),
    unreadable: await rows('SELECT * FROM unreadable ORDER BY part, position'),
    parts: await rows('SELECT * EXCLUDE (added) FROM stored.parts ORDER BY part'),
    files: await rows('SELECT * EXCLUDE (added) FROM stored.files ORDER BY sha256'),
    actions: await rows(
      `SELECT action, json_merge_patch(details, '{"added":null,"created":null}') FROM actions ORDER BY number`,
    ),
    evidence: evidence.map((name) => [name, statSync(join(`${of.path}.evidence`, name)).mode]),
  };
}

const messages = toStatusBody({
  state: 'in_progress',
  code: 1,
  messages: ['x', 'y'].map((message) => ({ message, code: 2038, when: 1 })),
});

const xml = Array.from(
  { length: rounds(5_000) },
  (_, at) => `<Msg time='2025-03-12T10:00:00,${at % 1000}' type='INFO' code='${at}'>m ${at}</Msg>\n`,
).join('');

describe('a file that is kept while it is loaded', () => {
  test.each(
    sampled<[string, string | Uint8Array, number?]>(
      [
        ['NDJSON', `${ndjson(4_000)}{"msg":\n${ndjson(4_000)}`],
        ['NDJSON that threads read', `${ndjson(half)}{"msg":\n${ndjson(half)}`, 2],
        ['NDJSON without an end of its last line', ndjson(3_000).trimEnd()],
        [
          'a line longer than is read',
          `{"msg":"a"}\n{"msg":"${'x'.repeat(5 * 1024 * 1024)}"}\n{"msg":"b"}\n`,
          2,
        ],
        ['UTF-16', Buffer.from(`\ufeff${ndjson(3_000)}`, 'utf16le')],
        [
          'JSON',
          JSON.stringify({
            messages: Array.from({ length: rounds(9_000) }, (_, time) => ({ time, msg: 'ü' })),
          }),
        ],
        [
          'CSV',
          `time,msg\n${Array.from({ length: rounds(40_000, 10_000) }, (_, at) => `${at},"a, ${at}"\n`).join('')}`,
        ],
        ['classic logs', xml],
        ['messages of an upgrade', JSON.stringify(messages)],
        ['what has become compressed meanwhile', gzipSync(ndjson(3_000))],
        ['no logs', 'Dear reader\n'.repeat(rounds(60_000))],
        ['nothing', ''],
      ],
      3,
    ),
  )('%s comes to what it comes to when it is kept first', async (_, content, threads = 0) => {
    await writeFile(file, content);
    const options = { threads, zone: '+02:00', job: 'j1' };
    await using one = await writable('one.duckdb');
    await using two = await writable('two.duckdb');
    const [inOne, inTwo] = [await addInOnePass(one, file, options), await addFile(two, file, options)];
    const withoutTime = (added: typeof inOne) => ({
      ...added,
      parts: added?.parts.map(({ added: _, ...part }) => part),
    });
    expect(withoutTime(inOne)).toEqual(withoutTime(inTwo));
    expect(await contents(one)).toEqual(await contents(two));
    const sha256 = hashOf(content);
    expect(inOne).toMatchObject({
      sha256,
      already: false,
      parts: [{ fileSha256: sha256, entrySha256: sha256 }],
    });
    expect(hashOf(await readOriginal(one.path, sha256))).toBe(sha256);
    expect((await verifyCase(one)).deviations).toEqual([]);
  });

  test('is read where it is by a case that leaves files in place', async () => {
    await writeFile(file, ndjson(3_000));
    await using into = await openCase(path, { access: 'write', create: true, originals: 'in place' });
    expect(await addInOnePass(into, file, {})).toMatchObject({ parts: [{ logs: 3_000 }] });
    expect(await readRaw(into, 2_000)).toBe(line(1_999).trimEnd());
    expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
  });

  test.each(sampled([0, 2], 1))('leaves nothing where it is given up, with %d threads', async (threads) => {
    await writeFile(file, ndjson(30_000));
    await using into = await writable();
    const stop = new AbortController();
    const onProgress = ({ logs }: { readonly logs: number }) => {
      expect(readdirSync(`${path}.evidence`)).toEqual([expect.stringMatching(/^arriving-/)]);
      if (10_000 <= logs) stop.abort(new Error('enough'));
    };
    const options = { threads, onProgress, signal: stop.signal };
    await expect(addInOnePass(into, file, options)).rejects.toThrow('enough');
    expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
    expect(await summary(into)).toMatchObject({ logs: 0, parts: [] });
    expect(await addInOnePass(into, file, { threads })).toMatchObject({ parts: [{ part: 1, logs: 30_000 }] });
  });

  largeTest('is kept as far as it was read where it grows meanwhile', async () => {
    await writeFile(file, ndjson(40_000));
    await using into = await writable();
    let left = 3;
    const onProgress = () => void (left-- > 0 && appendFileSync(file, line(1)));
    const added = await addInOnePass(into, file, { threads: 0, onProgress });
    const bytes = await readFile(file);
    expect(added).toMatchObject({
      sha256: hashOf(bytes),
      bytes: bytes.length,
      parts: [{ logs: 40_003, bytes: bytes.length }],
    });
    expect((await verifyCase(into)).deviations).toEqual([]);
  });

  test('is kept as far as it was read where it shrinks meanwhile', async () => {
    await writeFile(file, ndjson(40_000));
    await using into = await writable();
    const onProgress = () => truncateSync(file, 1_000_000);
    const added = await addInOnePass(into, file, { threads: 0, onProgress });
    const kept = await readOriginal(path, added?.sha256 ?? '');
    expect(kept.length).toBeLessThan(ndjson(40_000).length);
    expect(added).toMatchObject({
      sha256: hashOf(kept),
      bytes: kept.length,
      parts: [{ bytes: kept.length }],
    });
    expect((await verifyCase(into)).deviations).toEqual([]);
  });

  test('is refused before anything is read of it where it is too big', async () => {
    await writeFile(file, ndjson(10));
    await using into = await writable();
    await expect(addInOnePass(into, file, { limits: { totalBytes: 1_000 } })).rejects.toMatchObject({
      code: 'TOO_BIG',
    });
    expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
  });

  test('is refused where it is gone', async () => {
    await using into = await writable();
    await expect(addInOnePass(into, file, {})).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
  });

  test('is refused where it cannot be kept, and nothing of it is loaded', async () => {
    await writeFile(file, ndjson(10_000));
    await using into = await writable();
    await writeFile(`${path}.evidence`, 'not a folder');
    await expect(addInOnePass(into, file, {})).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/^"file.log" cannot be stored: EEXIST: .*case\.duckdb\.evidence'$/),
    });
    expect(await summary(into)).toMatchObject({ logs: 0, parts: [] });
  });

  test('is taken back where the case does not take it', async () => {
    await writeFile(file, ndjson(10_000));
    await using into = await writable();
    await readCase(into, (connection) => connection.run('DROP TABLE stored.actions'));
    await expect(addInOnePass(into, file, {})).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
    expect(await summary(into)).toMatchObject({ logs: 0, parts: [] });
  });
});

describe('a file that the case may have', () => {
  test('is not added in one pass where one of its length is there', async () => {
    await using into = await writable();
    await writeFile(file, ndjson(10));
    await addFile(into, file);
    const before = await contents(into);
    expect(await addInOnePass(into, file, {})).toBeUndefined();
    await writeFile(file, ndjson(10).replace('m 1', 'x 1'));
    expect(await addInOnePass(into, file, {})).toBeUndefined();
    expect(await contents(into)).toEqual(before);
  });

  test('is not added in one pass where an entry of its length is there', async () => {
    await using into = await writable();
    await addFile(into, { name: 'a.zip', bytes: toZip([{ name: 'a', content: ndjson(10) }]) });
    await writeFile(file, ndjson(10));
    const before = await contents(into);
    expect(await addInOnePass(into, file, {})).toBeUndefined();
    expect(await contents(into)).toEqual(before);
  });

  largeTest('is not added twice where it becomes one that is there while it is read', async () => {
    await using into = await writable();
    await writeFile(file, ndjson(40_001));
    await addFile(into, file);
    const before = await contents(into);
    await writeFile(file, ndjson(40_000));
    let isShort = true;
    const onProgress = () => {
      if (isShort) appendFileSync(file, line(40_000));
      isShort = false;
    };
    expect(await addInOnePass(into, file, { threads: 0, onProgress })).toBeUndefined();
    expect(isShort).toBe(false);
    expect(await contents(into)).toEqual(before);
  });

  test('is added once where it is added twice at a time', async () => {
    await using into = await writable();
    await writeFile(file, ndjson(10_000));
    const both = await Promise.all([addInOnePass(into, file, {}), addInOnePass(into, file, {})]);
    // Whichever of them is the first.
    expect(both.filter((added) => added !== undefined)).toMatchObject([{ parts: [{ logs: 10_000 }] }]);
    expect(await summary(into)).toMatchObject({ logs: 10_000, parts: [{ part: 1 }] });
    expect((await verifyCase(into)).deviations).toEqual([]);
  });
});

test("copies that come and go side by side are not in each other's way", async () => {
  const comeAndGo = async () => {
    for (let turn = 0; turn < 100; turn++) await (await openEvidenceCopy(path))[Symbol.asyncDispose]();
  };
  await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that has become a zip meanwhile is kept before it is read', async () => {
  await using into = await writable();
  await writeFile(file, toZip([{ name: 'a', content: ndjson(10) }]));
  expect(await addInOnePass(into, file, {})).toBeUndefined();
  expect(await summary(into)).toMatchObject({ logs: 0, parts: [] });
  expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
});

test.each(
  sampled<[string, Uint8Array, number, boolean]>(
    [
      ['a large one', Buffer.from('{"msg":"a"}\n'), 192 * 1024 * 1024 + 1, true],
      ['one that may share a transaction', Buffer.from('{"msg":"a"}\n'), 192 * 1024 * 1024, false],
      ['a large zip', Buffer.from('PK\u0003\u0004'), 256 * 1024 * 1024, false],
      ['a large one of gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 256 * 1024 * 1024, false],
    ],
    2,
  ),
)('of files, %s is or is not read in one pass', async (_, start, length, expected) => {
  await writeFile(file, start);
  await truncate(file, length);
  expect(await largeBareLength(file)).toBe(expected ? length : undefined);
});

test('of files, one that is not there is not read in one pass', async () => {
  expect(await largeBareLength(file)).toBeUndefined();
});
