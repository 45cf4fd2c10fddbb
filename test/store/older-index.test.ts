import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from '../../src/language/parse.ts';
import { resolve } from '../../src/meaning/resolve.ts';
import {
  buildIndex,
  type Case,
  countLogs,
  indexState,
  openCase,
  runSql,
  verifyCase,
} from '../../src/store/index.ts';
import { tamperWith } from './tamper.ts';

// A case of version 6 with 40 logs and their index, as that version made it.
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-older-'));
  path = join(folder, 'case.duckdb');
  const packed = await readFile(join(import.meta.dirname, 'version-6.duckdb.gz'));
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
