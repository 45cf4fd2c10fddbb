import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { runSql, writeSqlToParquet } from '../../src/case/sql/run-sql.ts';
import { streamRows } from '../../src/database/rows.ts';
import { loadTimes } from '../../src/word-index/log-values.ts';
import { getOrMake } from '../../src/word-index/snapshot.ts';
import { largeTest } from '../large-test.ts';

/** More rows than the database makes before the first of them are read. */
const many = 'range(3_000_000) AS rows(n)';
const failing = `SELECT CASE n WHEN 2_900_000 THEN error('no such row') ELSE n END FROM ${many}`;

describe('a stream of rows', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;

  beforeEach(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
  });

  afterEach(() => {
    connection.closeSync();
    instance.closeSync();
  });

  async function count(
    sql: string,
    { onFirst = () => {}, signal }: { onFirst?: () => void; signal?: AbortSignal } = {},
  ) {
    const rows = await streamRows(connection, { sql, signal });
    let read = 0;
    for (let chunk = await rows.fetchChunk(); chunk?.rowCount; chunk = await rows.fetchChunk()) {
      if (read === 0) onFirst();
      read += chunk.rowCount;
    }
    return read;
  }

  test('has all of them, one stream behind the other', async () => {
    expect(await count(`SELECT n FROM ${many}`)).toBe(3_000_000);
    expect(await count('SELECT 1 WHERE false')).toBe(0);
  });

  test('rejects with the reason where the database fails at a later row', async () => {
    await expect(count(failing)).rejects.toThrow('no such row');
  });

  test('rejects where it is interrupted', async () => {
    const onFirst = () => connection.interrupt();
    await expect(count(`SELECT n FROM ${many}`, { onFirst })).rejects.toThrow(
      'Reading ended before the last row',
    );
  });

  test('is not asked for the reason where it was ended on purpose', async () => {
    const ending = new AbortController();
    ending.abort();
    await expect(count(failing, { signal: ending.signal })).rejects.toThrow('Reading ended before');
  });

  test('of times rejects as well, which are no others then', async () => {
    await connection.run('CREATE SCHEMA stored');
    await connection.run(
      `CREATE VIEW stored.logs AS SELECT n + 1 AS id, CASE n WHEN 2_900_000 THEN error('no such time') ELSE epoch_ms(n) END AS "time" FROM ${many}`,
    );
    await expect(loadTimes(connection, 3_000_000)).rejects.toThrow('no such time');
  });
});

describe('SQL that fails at a later row', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logquarry-stream-'));
    path = join(folder, 'case.duckdb');
    await using _made = await openCase(path, { access: 'write', create: true });
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('is refused, whatever rows came before', async () => {
    await expect(runSql(path, failing, { limit: 10_000_000 })).rejects.toMatchObject({
      code: 'BAD_SQL',
      message: expect.stringContaining('no such row'),
    });
  });

  largeTest('leaves no Parquet file', async () => {
    const file = join(folder, 'rows.parquet');
    await expect(writeSqlToParquet(path, failing, { path: file })).rejects.toThrow('no such row');
    expect(existsSync(file)).toBe(false);
  });
});

describe('what is kept', () => {
  test('is made once, and anew where that failed, also by those who waited for it', async () => {
    const kept = {};
    const begun: string[] = [];
    const make = (name: string, isFailing: boolean) => async () => {
      begun.push(name);
      await Promise.resolve();
      if (isFailing) throw new Error('interrupted');
      return name;
    };
    const first = getOrMake<string>(kept, make('first', true));
    const waiting = getOrMake<string>(kept, make('second', false));
    await expect(first).rejects.toThrow('interrupted');
    expect(await waiting).toBe('second');
    expect(await getOrMake<string>(kept, make('third', false))).toBe('second');
    expect(begun).toEqual(['first', 'second']);
  });
});
