import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex, indexState } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { tamperWith } from './tamper.ts';

// A case of version 6 with 40 logs and their index, as that version made it.
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-older-'));
  path = join(folder, 'case.duckdb');
  const packed = await readFile('test/store/version-6.duckdb.gz');
  await writeFile(join(folder, 'version-6.duckdb'), gunzipSync(packed));
});
beforeEach(async () => {
  await rm(path, { force: true });
  await cp(join(folder, 'version-6.duckdb'), path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function counts(of: Case): Promise<readonly number[]> {
  const queries = ['timeout', '"lost connection"', 'msg:st*', 'NOT service', 'Admin AND severe'];
  return await Promise.all(queries.map((text) => countLogs(of, resolve(parse(text).query, { now: 0 }))));
}
const expected = [8, 8, 16, 0, 3];

test('a case of version 6 answers as it is, also where nothing can be written', async () => {
  const before = await readFile(path);
  await chmod(path, 0o444);
  {
    await using of = await openCase(path, { access: 'read' });
    expect(of.tokenIndex).toBe('ignored');
    expect(await counts(of)).toEqual(expected);
    expect(await indexState(of)).toEqual({ logs: 40, indexed: 0, tokens: 0, segments: 0 });
    expect((await verifyCase(of)).deviations).toEqual([]);
  }
  expect(before.equals(await readFile(path))).toBe(true);
});

test('opened for writing, it gets an index of this version in the place of its own', async () => {
  {
    await using of = await openCase(path, { access: 'write' });
    expect(await counts(of)).toEqual(expected);
    expect(await buildIndex(of)).toMatchObject({ logs: 40, indexed: 40, segments: 1 });
    expect(await counts(of)).toEqual(expected);
    expect((await verifyCase(of)).deviations).toEqual([]);
  }
  const tables = "SELECT table_name FROM duckdb_tables() WHERE regexp_matches(table_name, '_\\d+$|runs')";
  expect((await runSql(path, tables)).rows).toEqual([['segment_1']]);
  await using of = await openCase(path, { access: 'read' });
  expect(of.tokenIndex).toBe('used');
  expect(await counts(of)).toEqual(expected);
});

test.each<[string, string]>([
  ['a view that leaves logs out', 'CREATE OR REPLACE VIEW logs AS SELECT * FROM stored.logs WHERE id > 1'],
  ['a table that is gone', 'DROP TABLE stored.unreadable'],
  ['a macro with the name of a function', 'CREATE MACRO contains(a, b) AS false'],
])('%s is no difference of version 6', async (_, statement) => {
  await tamperWith(path, [statement]);
  await expect(openCase(path, { access: 'read' })).rejects.toMatchObject({ code: 'CASE_ALTERED' });
});

describe('a case of version 7, with the words of texts in columns', () => {
  beforeEach(async () => {
    const packed = await readFile('test/store/version-7.duckdb.gz');
    await writeFile(path, gunzipSync(packed));
  });
  const queries = ['größe', 'ädmin_1', 'com.example.foo', '"lost connection"', 'msg:st*', 'machine:gis1'];
  const answers = [16, 6, 6, 8, 8, 20];
  const counted = (of: Case) =>
    Promise.all(queries.map((text) => countLogs(of, resolve(parse(text).query, { now: 0 }))));

  test.each(['used', 'ignored'] as const)('answers as it is, index %s', async (tokenIndex) => {
    const before = await readFile(path);
    {
      await using of = await openCase(path, {
        access: 'read',
        ...(tokenIndex === 'ignored' && { tokenIndex }),
      });
      expect(of.tokenIndex).toBe(tokenIndex);
      expect(await indexState(of)).toMatchObject({ logs: 40, indexed: 0 });
      expect(await counted(of)).toEqual(answers);
      expect((await verifyCase(of)).deviations).toEqual([]);
    }
    expect(before.equals(await readFile(path))).toBe(true);
  });

  test('loses the columns when it is opened for writing, and has no index until it is built', async () => {
    {
      await using of = await openCase(path, { access: 'write' });
      await addLogs(of, [{ time: 5, msg: 'one more, stopped', source: 'Größe' }], { part: 'program' });
      expect(await counted(of)).toEqual([17, 6, 6, 8, 9, 20]);
      expect(await indexState(of)).toMatchObject({ logs: 41, indexed: 0 });
      expect((await verifyCase(of)).deviations).toEqual([]);
    }
    const columns =
      "SELECT count(*) FROM duckdb_columns() WHERE column_name LIKE '%tokens' AND table_name = 'logs'";
    expect((await runSql(path, columns)).rows).toEqual([[0]]);
  });

  test('is refused with a column that it never had', async () => {
    await tamperWith(path, ['ALTER TABLE stored.logs ADD COLUMN other_tokens VARCHAR']);
    await expect(openCase(path, { access: 'read' })).rejects.toMatchObject({ code: 'CASE_ALTERED' });
  });
});
