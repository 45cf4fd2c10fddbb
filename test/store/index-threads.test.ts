import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, openCase, readCase } from '../../src/case/file/case.ts';
import type { IndexOptions } from '../../src/case/index/build.ts';
import { buildIndex, indexState } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import type { Log } from '../../src/records/log.ts';
import { buildInWorker, usualThreads } from '../../src/word-index/make-segments.ts';
import { sampled } from '../effort.ts';
import { tamperWith } from './tamper.ts';

const count = 5000;
let folder: string;
let plain: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-threads-'));
  plain = join(folder, 'plain.duckdb');
  await using into = await openCase(plain, { access: 'write', create: true });
  const logs = Array.from({ length: count }, (_, time): Log => {
    const text = time % 7 === 0 ? 'größer \u001f als' : `of ${time % 100}`;
    return { time, msg: `word ${time} ${text}`, source: `source ${time % 3}`, logCode: time % 11 };
  });
  await addLogs(into, logs, { part: 'all' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function copyOfPlain(name: string): Promise<string> {
  const path = join(folder, `${name}.duckdb`);
  await copyFile(plain, path);
  return path;
}

/** Returns the rows of all segments and hashes of their pages. */
function storedIndex(of: Case): Promise<unknown> {
  return readCase(of, async (connection) => {
    const segments = await connection.runAndReadAll(
      'SELECT * REPLACE (md5(head) AS head) FROM stored.segments ORDER BY first_id',
    );
    const rows = segments.getRowsJS();
    const pages = rows.map(async ([segment]) => {
      const sql = `SELECT count(*), md5(string_agg(md5(bytes), '' ORDER BY rowid)) FROM stored.segment_${segment}`;
      return (await connection.runAndReadAll(sql)).getRowsJS();
    });
    return { rows, pages: await Promise.all(pages) };
  });
}

/** Indexes the logs, and returns what is stored. */
async function built(name: string, options: IndexOptions): Promise<unknown> {
  await using into = await openCase(await copyOfPlain(name), { access: 'write' });
  const done: number[] = [];
  const { indexed, segments } = await buildIndex(into, { ...options, onProgress: (p) => done.push(p.done) });
  expect(indexed).toBe(count);
  expect(done).toHaveLength(segments);
  expect(done.at(-1)).toBe(count);
  expect((await verifyCase(into)).deviations).toEqual([]);
  return await storedIndex(into);
}

// A segment for each batch of 512 logs, and a few.
test.each([1, 1_400_000])('threads make the same segments of %d bytes', async (segmentBytes) => {
  const here = await built('here', { segmentBytes, threads: 0 });
  for (const threads of sampled([1, 2, 4], 1))
    expect(await built('beside', { segmentBytes, threads })).toEqual(here);
});

test.each([0, 1, 2])('an interruption keeps the finished segments, with %d threads', async (threads) => {
  await using into = await openCase(await copyOfPlain(`interrupted-${threads}`), { access: 'write' });
  const ending = new AbortController();
  const onProgress = ({ done }: { readonly done: number }) =>
    1000 < done && ending.abort(new Error('enough'));
  const building = buildIndex(into, { segmentBytes: 1, threads, signal: ending.signal, onProgress });
  await expect(building).rejects.toThrow('enough');
  expect(await indexState(into)).toMatchObject({ indexed: 1023, segments: 2 });
  expect(await buildIndex(into, { threads })).toMatchObject({ indexed: count });
  expect((await verifyCase(into)).deviations).toEqual([]);
});

test.each([0, 1, 2])('ids that were altered are an error, with %d threads', async (threads) => {
  const path = await copyOfPlain(`altered-${threads}`);
  await tamperWith(path, ['UPDATE stored.logs SET id = 1026 WHERE id = 1027']);
  await using into = await openCase(path, { access: 'write' });
  const building = buildIndex(into, { segmentBytes: 1, threads });
  await expect(building).rejects.toThrow(new RangeError('The ids of logs from 1024 on were altered'));
  expect(await indexState(into)).toMatchObject({ indexed: 1023, segments: 2 });
});

test('a thread that ended rejects what it was asked for', async () => {
  const thread = buildInWorker({ firstId: 1, lastId: 10, maxBytes: 1e6 });
  const writing = thread.write(new ArrayBuffer(1024));
  thread[Symbol.dispose]();
  await expect(writing).rejects.toMatchObject({ code: 'STORE_FAILED' });
  await expect(thread.write(new ArrayBuffer(1024))).rejects.toMatchObject({ code: 'STORE_FAILED' });
});

test('an empty case needs no thread', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  expect(await buildIndex(into, { threads: 2 })).toEqual({ logs: 0, indexed: 0, tokens: 0, segments: 0 });
  expect(usualThreads(10_000)).toBe(0);
});
