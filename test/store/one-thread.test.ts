import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { openDatabase, runInOneThread } from '../../src/database/database.ts';

async function threadsOf(connection: Awaited<ReturnType<DuckDBInstance['connect']>>): Promise<unknown> {
  const result = await connection.runAndReadAll("SELECT current_setting('threads')::INTEGER");
  return result.getRowsJS()[0]?.[0];
}

test('the database has one thread while the work is done, and all of them after it, also when it fails', async () => {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '3' })).connect();
  await runInOneThread(connection, async (restore) => {
    expect(await threadsOf(connection)).toBe(1);
    await restore();
    expect(await threadsOf(connection)).toBe(3);
  });
  const failing = runInOneThread(connection, async () => {
    expect(await threadsOf(connection)).toBe(1);
    throw new Error('the work failed');
  });
  await expect(failing).rejects.toThrow('the work failed');
  expect(await threadsOf(connection)).toBe(3);
});

test.each([
  'SET enable_external_access = true',
  'SET lock_configuration = false',
  "SET allowed_configs = ['enable_external_access']",
  "SET temp_directory = '/tmp'",
  'RESET allow_community_extensions',
])('the settings of a database that could open a way out stay locked: %s', async (statement) => {
  const { instance, close } = await openDatabase(':memory:', 'write');
  const connection = await instance.connect();
  await expect(connection.run(statement)).rejects.toThrow(/locked|cannot be (re-)?enabled|cannot change/i);
  await connection.run('SET threads = 2');
  expect(await threadsOf(connection)).toBe(2);
  close();
});
