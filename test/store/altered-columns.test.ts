import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type StoredExport,
  type StoredWindow,
  saveExportChanges,
  saveJob,
} from '../../src/case/contents/exports.ts';
import { addNote, saveSearch } from '../../src/case/contents/notes.ts';
import { type Case, connectToCase, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { addWindow } from '../../src/case/loading/add-window.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { makePagesTable } from '../../src/word-index/stored-segments.ts';
import { rounds, sampled } from '../effort.ts';
import { runSeed } from '../run-seed.ts';
import { toZip } from './zips.ts';

/*
 * Alters every column of every table of a case, one by one, in ways that fit its type. The columns come from the catalogue of the
 * case, so that one that is added later is altered too.
 */

let folder: string;
let of: Case;
let other: DuckDBConnection;

const kept: StoredExport = {
  export: 1,
  deployment: 'https://gis/admin',
  request: { num: '10' },
  settings: { via: 'export' },
  oldest: 0,
  newest: 100,
  learnt: { cap: '10' },
  started: 5,
};

const window: StoredWindow = {
  window: 1,
  export: 1,
  oldest: 0,
  newest: 50,
  slice: '{}',
  state: 'submitted',
  attempts: 1,
  job: 'j1',
  address: 'https://gis/j1',
  upload: 'https://gis/z1',
  bytes: 9,
  sha256: 'a'.repeat(64),
  records: 4,
  found: 3,
  logs: 2,
  unreadable: 1,
  expected: '{}',
  missing: 1,
  reason: 'why',
  updated: 7,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-columns-'));
  of = await openCase(join(folder, 'case.duckdb'), { access: 'write', create: true });
  const log = {
    time: 1,
    logCode: 9003,
    elapsed: 0.5,
    logLevel: 'SEVERE',
    source: 'Sharing',
    msg: 'timed out',
  };
  const line = {
    ...log,
    className: 'a.B',
    methodName: 'm',
    username: 'u',
    requestID: 'r',
    serviceTypes: 's',
  };
  const whole = { ...line, machine: 'gis', process: '1', thread: '2', stackTraces: 'at a.B', pod: 'p' };
  const content = `${JSON.stringify(whole)}\n{"time":"never","msg":"remarked"}\nnonsense\n`;
  const zip = toZip([
    { name: 'a.ndjson', content },
    { name: 'page.html', content: '<!doctype html><html><body>Dear reader</body></html>' },
  ]);
  await addFile(of, { name: 'export.zip', bytes: zip }, { zone: 'Europe/Berlin', job: 'j0' });
  await addLogs(of, [{ time: 5, msg: 'made here' }], { part: 'program' });
  await addLogs(of, [{ time: 6, msg: 'made here too' }], { part: 'program' });
  await saveExportChanges(of, () => ({ export: kept, windows: [window, { ...window, window: 2 }] }));
  await saveExportChanges(of, () => ({
    windows: [{ ...window, state: 'ready', reason: undefined }],
    removed: [2],
  }));
  await saveJob(of, {
    id: 'j0',
    address: 'https://gis/j0',
    operation: 'logs/export',
    state: 'fetched',
    request: { num: '5' },
    zipUrl: 'https://gis/z0',
    submitted: 1,
    updated: 2,
    reason: 'none',
  });
  await addNote(of, { logs: [1], text: 'a note', tags: ['tag'], author: 'ada' });
  await saveSearch(of, { name: 'mine', query: 'msg:a', author: 'ada' });
  await buildIndex(of);
  other = await connectToCase(of);
});

afterAll(async () => {
  other.closeSync();
  await of[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function deviations(): Promise<readonly string[]> {
  return (await verifyCase(of)).deviations.map(({ code, message }) => `${code}: ${message}`);
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

async function columns(): Promise<readonly Column[]> {
  const result = await other.runAndReadAll(
    `SELECT table_name, column_name, data_type FROM duckdb_columns()
     WHERE schema_name = 'stored' AND table_name <> 'unfinished' ORDER BY ALL`,
  );
  return result.getRowsJson().map(([table, name, type]) => ({
    table: String(table),
    name: String(name),
    type: String(type),
  }));
}

/** Other values of a type than a column has. */
function alterations({ name, type }: Column): readonly string[] {
  const column = `"${name}"`;
  switch (type) {
    case 'VARCHAR':
      return [`coalesce(${column}, '') || 'x'`, 'NULL', "'../../x'"];
    case 'TIMESTAMP':
      return [`coalesce(${column}, epoch_ms(0)) + INTERVAL 1 microsecond`, 'NULL', "'infinity'"];
    case 'INTEGER':
    case 'BIGINT':
    case 'DOUBLE':
      return [`coalesce(${column}, 0) + 1`, 'NULL', '-7'];
    case 'BLOB':
      return [`${column} || '\\x00'::BLOB`, 'NULL', "'\\xff\\xff\\xff'::BLOB"];
    default:
      throw new Error(`There is no other value of the type ${type} of ${name}`);
  }
}

/** Alters the first row that gets another value by that, asks, and puts all back. Undefined where no row does. */
async function altering<T>(
  { table, name }: Column,
  value: string,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  await other.run(`CREATE OR REPLACE TEMP TABLE before AS FROM stored."${table}"`);
  const { rowsChanged } = await other.run(
    `UPDATE stored."${table}" SET "${name}" = ${value} WHERE rowid =
       (SELECT min(rowid) FROM stored."${table}" WHERE "${name}" IS DISTINCT FROM (${value}))`,
  );
  try {
    return rowsChanged === 0 ? undefined : await ask();
  } finally {
    // Pages are found by the numbers of their rows, which begin anew in a new table.
    if (table === 'segment_1') await makePagesTable(other, 1);
    else await other.run(`DELETE FROM stored."${table}"`);
    await other.run(`INSERT INTO stored."${table}" FROM temp.before`);
  }
}

/** All alterations of all columns; in the usual run one of 36, by the seed of the run. */
async function chosen(): Promise<readonly (readonly [Column, string])[]> {
  const all = (await columns()).flatMap((column) =>
    alterations(column).map((value) => [column, value] as const),
  );
  const every = rounds(20, 1) === 20 ? 1 : 36;
  const first = runSeed % every;
  return all.filter((_, index) => index % every === first);
}

test('whatever any column of any table is altered to, it is noticed', async () => {
  expect(await deviations()).toEqual([]);
  const unnoticed: string[] = [];
  for (const [column, value] of await chosen()) {
    const found = await altering(column, value, deviations);
    if (found?.length === 0) unnoticed.push(`${column.table}.${column.name} = ${value}`);
  }
  expect(unnoticed).toEqual([]);
  expect(new Set((await columns()).map(({ table }) => table))).toEqual(
    new Set([
      ...['about', 'actions', 'exports', 'files', 'jobs', 'logs', 'parts', 'segment_1', 'segments'],
      ...['unreadable', 'windows'],
    ]),
  );
  expect(await deviations()).toEqual([]);
});

test('rows that were removed from the list of segments are noticed', async () => {
  await other.run('CREATE OR REPLACE TEMP TABLE before AS FROM stored.segments');
  await other.run('DELETE FROM stored.segments');
  try {
    expect(await deviations()).toEqual([
      'INDEX_ALTERED: The list of the segments of the index lacks "segment_1". "logquarry index --rebuild" rebuilds it',
    ]);
  } finally {
    await other.run('INSERT INTO stored.segments FROM temp.before');
  }
});

describe('it is said what was altered, and where', () => {
  test.each(
    sampled<[string, string, string, RegExp]>(
      [
        [
          'windows',
          'newest',
          "'2031-01-01'",
          /^EXPORT_ALTERED: .* window 1: newest is "2031-01-01 00:00:00", expected "1970-01-01 00:00:00.05"$/,
        ],
        [
          'windows',
          'state',
          "'loaded'",
          /^EXPORT_ALTERED: .* window 1: state is "loaded", expected "ready"$/,
        ],
        ['windows', 'reason', "'x'", /^EXPORT_ALTERED: .* window 1: reason is "x", expected nothing$/],
        ['exports', 'newest', "'2031-01-01'", /^EXPORT_ALTERED: .* export 1: newest is "2031/],
        ['jobs', 'updated', "'2031-01-01'", /^EXPORT_ALTERED: .* job https:\/\/gis\/j0: updated is "2031/],
        [
          'files',
          'file',
          "'x'",
          /^FILE_ROW_ALTERED: .* file "export.zip": file is "x", expected "export.zip"$/,
        ],
        ['parts', 'added', "'2031-01-01'", /^PART_ALTERED: Part 1 .*: added is "2031/],
        ['parts', 'remarks', "'[]'", /^PART_ALTERED: Part 1 .*: remarks is "\[\]", expected ".*time/],
        ['about', 'created', "'2031-01-01'", /^CASE_ALTERED: .*: created is "2031/],
        [
          'unreadable',
          'reason',
          "'x'",
          /^ROWS_ALTERED: Part 1 .*: its unreadable records differ from the recorded ones$/,
        ],
        ['segment_1', 'bytes', 'NULL', /^INDEX_ALTERED: .* page 1 of its terms differs/],
        ['logs', 'id', '99', /^ROWS_ALTERED: 1 rows of part 1 .*: record 1$/],
        ['actions', 'hash', "'x'", /^CHAIN_BROKEN: Action 1 was altered: invalid values \(hash\)$/],
      ],
      3,
    ),
  )('%s.%s', async (table, name, value, expected) => {
    expect(await altering({ table, name, type: '' }, value, deviations)).toContainEqual(
      expect.stringMatching(expected),
    );
  });

  test('rows of an export that were added, repeated or taken away', async () => {
    const planted = async (sql: string) => {
      await other.run('CREATE OR REPLACE TEMP TABLE before AS FROM stored.windows');
      await other.run(sql);
      const found = await deviations();
      await other.run('DELETE FROM stored.windows');
      await other.run('INSERT INTO stored.windows FROM temp.before');
      return found;
    };
    expect(
      await planted('INSERT INTO stored.windows SELECT * REPLACE (2 AS "window") FROM stored.windows'),
    ).toEqual(['EXPORT_ALTERED: Row of window 2: no action recorded it']);
    expect(await planted('INSERT INTO stored.windows FROM stored.windows')).toEqual([
      'EXPORT_ALTERED: Row of window 1: it occurs twice',
    ]);
    expect(await planted('DELETE FROM stored.windows')).toEqual([
      'EXPORT_ALTERED: Row of window 1: it is gone',
    ]);
  });
});

test('logs of a window that was trimmed keep their ids', async () => {
  const lines = [1, 2, 3, 4].map((time) => `${JSON.stringify({ time, msg: `log ${time}` })}\n`).join('');
  const path = join(folder, 'window.zip');
  const { writeFile } = await import('node:fs/promises');
  await writeFile(path, toZip([{ name: 'w.ndjson', content: lines }]));
  const settle = () => ({ changes: {}, only: { oldest: 2, newest: 3 } });
  const keep = ({ log }: { readonly log: { readonly time?: number } }) => log.time !== 1;
  await addWindow(of, path, { job: 'j1', isWanted: keep, decide: settle });
  expect(await deviations()).toEqual([]);
  const idOfThird = `CASE WHEN msg = 'log 3' THEN 99 ELSE id END`;
  expect(await altering({ table: 'logs', name: 'id', type: '' }, idOfThird, deviations)).toContainEqual(
    expect.stringMatching(/^ROWS_ALTERED: Part 4 .*: the ids of its logs differ from the recorded ones$/),
  );
});
