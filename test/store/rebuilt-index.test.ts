import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { buildIndex, removeIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { sampled } from '../effort.ts';

let folder: string;
let good: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-rebuilt-'));
  good = join(folder, 'good.duckdb');
  await using into = await openCase(good, { access: 'write', create: true });
  await addLogs(into, [{ time: 1, msg: 'started' }], { part: 'first' });
  await buildIndex(into);
  await addLogs(into, [{ time: 2, msg: 'stopped' }], { part: 'second' });
  await buildIndex(into, { segmentBytes: 1 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const alterations = [
  'DELETE FROM stored.segments',
  'DELETE FROM stored.segments WHERE segment = 1',
  ...['segment', 'first_id', 'last_id', 'logs', 'tokens'].flatMap((column) =>
    ['NULL', '-7', '0', '2', '900'].map((value) => `UPDATE stored.segments SET ${column} = ${value}`),
  ),
  "UPDATE stored.segments SET head = '\\x00'::BLOB",
  'CREATE TABLE stored.segment_77(bytes BLOB)',
  'DROP TABLE stored.segment_1',
];

test.each(sampled(alterations, 4))(
  'after "%s" the index is said to differ, and can be rebuilt',
  async (statement) => {
    const path = join(folder, 'altered.duckdb');
    await copyFile(good, path);
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    await using opened = await openCase(path, { access: 'write' });
    const { deviations } = await verifyCase(opened);
    expect(deviations.map(({ code }) => code)).toContain('INDEX_ALTERED');
    await removeIndex(opened);
    await buildIndex(opened);
    expect((await verifyCase(opened)).deviations).toEqual([]);
  },
);
