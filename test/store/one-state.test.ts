import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { type Case, openCase, readCaseSnapshot } from '../../src/case/file/case.ts';
import { indexState } from '../../src/case/index/build.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { countLogs, exportedLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { readLog } from '../../src/case/searching/stored-log.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { largeTest } from '../large-test.ts';

/** So many rows that two connections write them. */
const count = 300_000;
const text = Array.from({ length: count }, (_, at) => `{"time":${at},"msg":"m ${at}"}\n`).join('');
const file = { name: 'large.ndjson', bytes: new TextEncoder().encode(text) };

let folder: string;
let into: Case;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-state-'));
  into = await openCase(join(folder, 'case.duckdb'), { access: 'write', create: true });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await into[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Number of logs that each way to read a case finds; all of them where it finds the requested one. */
const readers: readonly (() => Promise<number>)[] = [
  () => countLogs(into, matchAllFilter),
  async () => (await summary(into)).logs,
  async () => (await indexState(into)).logs,
  async () => (await findLogs(into, matchAllFilter, { limit: 1 })).length * count,
  async () => (await exportedLogs(into, { oldest: 0, newest: 0 })).length * count,
  async () => ((await readLog(into, 1)) ? count : 0),
  async () => ((await readLog(into, count)) ? count : 0),
];

/** Lets all readers look after each commit from now on, and gives what each of them sees in the end. */
function lookAfterCommits(beforeCommit = (_commits: number) => {}): () => Promise<readonly Set<number>[]> {
  const seen = readers.map(() => new Set<number>());
  const looking: Promise<unknown>[] = [];
  const look = async (reader: () => Promise<number>, index: number) => seen[index]?.add(await reader());
  const { run } = DuckDBConnection.prototype;
  let commits = 0;
  vi.spyOn(DuckDBConnection.prototype, 'run').mockImplementation(async function (
    this: DuckDBConnection,
    ...[sql, ...rest]: Parameters<typeof run>
  ) {
    if (sql === 'COMMIT') beforeCommit(++commits);
    const result = await run.call(this, sql, ...rest);
    if (sql === 'COMMIT') {
      const looked = Promise.all(readers.map(look));
      looking.push(looked);
      // Those who wait until all is committed look then.
      await Promise.race([looked, setTimeout(500)]);
    }
    return result;
  });
  return async () => {
    await Promise.all(looking);
    // Two that belong together, and one that notes that they are done.
    expect(commits).toBe(3);
    return seen;
  };
}

test('who reads a case while two connections write a part sees all of it', async () => {
  const seen = lookAfterCommits();
  await addFile(into, file, { threads: 2, job: 'j1' });
  expect(await seen()).toEqual(readers.map(() => new Set([count])));
});

largeTest(
  'who reads a case sees nothing of a part that one of two connections does not get into it',
  async () => {
    const seen = lookAfterCommits((commits) => {
      if (commits === 2) throw new Error('The disk is full');
    });
    await expect(addFile(into, file, { threads: 2, job: 'j1' })).rejects.toThrow('The disk is full');
    expect(await seen()).toEqual(readers.map(() => new Set([0])));
  },
);

test('who asks for one state of a case sees that of the beginning', async () => {
  const found = await readCaseSnapshot(into, async (connection) => {
    await addFile(into, { name: 'a.ndjson', bytes: new TextEncoder().encode('{"msg":"a"}\n') });
    return (await connection.runAndReadAll('SELECT count(*)::INTEGER FROM stored.logs')).getRowsJS();
  });
  expect(found).toEqual([[0]]);
  expect(await countLogs(into, matchAllFilter)).toBe(1);
});
