import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCase, readCase } from '../../src/case/file/case.ts';
import {
  hashOfCatalogue,
  pinnedCatalogue,
  readCatalogue,
  referenceCatalogue,
} from '../../src/case/file/schema.ts';
import { buildIndex, removeIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { sampled } from '../effort.ts';
import { tamperWith } from './tamper.ts';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-catalogue-'));
  path = join(folder, 'case.duckdb');
  await using into = await openCase(join(folder, 'good.duckdb'), { access: 'write', create: true });
  await addLogs(into, [{ time: 5, msg: 'a timeout' }], { part: 'program' });
  await buildIndex(into);
});
beforeEach(() => cp(join(folder, 'good.duckdb'), path));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The deviations that `verifyCase` names in a case that may not be opened for anything else. */
async function deviations(): Promise<readonly string[]> {
  await using of = await openCase(path, { access: 'read', altered: 'opened' });
  return (await verifyCase(of)).deviations.map(({ code, message }) => `${code}: ${message}`);
}

test('the constants are those of a new case', async () => {
  const reference = await referenceCatalogue();
  const pages = reference.find(({ name }) => name === 'segment_0');
  const ids = reference.find(({ kind }) => kind === 'index');
  const others = reference.filter((object) => object !== pages && object !== ids);
  const found = { catalogue: hashOfCatalogue(others), pages: pages?.definition, ids: ids?.definition };
  expect(found).toEqual(pinnedCatalogue);
});

test('a case with an index is as it came', async () => {
  expect(await deviations()).toEqual([]);
});

test('a case without the index of ids is as it came, and gets one with the next index', async () => {
  await tamperWith(path, ['DROP INDEX stored.log_ids']);
  expect(await deviations()).toEqual([]);
  const indexes = async () => {
    await using of = await openCase(path, { access: 'read' });
    const objects = await readCase(of, readCatalogue);
    return objects.flatMap(({ kind, name }) => (kind === 'index' ? [name] : []));
  };
  expect(await indexes()).toEqual([]);
  {
    await using of = await openCase(path, { access: 'write' });
    await buildIndex(of);
  }
  expect(await indexes()).toEqual(['log_ids']);
  {
    await using of = await openCase(path, { access: 'write' });
    await removeIndex(of);
  }
  expect(await indexes()).toEqual([]);
  expect(await deviations()).toEqual([]);
});

test.each(
  sampled<[string, string, RegExp]>(
    [
      [
        'a macro with the name of a function',
        'CREATE MACRO contains(a, b) AS false',
        /macro "main"."contains" is not part of a case/,
      ],
      ['a macro with the name of an operator', 'CREATE MACRO "+"(a, b) AS 99', /macro "main"."\+"/],
      [
        'macros with the names of what the check itself asks',
        `CREATE MACRO duckdb_functions() AS TABLE SELECT 'system' AS database_name; CREATE MACRO "<>"(a, b) AS false;
     CREATE SCHEMA system; CREATE MACRO "case".system.duckdb_functions() AS TABLE SELECT 'system' AS database_name`,
        /macro "main"."duckdb_functions"/,
      ],
      ['a macro beside the tables', 'CREATE MACRO stored.count(a) AS 3', /macro "stored"."count"/],
      ['a type with the name of another', 'CREATE TYPE json AS INTEGER', /type "main"."json"/],
      ['a table', 'CREATE TABLE notes (x INTEGER)', /table "main"."notes" is not part of a case/],
      ['a view', 'CREATE VIEW mine AS SELECT 1', /view "main"."mine"/],
      ['a schema', 'CREATE SCHEMA other', /schema "other"/],
      ['a sequence', 'CREATE SEQUENCE s', /sequence "main"."s"/],
      ['an index', 'CREATE INDEX i ON stored.parts (part)', /index "stored"."i"/],
      [
        'an index of something else in the place of that of ids',
        'DROP INDEX stored.log_ids; CREATE INDEX log_ids ON stored.logs (part)',
        /index "stored"."log_ids" is not part of a case/,
      ],
      ['a comment', "COMMENT ON TABLE stored.logs IS 'all of them'", /table "stored"."logs" differs/],
      [
        'a default',
        'ALTER TABLE stored.parts ALTER logs SET DEFAULT 7',
        /table "stored"."parts" differs: .*logs BIGINT DEFAULT\(7\)/,
      ],
      [
        'a constraint',
        'ALTER TABLE stored.unfinished ALTER part SET NOT NULL',
        /table "stored"."unfinished" differs/,
      ],
      [
        'a table of the index of another form',
        'ALTER TABLE stored.segment_1 ADD COLUMN x INTEGER',
        /table "stored"."segment_1" is not part of a case/,
      ],
      [
        'a column that is gone',
        'ALTER TABLE stored.jobs DROP COLUMN reason',
        /table "stored"."jobs" differs/,
      ],
      ['a table that is gone', 'DROP TABLE stored.unreadable', /table "stored"."unreadable" is missing/],
      [
        'a view that leaves logs out',
        'CREATE OR REPLACE VIEW logs AS FROM stored.logs WHERE id > 1',
        /view "main"."logs" differs/,
      ],
      [
        'a view in the place of a table',
        'DROP INDEX stored.log_ids; ALTER TABLE stored.logs RENAME TO all_logs; CREATE VIEW stored.logs AS FROM stored.all_logs WHERE id > 1',
        /view "stored"."logs" is not part of a case/,
      ],
    ],
    5,
  ),
)('%s is named, and the case is asked nothing', async (_, plant, expected) => {
  await tamperWith(path, plant.split(';'));
  const refused = {
    code: 'CASE_ALTERED',
    message: expect.stringMatching(/^".*case.duckdb" was altered: the .* could be false/),
  };
  await expect(openCase(path, { access: 'write', create: true })).rejects.toMatchObject(refused);
  await expect(runSql(path, 'SELECT count(*) FROM logs')).rejects.toMatchObject(refused);
  const found = await deviations();
  for (const each of found) expect(each).toMatch(/^CATALOGUE_ALTERED: /);
  expect(found).toContainEqual(expect.stringMatching(expected));
});

test('a comment on a column is named, which changes no answer', async () => {
  await tamperWith(path, ["COMMENT ON COLUMN stored.logs.msg IS 'false'"]);
  expect(await deviations()).toEqual([expect.stringMatching(/^CATALOGUE_ALTERED: .*stored.logs.msg/)]);
  await using of = await openCase(path, { access: 'read' });
  expect(await countLogs(of, matchAllFilter)).toBe(1);
});

test('a file with nothing but a macro becomes no case', async () => {
  const other = join(folder, 'other.duckdb');
  await tamperWith(other, ['CREATE MACRO contains(a, b) AS false']);
  const opening = openCase(other, { access: 'write', create: true });
  await expect(opening).rejects.toMatchObject({ code: 'NOT_A_CASE' });
});

test.each(sampled(['stored.duckdb', 'Stored.2025.duckdb', 'System.duckdb', 'TEMP.duckdb', 'Main.duckdb'], 1))(
  'a case cannot be named %s',
  async (name) => {
    const named = join(dirname(path), name);
    await expect(openCase(named, { access: 'write', create: true })).rejects.toMatchObject({
      code: 'NOT_A_CASE',
      message: expect.stringContaining('cannot be the name of a case'),
    });
    expect(existsSync(named)).toBe(false);
  },
);

test.each(sampled(['system.duckdb', 'temp.duckdb', 'main.duckdb', 'logs.duckdb'], 1))(
  'a macro in a case named %s is named',
  async (name) => {
    const named = join(dirname(path), name);
    await (await openCase(named, { access: 'write', create: true }))[Symbol.asyncDispose]();
    await tamperWith(named, ['CREATE MACRO contains(a, b) AS false']);
    await expect(openCase(named, { access: 'read' })).rejects.toMatchObject({ code: 'CASE_ALTERED' });
  },
);
