import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { openCase, readCase } from '../../src/case/file/case.ts';
import { buildIndex, indexState } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { memoryLimit, raiseMemoryLimit, usualMemory, withLowMemory } from '../../src/database/database.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';

/** Megabytes of the limit, which the database tells in rounded numbers. */
async function withConnection(
  work: (megabytes: () => Promise<number>, connection: Parameters<typeof memoryLimit>[0]) => Promise<void>,
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: `${usualMemory}B` });
  try {
    const connection = await instance.connect();
    await work(async () => Math.round((await memoryLimit(connection)) / 1e6), connection);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}

test('work has low memory, and the usual one comes back', async () => {
  await withConnection(async (megabytes, connection) => {
    for (let time = 0; time < 3; time++) {
      expect(await withLowMemory(connection, megabytes)).toBe(128);
      expect(await megabytes()).toBe(340);
    }
    await expect(withLowMemory(connection, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    expect(await megabytes()).toBe(340);
  });
});

test('a limit that was raised for long texts stays, before and meanwhile', async () => {
  await withConnection(async (megabytes, connection) => {
    await withLowMemory(connection, () => raiseMemoryLimit(connection, 500e6));
    expect(await megabytes()).toBe(500);
    expect(await withLowMemory(connection, megabytes)).toBe(500);
  });
});

test('work that needs more is repeated with the usual memory', async () => {
  await withConnection(async (megabytes, connection) => {
    await connection.run("SET temp_directory = ''");
    const limits: number[] = [];
    const work = async () => {
      limits.push(await megabytes());
      // The state of an aggregate cannot be spilled.
      const all = await connection.runAndReadAll(
        "SELECT length(string_agg(repeat('x', 1000), '')) FROM range(40000)",
      );
      return Number(all.getRowsJS()[0]?.[0]);
    };
    expect(await withLowMemory(connection, work)).toBe(40_000_000);
    expect(limits).toEqual([128, 340]);
    expect(await megabytes()).toBe(340);
  });
});

test('a case with a long log among short ones is indexed, and keeps its limit', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const long = 'timed out '.repeat(2_500_000);
  const logs = Array.from({ length: 3000 }, (_, time) => ({
    time,
    msg: time === 1500 ? long : `disk ${time}`,
  }));
  await addLogs(into, logs, { part: 'all' });
  const limit = async () => Math.round((await readCase(into, memoryLimit)) / 1e6);
  expect(await limit()).toBe(340);
  await buildIndex(into, { threads: 0, isAlone: true });
  expect(await indexState(into)).toMatchObject({ logs: 3000, indexed: 3000 });
  expect(await limit()).toBe(340);
  expect(await countLogs(into, matchAllFilter)).toBe(3000);
});

test.each([
  [false, 340],
  [true, 128],
])('while an index is built alone (%s), the database has %d MB', async (isAlone, expected) => {
  await using into = await openCase(':memory:', { access: 'write' });
  await addLogs(into, [{ msg: 'disk full' }], { part: 'all' });
  const limits: number[] = [];
  const onProgress = async () => void limits.push(await readCase(into, memoryLimit));
  await buildIndex(into, { isAlone, onProgress });
  expect(limits.map((bytes) => Math.round(bytes / 1e6))).toEqual([expected]);
});
