import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveJob } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { runSql, writeSqlToParquet } from '../../src/case/sql/run-sql.ts';
import { sampled } from '../effort.ts';

let folder: string;
let path: string;
let other: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-sql-'));
  path = join(folder, 'case.duckdb');
  other = join(folder, 'other.csv');
  await writeFile(other, 'secret\n1\n');
  await using into = await openCase(path, { access: 'write', create: true });
  const text =
    '{"time":1000,"msg":"a","logCode":9003,"elapsed":0.5,"pod":"p"}\n{"time":2000,"msg":"b"}\n{"x":1}\n';
  await addFile(into, { name: 'a.ndjson', bytes: new TextEncoder().encode(text) });
  await saveJob(into, {
    id: 'j1',
    address: 'https://h/jobs/j1',
    state: 'COMPLETED',
    request: { num: '5' },
    submitted: 5,
    updated: 6,
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('what it gives back', () => {
  test.each(
    sampled<[string, string[], unknown[][]]>(
      [
        ['SELECT count(*) AS n FROM logs', ['n BIGINT'], [[2]]],
        [
          'SELECT "logCode", elapsed, extra FROM logs ORDER BY id',
          ['logCode BIGINT', 'elapsed DOUBLE', 'extra JSON'],
          [
            [9003, 0.5, { pod: 'p' }],
            [null, null, null],
          ],
        ],
        ['SELECT "time" FROM logs ORDER BY 1 DESC LIMIT 1', ['time TIMESTAMP'], [['1970-01-01 00:00:02']]],
        ["SELECT extra->>'pod' AS pod FROM logs WHERE extra IS NOT NULL", ['pod VARCHAR'], [['p']]],
        [
          'SELECT entry, logs, unreadable FROM parts',
          ['entry VARCHAR', 'logs BIGINT', 'unreadable BIGINT'],
          [['a.ndjson', 2, 1]],
        ],
        [
          'SELECT position, code, raw FROM unreadable',
          ['position INTEGER', 'code VARCHAR', 'raw VARCHAR'],
          [[3, 'NO_LOG', '{"x":1}']],
        ],
        [
          'SELECT id, state, request FROM jobs',
          ['id VARCHAR', 'state VARCHAR', 'request JSON'],
          [['j1', 'COMPLETED', { num: '5' }]],
        ],
        [
          'SELECT 0.25 AS d, 12345678901234567890::HUGEINT AS h, [1,2] AS l, {a: 1} AS s',
          ['d DECIMAL(3,2)', 'h HUGEINT', 'l INTEGER[]', 's STRUCT("a" INTEGER)'],
          [[0.25, '12345678901234567890', [1, 2], { a: 1 }]],
        ],
        [
          'WITH x AS (SELECT range AS i FROM range(3)) SELECT sum(i) AS s FROM x; -- done',
          ['s HUGEINT'],
          [[3]],
        ],
        [
          "SELECT count(*) AS n FROM duckdb_columns() WHERE table_name = 'logs' AND schema_name = 'main'",
          ['n BIGINT'],
          [[20]],
        ],
      ],
      4,
    ),
  )('%s', async (sql, columns, rows) => {
    const result = await runSql(path, sql);
    expect(result.columns.map(({ name, type }) => `${name} ${type}`)).toEqual(columns);
    expect(result.rows).toEqual(rows);
    expect(result.more).toBe(false);
  });

  test('the token columns are not among what people see', async () => {
    const { rows } = await runSql(path, 'SELECT column_name FROM (DESCRIBE logs)');
    expect(rows.flat().filter((name) => String(name).includes('tokens'))).toEqual([]);
  });

  test('a limit is said', async () => {
    const { rows, more } = await runSql(path, 'SELECT * FROM range(5000)', { limit: 3 });
    expect(rows).toEqual([[0], [1], [2]]);
    expect(more).toBe(true);
    expect((await runSql(path, 'SELECT * FROM range(3)', { limit: 3 })).more).toBe(false);
  });

  test('a query that takes too long ends with its signal', async () => {
    const signal = AbortSignal.timeout(200);
    const endless = 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b';
    await expect(runSql(path, endless, { signal })).rejects.toThrow('timeout');
  });

  test.each(sampled([0, 1, 2, 5, 10, 20], 1))(
    'so does one that is ended %i ms after it began',
    async (milliseconds) => {
      const abort = new AbortController();
      const endless = 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b';
      const running = runSql(path, endless, { signal: abort.signal });
      setTimeout(() => abort.abort(new Error('ended')), milliseconds);
      await expect(running).rejects.toThrow('ended');
    },
  );
});

describe('queries of the search language inside SQL', () => {
  // A join for each of them took more memory than a case has, however few its logs were.
  test('as many as a statement has', async () => {
    const calls = Array.from(
      { length: 300 },
      (_, id) => `count(*) FILTER (WHERE matches('msg:a') OR id = ${id})`,
    );
    const { rows } = await runSql(path, `SELECT ${calls.join(', ')} FROM logs`);
    expect(rows).toEqual([calls.map((_, id) => (id === 2 ? 2 : 1))]);
  });

  test('one that would take too long is refused', async () => {
    const query = `msg:"${'a b '.repeat(300)}"~5`;
    await expect(runSql(path, `SELECT id FROM logs WHERE matches('${query}')`)).rejects.toMatchObject({
      code: 'QUERY_TOO_COMPLEX',
      message: expect.stringMatching(/^The query is too complex: 600 words of the sloppy phrase "a b/),
    });
  });

  test.each(
    sampled<[string, unknown[][]]>(
      [
        ["SELECT id FROM logs WHERE matches('msg:a')", [[1]]],
        ["SELECT id FROM logs WHERE NOT matches('msg:a')", [[2]]],
        ["SELECT id FROM logs WHERE matches('NOT msg:a')", [[2]]],
        ["SELECT count(*) FILTER (WHERE matches('logCode:9003')) FROM logs", [[1]]],
        [
          "SELECT id, matches('msg:a OR msg:b') FROM logs ORDER BY id",
          [
            [1, true],
            [2, true],
          ],
        ],
        [
          "SELECT matches('msg:a', x) FROM (VALUES (-1), (0), (1), (2), (9), (3000000000)) AS v(x)",
          [[false], [false], [true], [false], [false], [false]],
        ],
        ["SELECT matches('msg:a', NULL), matches('msg:nothing', 1)", [[null, false]]],
        ["SELECT id FROM logs WHERE MATCHES ('msg:/[a-z]/') AND \"matches\"('msg:b')", [[2]]],
        [
          "SELECT 'ä😀', id FROM logs WHERE matches('msg:a') OR matches(E'msg:\\x62') ORDER BY id",
          [
            ['ä😀', 1],
            ['ä😀', 2],
          ],
        ],
        [
          "SELECT l.id FROM logs l JOIN logs k ON k.id = l.id + 1 WHERE matches('msg:a', l.id) AND matches('msg:b', k.id)",
          [[1]],
        ],
        ["WITH x AS (SELECT * FROM logs WHERE matches('msg:a')) SELECT count(*) FROM x", [[1]]],
        [
          "SELECT id FROM logs WHERE id IN (SELECT id FROM logs WHERE matches('msg:a')) ORDER BY matches('msg:b')",
          [[1]],
        ],
        ["SELECT count(*) FROM logs WHERE matches('msg:\"'' OR 1=1 --\"')", [[0]]],
        [
          "SELECT 'matches(''x'')' AS text, id FROM logs WHERE matches('msg:a') -- matches('(')",
          [["matches('x')", 1]],
        ],
        ["SELECT count(*) FROM logs WHERE matches('msg:a~') AND matches('*:*')", [[2]]],
      ],
      3,
    ),
  )('%s', async (sql, rows) => {
    expect((await runSql(path, sql)).rows).toEqual(rows);
  });

  test.each(
    sampled<[string, string, RegExp]>(
      [
        ["SELECT * FROM logs WHERE matches('(a')", 'BAD_QUERY', /"\(a" cannot be run: .*at character 1/],
        ['SELECT * FROM logs WHERE matches(msg)', 'BAD_SQL', /requires the text of a query/],
        ["SELECT * FROM logs WHERE matches('a' || 'b')", 'BAD_SQL', /requires the text of a query/],
        ['SELECT * FROM logs WHERE matches()', 'BAD_SQL', /requires the text of a query/],
        ["SELECT * FROM logs WHERE main.matches('a')", 'BAD_SQL', /without a schema/],
        ["SELECT * FROM parts WHERE matches('a')", 'BAD_SQL', /"id"/],
      ],
      4,
    ),
  )('%s is refused', async (sql, code, message) => {
    await expect(runSql(path, sql)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('a caller can say what a query asks for', async () => {
    const asked: string[] = [];
    const toFilter = (query: string) => {
      asked.push(query);
      return { kind: 'none' } as const;
    };
    const sql = "SELECT count(*) FROM logs WHERE matches('x') OR matches('x') OR matches('y')";
    expect((await runSql(path, sql, { toFilter })).rows).toEqual([[0]]);
    expect(asked).toEqual(['x', 'y']);
  });
});

describe('Parquet', () => {
  afterAll(async () => {
    for (const name of ["it's.parquet", 'kept.parquet']) await rm(join(folder, name), { force: true });
  });

  const count = async (file: string) => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
    const rows = { names: result.columnNames(), rows: result.getRowsJson() };
    connection.closeSync();
    instance.closeSync();
    return rows;
  };

  test('of SQL holds all rows, whatever their types, and nothing is left beside it', async () => {
    const file = join(folder, "it's.parquet");
    const sql = `SELECT i::INTEGER AS a, i::VARCHAR AS "A", {x: [i]} AS s, NULL AS n, 1.5::DECIMAL(9, 2) AS d FROM range(5000) t(i)`;
    const before = await readdir(folder);
    expect(await writeSqlToParquet(path, sql, { path: file })).toBe(5_000);
    const { names, rows } = await count(file.replace("'", "''"));
    expect(names).toEqual(['a', 'A_1', 's', 'n', 'd']);
    expect(rows[4_999]).toEqual([4999, '4999', { x: ['4999'] }, null, '1.50']);
    expect(await writeSqlToParquet(path, sql, { path: file, limit: 3 })).toBe(3);
    const awkward = `SELECT 'a' AS rowid, 'b' AS "rows", 'c' AS length, [1] AS vector, MAP {'k': 'v'} AS "b""c", 'x'::BLOB AS bytes`;
    expect(await writeSqlToParquet(path, awkward, { path: file })).toBe(1);
    expect((await readdir(folder)).toSorted()).toEqual([...before, "it's.parquet"].toSorted());
  });

  test('a wrong SQL leaves what there was', async () => {
    const file = join(folder, 'kept.parquet');
    await writeFile(file, 'before');
    await expect(writeSqlToParquet(path, 'SELECT nothing FROM logs', { path: file })).rejects.toMatchObject({
      code: 'BAD_SQL',
    });
    await expect(
      writeSqlToParquet(path, 'SELECT error(msg) FROM logs', { path: file }),
    ).rejects.toMatchObject({ code: 'BAD_SQL' });
    expect(await readFile(file, 'utf8')).toBe('before');
    expect((await readdir(folder)).filter((name) => name.includes('arriving'))).toEqual([]);
    await expect(
      writeSqlToParquet(path, 'SELECT 1', { path: join(folder, 'no', 'x') }),
    ).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });
});

describe('what is wrong is said', () => {
  test.each(
    sampled(
      [
        ['SELEC 1', 'BAD_SQL', /syntax error/i],
        ['SELECT nothing FROM logs', 'BAD_SQL', /nothing/],
        ['SELECT * FROM nowhere', 'BAD_SQL', /nowhere/],
        ["SELECT 'x'::INTEGER", 'BAD_SQL', /convert/i],
        ['', 'BAD_SQL', /no SQL/],
        ['-- nothing', 'BAD_SQL', /no SQL/],
        ['SELECT 1; SELECT 2', 'SQL_REFUSED', /one statement/],
      ],
      3,
    ),
  )('%j', async (sql, code, message) => {
    await expect(runSql(path, sql)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('a case that is not there', async () => {
    await expect(runSql(join(folder, 'none.duckdb'), 'SELECT 1')).rejects.toMatchObject({
      code: 'CASE_NOT_FOUND',
    });
  });
});

/** Every way out that is known, with `OTHER`, `CASE` and `OUT` for paths. */
const breakouts = [
  // reading files
  "SELECT * FROM 'OTHER'",
  'SELECT * FROM "OTHER"',
  "SELECT * FROM read_csv('OTHER')",
  "SELECT * FROM read_csv_auto('OTHER')",
  "SELECT * FROM read_text('OTHER')",
  "SELECT * FROM read_blob('OTHER')",
  "SELECT * FROM read_json('OTHER')",
  "SELECT * FROM read_ndjson_objects('OTHER')",
  "SELECT * FROM read_parquet('OTHER')",
  "SELECT * FROM parquet_metadata('OTHER')",
  "SELECT * FROM sniff_csv('OTHER')",
  "SELECT * FROM read_duckdb('OTHER')",
  "SELECT * FROM glob('FOLDER/*')",
  "SELECT * FROM read_blob('CASE')",
  "SELECT * FROM read_blob('CASE.wal')",
  "SELECT * FROM Read_Text('OTHER')",
  "SELECT * FROM system.main.read_text('OTHER')",
  "SELECT (SELECT content FROM read_text('OTHER'))",
  "SELECT * FROM logs WHERE msg IN (FROM read_text('OTHER'))",
  "SELECT * FROM logs ORDER BY (SELECT 1 FROM read_csv('OTHER'))",
  "SELECT * FROM logs LIMIT (SELECT count(*) FROM glob('FOLDER/*'))",
  "WITH RECURSIVE x AS (SELECT 1 UNION SELECT size FROM read_blob('OTHER')) SELECT * FROM x",
  "SELECT list_transform([1], lambda i: (SELECT count(*) FROM glob('FOLDER/*')))",
  "DESCRIBE SELECT * FROM read_csv('OTHER')",
  "SUMMARIZE SELECT * FROM read_csv('OTHER')",
  "SUMMARIZE 'OTHER'",
  "PIVOT (SELECT * FROM read_csv('OTHER')) ON secret IN (1) USING count(*)",
  "SELECT * FROM query('SELECT * FROM read_text(''OTHER'')')",
  "SELECT * FROM query_table('OTHER')",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''OTHER'')'))",
  "IMPORT DATABASE 'FOLDER'",
  // writing files, the write-ahead log of the case among them, which DuckDB itself lets through
  "COPY logs TO 'OUT'",
  "COPY (SELECT 1) TO 'CASE.wal'",
  "COPY logs TO 'CASE.tmp/out.csv'",
  "EXPLAIN ANALYZE COPY (SELECT 1) TO 'CASE.wal'",
  "EXPORT DATABASE 'OUT'",
  "SELECT * FROM enable_logging(storage = 'file', storage_path = 'OUT')",
  "SELECT * FROM enable_profiling(save_location = 'OUT')",
  "CALL enable_logging(storage = 'file', storage_path = 'OUT')",
  "PRAGMA profiling_output = 'OUT'",
  'PRAGMA enable_profiling',
  "ATTACH 'OUT' AS x",
  "ATTACH ':memory:' AS x",
  // changing the case
  "INSERT INTO stored.logs (msg) VALUES ('x')",
  "UPDATE stored.logs SET msg = 'x'",
  'DELETE FROM stored.logs',
  'DROP VIEW logs',
  'CREATE TABLE x AS SELECT 1',
  'CREATE TEMP TABLE x AS SELECT 1',
  'ALTER TABLE stored.logs ADD COLUMN x INTEGER',
  'CHECKPOINT',
  'SELECT * FROM checkpoint()',
  'VACUUM',
  // settings, extensions, secrets, the network
  'SET enable_external_access = true',
  'SET lock_configuration = false',
  'RESET enable_external_access',
  "SET temp_directory = 'OUT'",
  'SET VARIABLE x = 1',
  'INSTALL httpfs',
  'LOAD httpfs',
  "LOAD 'OTHER'",
  "SELECT * FROM read_text('http://127.0.0.1:9/x')",
  "SELECT * FROM read_csv('https://127.0.0.1:9/x')",
  "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
  'SELECT * FROM duckdb_secrets()',
  "SELECT getenv('HOME')",
  // along with a query of the search language
  "SELECT * FROM logs WHERE matches('a') AND msg IN (FROM read_text('OTHER'))",
  "INSERT INTO stored.logs SELECT * FROM stored.logs WHERE matches('a')",
  // several at once
  "SELECT 1; COPY (SELECT 1) TO 'OUT'",
  "PREPARE p AS COPY (SELECT 1) TO 'OUT'",
  "BEGIN; COPY (SELECT 1) TO 'OUT'; COMMIT",
];

describe('what it must not do, it does not', () => {
  test.each(sampled(breakouts, 4))('%s', async (template) => {
    const sql = template
      .replaceAll('OTHER', other)
      .replaceAll('CASE', path)
      .replaceAll('OUT', join(folder, 'out'))
      .replaceAll('FOLDER', folder);
    const before = await readFile(path);
    await expect(runSql(path, sql)).rejects.toMatchObject({
      code: expect.stringMatching(/^(BAD_SQL|SQL_REFUSED)$/),
    });
    expect((await readdir(folder)).sort()).toEqual(['case.duckdb', 'case.duckdb.evidence', 'other.csv']);
    expect(before.equals(await readFile(path))).toBe(true);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  test('and the case answers as before', async () => {
    expect((await runSql(path, 'SELECT count(*) FROM logs')).rows).toEqual([[2]]);
  });
});
