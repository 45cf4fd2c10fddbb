import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Case, openCase, readCase, writeToCase } from '../../src/case/file/case.ts';
import { writeLogsToParquet } from '../../src/case/searching/find-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';

let folder: string;
let from: Case;

beforeAll(async () => {
  from = await openCase(':memory:', { access: 'write' });
  // So many that sorting them takes much longer than it takes to give that up.
  const rows = `SELECT id, epoch_ms((hash(id) % 1000000007)::BIGINT) AS "time", 'm ' || id AS msg FROM range(1, 1000001) AS ids(id)`;
  await writeToCase(from, (connection) => connection.run(`INSERT INTO stored.logs BY NAME ${rows}`));
});
afterAll(() => from[Symbol.asyncDispose]());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-parquet-'));
});

/** Result of a SELECT on a Parquet file. */
async function ask(sql: string, path: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const result = await connection.runAndReadAll(sql, [path]);
  connection.closeSync();
  instance.closeSync();
  return result.getRowsJS();
}

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

test('writing logs that is given up rejects with the reason, also while they are sorted, and leaves no file', async () => {
  const stop = new AbortController();
  const { stream } = DuckDBConnection.prototype;
  vi.spyOn(DuckDBConnection.prototype, 'stream').mockImplementation(function (
    this: DuckDBConnection,
    ...asked
  ) {
    // While they are sorted.
    void setTimeout(30).then(() => stop.abort(new Error('enough')));
    return stream.apply(this, asked);
  });
  const cases = [{ from, name: 'a', options: { limit: 2_000_000 } }];
  const written = writeLogsToParquet(join(folder, 'a.parquet'), cases, {
    filter: matchAllFilter,
    signal: stop.signal,
  });
  await expect(written).rejects.toThrow('enough');
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['oldest', 'ASC'],
  ['newest', 'DESC'],
] as const)('the %s logs are written in their order, at most so many', async (order, direction) => {
  const [path, limit] = [join(folder, 'a.parquet'), 150_001];
  const cases = [{ from, name: 'a', options: { order, limit } }];
  expect(await writeLogsToParquet(path, cases, { filter: matchAllFilter, order, limit })).toBe(limit);
  const expected = await readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT id::DOUBLE FROM stored.logs ORDER BY "time" ${direction}, id ${direction} LIMIT ${limit}`,
    );
    return result.getRowsJS();
  });
  expect(await ask('SELECT id::DOUBLE FROM read_parquet($1)', path)).toEqual(expected);
  expect(readdirSync(folder)).toEqual(['a.parquet']);
});

/** Of 16 kB each: more than 250 MB. */
const longLogs = 40_000;

test.each([
  ['one case', 1],
  ['two cases', 2],
])('logs of %s are written that take more memory than who writes them has', async (_, cases) => {
  const path = join(folder, 'a.parquet');
  await using long = await openCase(join(folder, 'long.duckdb'), { access: 'write', create: true });
  const rows = `SELECT id, epoch_ms(id) AS "time", repeat(hash(id)::VARCHAR || ' ', 800) AS "stackTraces" FROM range(1, ${longLogs / cases + 1}) AS ids(id)`;
  await writeToCase(long, (connection) => connection.run(`INSERT INTO stored.logs BY NAME ${rows}`));
  const written = Array.from({ length: cases }, (_, at) => ({ from: long, name: `${at}`, options: {} }));
  expect(await writeLogsToParquet(path, written, { filter: matchAllFilter })).toBe(longLogs);
  const found = `SELECT count(*)::INTEGER, bool_and(bytes > 10000), bool_and(id >= before)
    FROM (SELECT id, length("stackTraces") AS bytes, lag(id, 1, 0) OVER () AS before FROM read_parquet($1))`;
  expect(await ask(found, path)).toEqual([[longLogs, true, true]]);
});

test('a file that cannot be written is refused before logs are read', async () => {
  const path = join(folder, 'nowhere', 'a.parquet');
  const written = writeLogsToParquet(path, [{ from, name: 'a', options: {} }], { filter: matchAllFilter });
  await expect(written).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringMatching(/^".*a.parquet" cannot be written: ENOENT/),
  });
});
