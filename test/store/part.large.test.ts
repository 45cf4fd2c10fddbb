import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase, readCase, writeToCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { tamperWith } from './tamper.ts';
import { toZip } from './zips.ts';

/** Enough rows for three connections, or for two. */
const count = 450_000;

/** Blanks make lines long, so that they are read some ten thousand at a time. */
const blanks = ' '.repeat(80);
const text = Array.from({ length: count }, (_, at) => `{"time":${at},"msg":"m ${at}"${blanks}}\n`).join('');
const file = { name: 'large.ndjson', bytes: new TextEncoder().encode(text) };

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-large-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Number of logs in their places, and notes of parts that are not finished. */
async function contents() {
  await using opened = await openCase(path, { access: 'read' });
  return await readCase(opened, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT count(DISTINCT id)::INTEGER, count(*)::INTEGER,
         count(*) FILTER (id = position AND epoch_ms("time") = id - 1 AND msg = 'm ' || (id - 1))::INTEGER,
         (SELECT count(*) FROM stored.unfinished)::INTEGER FROM stored.logs`,
    );
    return result.getRowsJS()[0];
  });
}

describe('a part that several connections write', () => {
  test('has each of its logs once, by the id and at the place that it has in the file', async () => {
    {
      await using into = await openCase(path, { access: 'write', create: true });
      expect(await addFile(into, file, { threads: 2 })).toMatchObject({
        parts: [{ logs: count, unreadable: 0 }],
      });
      expect((await verifyCase(into)).deviations).toEqual([]);
    }
    expect(await contents()).toEqual([count, count, count, 0]);
  });

  test('is not there at all when its last bytes are found to be damaged', async () => {
    {
      await using into = await openCase(path, { access: 'write', create: true });
      const zip = toZip([{ name: 'large.ndjson', content: text, checksum: 7 }]);
      const { parts } = await addFile(into, { name: 'large.zip', bytes: zip }, { threads: 2 });
      expect(parts).toMatchObject([{ logs: 0, problem: { code: 'WRONG_CRC' } }]);
      expect((await verifyCase(into)).deviations).toEqual([]);
    }
    expect(await contents()).toEqual([0, 0, 0, 0]);
  });

  test('is not there at all when it is given up', async () => {
    await using into = await openCase(path, { access: 'write', create: true });
    const giveUp = new AbortController();
    const onProgress = ({ logs }: { readonly logs: number }) => {
      if (170_000 <= logs) giveUp.abort(new Error('enough'));
    };
    await expect(addFile(into, file, { signal: giveUp.signal, onProgress, threads: 2 })).rejects.toThrow(
      'enough',
    );
    expect(await summary(into)).toMatchObject({ logs: 0, parts: [] });
    expect(await addFile(into, file, { threads: 2 })).toMatchObject({ parts: [{ part: 1, logs: count }] });
    expect(await countLogs(into, matchAllFilter)).toBe(count);
  });
});

const tamper = (...statements: readonly string[]) => tamperWith(path, statements);

describe('what a process has left that was killed before it had listed a part', () => {
  const left = [
    'INSERT INTO stored.unfinished VALUES (2)',
    'INSERT INTO stored.logs BY NAME SELECT 7 AS id, 2 AS part, 1 AS position FROM range(3)',
  ];

  beforeEach(async () => {
    await using into = await openCase(path, { access: 'write', create: true });
    await addFile(into, { name: 'a.ndjson', bytes: new TextEncoder().encode('{"msg":"a"}\n') });
  });

  test.each(['read', 'write'] as const)(
    'is taken out, and noted, as the case is opened to %s',
    async (access) => {
      await tamper(...left);
      {
        await using opened = await openCase(path, { access });
        expect(await countLogs(opened, matchAllFilter)).toBe(1);
        expect((await verifyCase(opened)).deviations).toEqual([]);
      }
      const { rows } = await runSql(
        path,
        "SELECT details::VARCHAR FROM actions WHERE action = 'remove unfinished part'",
      );
      expect(rows).toEqual([['{"part":2,"logs":3}']]);
    },
  );

  test('is taken out of all parts that were begun with it', async () => {
    await tamper(...left, 'INSERT INTO stored.logs BY NAME SELECT 9 AS id, 4 AS part, 1 AS position');
    await (await openCase(path, { access: 'write' }))[Symbol.asyncDispose]();
    const { rows } = await runSql(
      path,
      "SELECT details::VARCHAR FROM actions WHERE action = 'remove unfinished part'",
    );
    expect(rows).toEqual([['{"part":2,"logs":3}'], ['{"part":4,"logs":1}']]);
    await using opened = await openCase(path, { access: 'read' });
    expect(await countLogs(opened, matchAllFilter)).toBe(1);
  });

  test('is nothing where the part is listed: what was begun is forgotten without a note', async () => {
    await tamper('INSERT INTO stored.unfinished VALUES (1)');
    await (await openCase(path, { access: 'write' }))[Symbol.asyncDispose]();
    expect((await runSql(path, "SELECT count(*) FROM actions WHERE action LIKE 'remove%'")).rows).toEqual([
      [0],
    ]);
    await using opened = await openCase(path, { access: 'read' });
    expect(await countLogs(opened, matchAllFilter)).toBe(1);
  });

  test('leaves its number to nobody else, should it still be there', async () => {
    await using into = await openCase(path, { access: 'write' });
    await writeToCase(into, (connection) => connection.run('INSERT INTO stored.unfinished VALUES (5)'));
    await addLogs(into, [{ msg: 'b' }], { part: 'program' });
    const { parts } = await addFile(into, {
      name: 'c.ndjson',
      bytes: new TextEncoder().encode('{"msg":"c"}\n'),
    });
    expect(parts).toMatchObject([{ part: 7 }]);
    expect((await summary(into)).parts.map(({ part }) => part)).toEqual([1, 6, 7]);
  });

  test('is not taken for finished where the file cannot be written to', async () => {
    await tamper(...left);
    // Two that open it at once are in each other's way.
    const results = await Promise.allSettled([
      openCase(path, { access: 'read' }),
      openCase(path, { access: 'read' }),
    ]);
    for (const result of results)
      if (result.status === 'fulfilled') await result.value[Symbol.asyncDispose]();
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'STORE_FAILED',
        message: expect.stringMatching(
          /has logs of an unfinished part, which must be removed, which requires writing to it: /,
        ),
      },
    });
  });
});
