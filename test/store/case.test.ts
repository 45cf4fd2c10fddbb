import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saveExport, saveJob } from '../../src/case/contents/exports.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { rounds, sampled } from '../effort.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-case-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs SQL on a file as a DuckDB of its own would. */
async function inDuckdb(file: string, ...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

async function makeCase(): Promise<void> {
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, [{ time: 1, msg: 'a' }], { part: 'test' });
}

test('a case is made, closed, and opened again for reading and for writing', async () => {
  await makeCase();
  for (const access of ['read', 'write'] as const) {
    await using opened = await openCase(path, { access, create: access === 'write' });
    expect(await countLogs(opened, matchAllFilter)).toBe(1);
  }
  expect(await readdir(folder)).toEqual(['case.duckdb']);
});

describe('a case that is made if filled', () => {
  const ifFilled = { access: 'write', create: 'if filled' } as const;

  test('goes with its closing when nothing was put into it', async () => {
    const opened = await openCase(path, ifFilled);
    expect(await countLogs(opened, matchAllFilter)).toBe(0);
    await opened[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual([]);
  });

  test('goes when what was to be put into it was refused', async () => {
    await writeFile(join(folder, 'cut.zip'), 'PK\u0003\u0004');
    {
      await using opened = await openCase(path, ifFilled);
      await expect(addFile(opened, join(folder, 'cut.zip'))).rejects.toMatchObject({ code: 'TRUNCATED_ZIP' });
    }
    expect(await readdir(folder)).toEqual(['cut.zip']);
  });

  test.each(
    sampled<[string, (into: Case) => Promise<unknown>]>(
      [
        ['logs', (into) => addLogs(into, [{ time: 1, msg: 'a' }], { part: 'test' })],
        ['a file without logs', (into) => addFile(into, { name: 'empty.log', bytes: new Uint8Array() })],
        [
          'a job',
          (into) => saveJob(into, { id: '1', address: 'http://gis/1', state: 'SUBMITTED', ...noted }),
        ],
        ['the order of an export', (into) => saveExport(into, order)],
      ],
      3,
    ),
  )('stays with %s', async (_, fill) => {
    {
      await using opened = await openCase(path, ifFilled);
      await fill(opened);
    }
    expect(await readdir(folder)).toContain('case.duckdb');
  });

  test('stays where there was a database, even one without anything in it', async () => {
    await inDuckdb(path, 'CHECKPOINT');
    for (let time = 0; time < 2; time += 1) await (await openCase(path, ifFilled))[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual(['case.duckdb']);
  });

  const noted = { request: {}, submitted: 1, updated: 1 };
  const order = {
    export: 1,
    deployment: 'http://gis',
    request: {},
    settings: {},
    learnt: {},
    oldest: 1,
    newest: 2,
    started: 3,
  };
});

test('a case may be closed while something is asked of it', async () => {
  await makeCase();
  for (let time = 0; time < rounds(50); time += 1) {
    const opened = await openCase(path, { access: 'read' });
    const asked = Array.from({ length: 16 }, () => countLogs(opened, matchAllFilter));
    await opened[Symbol.asyncDispose]();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([1]));
  }
});

test('what was to be written to a case is in it when it is closed', async () => {
  const opened = await openCase(path, { access: 'write', create: true });
  const added = ['a', 'b'].map((msg) => addLogs(opened, [{ time: 1, msg }], { part: 'test' }));
  await opened[Symbol.asyncDispose]();
  await Promise.all(added);
  await using reopened = await openCase(path, { access: 'read' });
  expect(await countLogs(reopened, matchAllFilter)).toBe(2);
});

test('a case in memory is always new', async () => {
  await using first = await openCase(':memory:', { access: 'read' });
  await using second = await openCase(':memory:', { access: 'write' });
  await addLogs(first, [{ msg: 'a' }], { part: 'test' });
  expect([await countLogs(first, matchAllFilter), await countLogs(second, matchAllFilter)]).toEqual([1, 0]);
});

test('a case that is open for reading is not written', async () => {
  await makeCase();
  await using opened = await openCase(path, { access: 'read' });
  const refusal = { code: 'READ_ONLY' };
  await expect(addLogs(opened, [{ msg: 'a' }], { part: 'test' })).rejects.toMatchObject(refusal);
  await expect(addFile(opened, { name: 'a', bytes: new Uint8Array(0) })).rejects.toMatchObject(refusal);
  await expect(
    saveJob(opened, { id: 'j', address: 'a', state: 's', request: {}, submitted: 1, updated: 1 }),
  ).rejects.toMatchObject(refusal);
});

test('the originals are beside the file itself, whatever link it was opened by', async () => {
  await makeCase();
  const link = join(folder, 'link.duckdb');
  await symlink(path, link);
  {
    await using into = await openCase(link, { access: 'write' });
    await addFile(into, { name: 'a', bytes: new TextEncoder().encode('{"msg":"b"}') });
  }
  await using from = await openCase(path, { access: 'read' });
  expect(await readRaw(from, 2)).toBe('{"msg":"b"}');
  expect((await readdir(folder)).sort()).toEqual(['case.duckdb', 'case.duckdb.evidence', 'link.duckdb']);
});

describe('what is no case is refused with the reason', () => {
  test('no file', async () => {
    const refusal = { code: 'CASE_NOT_FOUND', message: expect.stringContaining(path) };
    await expect(openCase(path, { access: 'read' })).rejects.toMatchObject(refusal);
    await expect(openCase(path, { access: 'write' })).rejects.toMatchObject(refusal);
    await expect(
      openCase(join(folder, 'no', 'x.duckdb'), { access: 'write', create: true }),
    ).rejects.toMatchObject({
      code: 'CASE_NOT_FOUND',
      message: expect.stringMatching(/There is no folder/),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('a text', async () => {
    await writeFile(path, 'this is a text\n'.repeat(500));
    for (const access of ['read', 'write'] as const)
      await expect(openCase(path, { access, create: access === 'write' })).rejects.toMatchObject({
        code: 'NOT_A_CASE',
      });
  });

  test('a short text, which stays', async () => {
    await writeFile(path, 'mine');
    await expect(openCase(path, { access: 'write', create: true })).rejects.toMatchObject({
      code: 'NOT_A_CASE',
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  test.each(sampled(['x.ndjson', 'x.json', 'x.csv', 'x.parquet'], 1))(
    'a log file %s, which the database could show as a view',
    async (name) => {
      await writeFile(join(folder, name), '{"time":1,"msg":"a"}\n'.repeat(5));
      await expect(openCase(join(folder, name), { access: 'write', create: true })).rejects.toMatchObject({
        code: 'NOT_A_CASE',
        message: expect.stringContaining('is not a case file'),
      });
    },
  );

  test('a path that the database would read otherwise', async () => {
    const strange = join(folder, 'what?.duckdb');
    await expect(openCase(strange, { access: 'write', create: true })).rejects.toMatchObject({
      code: 'NOT_A_CASE',
      message: expect.stringContaining('question mark'),
    });
  });

  test('a folder', async () => {
    await expect(openCase(folder, { access: 'read' })).rejects.toMatchObject({ code: 'NOT_A_CASE' });
  });

  test('a database of something else, which stays as it is', async () => {
    await inDuckdb(path, 'CREATE TABLE logs (a INTEGER)');
    await expect(openCase(path, { access: 'write', create: true })).rejects.toMatchObject({
      code: 'NOT_A_CASE',
      message: expect.stringMatching(/not a Logquarry case/),
    });
    await inDuckdb(path, 'INSERT INTO logs VALUES (1)');
  });

  test.each([
    ['of a later version', 99, []],
    ['of an earlier version', 0, []],
    [
      'of another version with other tables and views',
      99,
      ['DROP TABLE stored.unfinished', 'CREATE TABLE stored.later (a INTEGER)', 'DROP VIEW coverage'],
    ],
  ] as const)('a case %s', async (_, version, statements) => {
    await makeCase();
    for (const statement of [`UPDATE stored.about SET version = ${version}`, ...statements])
      await inDuckdb(path, statement);
    for (const access of ['read', 'write'] as const)
      await expect(openCase(path, { access })).rejects.toMatchObject({
        code: 'CASE_VERSION',
        message: expect.stringContaining(`version ${version}; this program reads version 1. `),
      });
  });

  test('a case of another version that has what could change the answer about its version', async () => {
    await makeCase();
    await inDuckdb(path, 'UPDATE stored.about SET version = 99');
    await inDuckdb(path, 'CREATE MACRO "="(a, b) AS false');
    await expect(openCase(path, { access: 'read' })).rejects.toMatchObject({ code: 'CASE_ALTERED' });
  });

  test('a refused file can be opened by others afterwards', async () => {
    await makeCase();
    await inDuckdb(path, 'UPDATE stored.about SET version = 99');
    await expect(openCase(path, { access: 'read' })).rejects.toThrow();
    await inDuckdb(path, 'UPDATE stored.about SET version = 1');
    await using opened = await openCase(path, { access: 'write' });
    expect(await countLogs(opened, matchAllFilter)).toBe(1);
  });
});

describe('within one process', () => {
  test('many read, under any name of the file', async () => {
    await makeCase();
    await symlink(path, join(folder, 'link.duckdb'));
    await using first = await openCase(path, { access: 'read' });
    {
      await using second = await openCase(join(folder, 'link.duckdb'), { access: 'read' });
      expect(await countLogs(second, matchAllFilter)).toBe(1);
    }
    expect(await countLogs(first, matchAllFilter)).toBe(1);
    expect((await runSql(path, 'SELECT count(*) FROM logs')).rows).toEqual([[1]]);
    await expect(openCase(path, { access: 'write' })).rejects.toMatchObject({ code: 'CASE_LOCKED' });
  });

  test('one writes, and nobody reads beside it', async () => {
    await makeCase();
    {
      await using writer = await openCase(path, { access: 'write' });
      await expect(openCase(path, { access: 'write' })).rejects.toMatchObject({ code: 'CASE_LOCKED' });
      await expect(runSql(path, 'SELECT 1')).rejects.toMatchObject({ code: 'CASE_LOCKED' });
      expect(await countLogs(writer, matchAllFilter)).toBe(1);
    }
    await using reader = await openCase(path, { access: 'read' });
    expect(await countLogs(reader, matchAllFilter)).toBe(1);
  });

  test('two that open at once do not both write', async () => {
    const opening = [1, 2].map(() => openCase(path, { access: 'write', create: true }));
    const results = await Promise.allSettled(opening);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const result of results)
      if (result.status === 'fulfilled') await result.value[Symbol.asyncDispose]();
  });
});

test('writes wait for one another, and reads see what is committed', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const batches = Array.from({ length: 20 }, (_, index) => [{ time: index, msg: 'a' }]);
  const counts = await Promise.all(
    batches.map(async (batch) => {
      await addLogs(into, batch, { part: 'test' });
      return countLogs(into, matchAllFilter);
    }),
  );
  expect(Math.max(...counts)).toBe(20);
  expect(await countLogs(into, matchAllFilter)).toBe(20);
});
