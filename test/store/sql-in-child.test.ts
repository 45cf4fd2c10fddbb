import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import type { SqlPiece } from '../../src/case/sql/sql-in-child.ts';
import { runSqlInChild, writeSqlToParquetInChild } from '../../src/case/sql/sql-in-child.ts';
import { LimitExceeded, runInChild } from '../../src/database/child.ts';
import { newSpillFolder } from '../../src/database/database.ts';
import { largeTest } from '../large-test.ts';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-child-'));
  path = join(folder, 'case.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  const bytes = new TextEncoder().encode('{"time":1000,"msg":"a"}\n{"time":2000,"msg":"b"}\n');
  await addFile(into, { name: 'a.ndjson', bytes });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const endless = 'SELECT count(*) FROM range(100000000000000) t(i) WHERE hash(i) = 3';

/** The process numbers of the children of a process that run SQL, by the list that Linux keeps. */
function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name, parent))
    .map(Number);
}

function isChild(name: string, parent: number): boolean {
  try {
    const [, after = ''] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    const isOfSql = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('sql-process.js');
    return Number(after) === parent && isOfSql;
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

async function all(pieces: AsyncIterable<SqlPiece>): Promise<SqlPiece[]> {
  const found: SqlPiece[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

describe('SQL in a process of its own', () => {
  test('gives columns, exact values and whether there are more', async () => {
    const sql =
      'SELECT 9007199254740993::BIGINT AS n, 1.10::DECIMAL(30, 2) AS d, range AS r FROM range(3) ORDER BY r';
    expect(await all(runSqlInChild(path, sql, { limit: 2 }))).toEqual([
      {
        kind: 'columns',
        columns: [
          { name: 'n', type: 'BIGINT' },
          { name: 'd', type: 'DECIMAL(30,2)' },
          { name: 'r', type: 'BIGINT' },
        ],
      },
      {
        kind: 'rows',
        rows: [
          ['9007199254740993', '1.10', 0],
          ['9007199254740993', '1.10', 1],
        ],
      },
      { kind: 'end', more: true },
    ]);
  });

  largeTest('asks back for filters, and rejects with what that throws', async () => {
    const sql = "SELECT msg FROM logs WHERE matches('whatever')";
    const asked: string[] = [];
    const toFilter = (query: string) => {
      asked.push(query);
      return { kind: 'all' } as const;
    };
    expect(await all(runSqlInChild(path, sql, { toFilter }))).toContainEqual({
      kind: 'rows',
      rows: [['a'], ['b']],
    });
    expect(asked).toEqual(['whatever']);
    const refusing = runSqlInChild(path, sql, {
      toFilter: () => {
        throw new RangeError('not that');
      },
    });
    await expect(all(refusing)).rejects.toThrow(new RangeError('not that'));
  });

  test('is locked down, and says why as in this process', async () => {
    const sql = `SELECT * FROM read_csv('${join(folder, 'x.csv')}')`;
    await expect(all(runSqlInChild(path, sql))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'SQL_REFUSED',
    });
    await expect(all(runSqlInChild(path, 'SELECT 1e400'))).rejects.toMatchObject({
      code: 'BAD_SQL',
      message: expect.stringContaining('1e400'),
    });
  });

  test('is ended by its timeout and by a signal, and leaves nothing beside the case', async () => {
    await expect(all(runSqlInChild(path, endless, { timeout: 300 }))).rejects.toMatchObject({
      code: 'SQL_TIMEOUT',
      message: expect.stringContaining('--timeout'),
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stopped')), 300);
    await expect(all(runSqlInChild(path, endless, { signal: controller.signal }))).rejects.toThrow('stopped');
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  largeTest('is ended where it takes more memory than it may, whatever the database counts', async () => {
    const sql = "SELECT length(repeat('x', 2000000000))";
    await expect(all(runSqlInChild(path, sql))).rejects.toMatchObject({ code: 'SQL_MEMORY' });
  });

  largeTest('leaves no part of a Parquet file when it is ended', async () => {
    const target = join(folder, 'x.parquet');
    const rows = 'SELECT range AS i, hash(range) AS h FROM range(100000000000)';
    await expect(
      writeSqlToParquetInChild(path, rows, { path: target, timeout: 1_000 }),
    ).rejects.toMatchObject({ code: 'SQL_TIMEOUT' });
    expect((await readdir(folder)).filter((name) => name.startsWith('x.parquet'))).toEqual([]);
    expect(await writeSqlToParquetInChild(path, 'SELECT 1 AS one', { path: target })).toBe(1);
    expect(existsSync(target)).toBe(true);
  });

  test('says so where its process is killed by someone else', async () => {
    const rows = runSqlInChild(path, 'SELECT range FROM range(100000000)');
    await rows.next();
    const found = childrenOf(process.pid);
    expect(found.length).toBe(1);
    for (const pid of found) process.kill(pid, 'SIGKILL');
    await expect(all(rows)).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('ended early (SIGKILL)'),
    });
  });

  test('removes what a killed process has spilled, but nothing of one that runs or of others', async () => {
    // No process has this number: Linux has at most 2^22.
    const running = newSpillFolder(path);
    const stale = running.replace(`-${process.pid}-`, '-4999999-');
    const strange = `${path}.sql.letters`;
    for (const each of [stale, running, strange]) await mkdir(each);
    await writeFile(join(stale, 'duckdb_temp_storage_DEFAULT-0.tmp'), 'x');
    await all(runSqlInChild(path, 'SELECT 1'));
    expect([stale, running, strange].map((each) => existsSync(each))).toEqual([false, true, true]);
    await mkdir(`${path}.tmp`);
    await writeFile(join(`${path}.tmp`, 'duckdb_temp_block-1.block'), 'x');
    await (await openCase(path, { access: 'write' }))[Symbol.asyncDispose]();
    expect(existsSync(`${path}.tmp`)).toBe(false);
  });
});

describe('a task in a child', () => {
  /** A program that does what its task says. */
  async function program(work: string): Promise<URL> {
    const file = join(folder, `program-${Math.random()}.mjs`);
    const serve = new URL('../../dist/database/child.js', import.meta.url);
    await writeFile(file, `import { serveTask } from ${JSON.stringify(serve)};\nserveTask(${work});`);
    return new URL(`file://${file}`);
  }

  const limits = { memory: 1e9 };

  test('makes no more than one item ahead of who takes them', async () => {
    const made = join(folder, 'made');
    const url = await program(`async function* () {
      const { writeFileSync } = await import('node:fs');
      for (let n = 1; n <= 20; n++) { writeFileSync(${JSON.stringify(made)}, String(n)); yield n; }
    }`);
    const { readFile } = await import('node:fs/promises');
    const taken: unknown[] = [];
    for await (const item of runInChild({ program: url, task: undefined, limits })) {
      taken.push(item);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(Number(await readFile(made, 'utf8'))).toBeLessThanOrEqual(Number(item) + 1);
    }
    expect(taken).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  test('is killed where it does not end by itself, and when nobody wants the rest', async () => {
    const url = await program('async function* () { yield process.pid; for (;;); }');
    let pid = 0;
    const task = { program: url, task: undefined, limits: { ...limits, time: 1_000 } };
    const items = runInChild(task);
    const taking = (async () => {
      for await (const item of items) pid = Number(item);
    })();
    await expect(taking).rejects.toThrow(LimitExceeded);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    for await (const item of runInChild({ ...task, limits })) {
      pid = Number(item);
      break;
    }
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('that ends early is a failure', async () => {
    const url = await program('async function* () { process.exit(3); }');
    const items = runInChild({ program: url, task: undefined, limits });
    await expect(items.next()).rejects.toThrow('A child process ended early: exit code 3');
  });
});
