import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase, readCase, writeToCase } from '../../src/case/file/case.ts';
import { deleteParts } from '../../src/case/file/parts.ts';
import { buildIndex, removeIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findLogs, streamLogs } from '../../src/case/searching/find-logs.ts';
import { readLog, readStoredLogs } from '../../src/case/searching/stored-log.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { idListSql, idsSql, scannedIdsSql, splitIds } from '../../src/word-index/log-conditions.ts';
import { tamperWith } from './tamper.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-ids-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const logs = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, index): Log => ({ time: ((from + index) * 7919) % 6007, msg: `hit ${from + index}` }),
  );

/** A case whose logs 1 to 6000 came in three parts, of which the last one was removed and added anew. */
async function makeCase(name: string): Promise<string> {
  const path = join(folder, `${name}.duckdb`);
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, logs(1, 2000), { part: 'first' });
  await buildIndex(into);
  await addLogs(into, logs(2001, 3000), { part: 'second' });
  await writeToCase(into, (connection) => deleteParts(connection, [2]));
  await addLogs(into, logs(2001, 3000), { part: 'second' });
  await addLogs(into, logs(5001, 1000), { part: 'third' });
  return path;
}

/** Ids that are scattered, close together, or consecutive; some of no log. */
const askedIds = fc
  .record({
    first: fc.integer({ min: 1, max: 6100 }),
    step: fc.constantFrom(1, 1, 3, 100, 900),
    count: fc.constantFrom(0, 1, 2, 9, 47, 48, 49, 300),
  })
  .map(({ first, step, count }) => Array.from({ length: count }, (_, index) => first + index * step));

describe('logs by their ids', () => {
  let path: string;
  beforeAll(async () => {
    path = await makeCase('asked');
  });

  const read = (of: Case, ids: readonly number[]) =>
    readCase(of, async (connection) =>
      (await readStoredLogs(of, connection, ids)).sort((one, other) => one.id - other.id),
    );

  test.each(['with the index of ids', 'without it'])('are the same %s', async (kind) => {
    if (kind === 'without it') await tamperWith(path, ['DROP INDEX IF EXISTS stored.log_ids']);
    await using of = await openCase(path, { access: 'read' });
    await fc.assert(
      fc.asyncProperty(askedIds, async (ids) => {
        const found = await read(of, ids);
        expect(found.map(({ id, log }) => [id, log.msg])).toEqual(
          ids.filter((id) => id <= 6000).map((id) => [id, `hit ${id}`]),
        );
      }),
    );
    expect((await readLog(of, 6000))?.log.msg).toBe('hit 6000');
    expect(await readLog(of, 6001)).toBeUndefined();
  });
});

describe('the index of ids', () => {
  test('is asked for consecutive and for scattered logs, not for a range of many', async () => {
    const path = await makeCase('explained');
    await using of = await openCase(path, { access: 'read' });
    const plans = await readCase(of, (connection) =>
      Promise.all(
        [[7], [7, 8, 9], [7, 900, 5900], Array.from({ length: 60 }, (_, index) => 100 + index)].flatMap(
          (ids) =>
            [idsSql(ids), scannedIdsSql(ids)].map(async (condition) => {
              const sql = `EXPLAIN ANALYZE SELECT msg FROM stored.logs WHERE ${condition}`;
              const [, plan] = (await connection.runAndReadAll(sql)).getRowsJS()[0] ?? [];
              return /Index Scan/.test(String(plan));
            }),
        ),
      ),
    );
    expect(plans).toEqual([true, false, true, false, true, false, false, false]);
  });

  test('is asked for at most a hundred logs: the database holds the blocks of all of them', async () => {
    const path = await makeCase('bounded');
    await using of = await openCase(path, { access: 'read' });
    const isLookedUp = (count: number) =>
      readCase(of, async (connection) => {
        const ids = Array.from({ length: count }, (_, index) => 1 + 50 * index);
        const sql = `EXPLAIN ANALYZE SELECT msg FROM stored.logs WHERE ${idListSql(ids)}`;
        return /Index Scan/.test(String((await connection.runAndReadAll(sql)).getRowsJS()[0]?.[1]));
      });
    expect(await isLookedUp(100)).toBe(true);
    expect(await isLookedUp(101)).toBe(false);
  });

  test('is asked for scattered logs in lists that fit into memory, for close ones in one list', () => {
    const scattered = fc.uniqueArray(fc.integer({ min: 1, max: 4_000_000_000 }), { maxLength: 300 });
    const near = fc.uniqueArray(fc.integer({ min: 5, max: 1_900_000 }), { minLength: 48, maxLength: 300 });
    const close = fc.uniqueArray(fc.integer({ min: 9, max: 9000 }), { minLength: 48, maxLength: 300 });
    fc.assert(
      fc.property(fc.oneof(scattered, near, close), (ids) => {
        const lists = splitIds(ids);
        expect(lists.flat().sort((one, other) => one - other)).toEqual(
          [...ids].sort((one, other) => one - other),
        );
        for (const list of lists.filter((each) => / IN \(/.test(idsSql(each)))) {
          const distance = Math.max(...list) - Math.min(...list);
          expect(list.length).toBeLessThanOrEqual(distance < 16 * 122_880 ? 50 : 25);
        }
      }),
    );
    expect(splitIds([...Array(90).keys()].map((index) => 20_000 * index))).toHaveLength(2);
    expect(splitIds([...Array(90).keys()].map((index) => 200_000 * index))).toHaveLength(4);
  });

  test('is not needed to find two logs with one id', async () => {
    const path = await makeCase('doubled');
    await tamperWith(path, ['UPDATE stored.logs SET id = 7 WHERE id = 9']);
    await using of = await openCase(path, { access: 'read' });
    const found = await readCase(of, (connection) => readStoredLogs(of, connection, [7, 8]));
    expect(found.map(({ log }) => log.msg).sort()).toEqual(['hit 7', 'hit 8', 'hit 9']);
  });

  test('goes with the index, and comes back with it', async () => {
    const path = await makeCase('removed');
    await using of = await openCase(path, { access: 'write' });
    const indexes = () =>
      readCase(of, async (connection) =>
        (await connection.runAndReadAll('SELECT index_name FROM duckdb_indexes()')).getRowsJS().flat(),
      );
    expect(await indexes()).toEqual(['log_ids']);
    await removeIndex(of);
    expect(await indexes()).toEqual([]);
    await buildIndex(of);
    expect(await indexes()).toEqual(['log_ids']);
  });
});

describe('a page of logs', () => {
  test('begins as the whole stream does, whatever the number of hits', async () => {
    const path = await makeCase('paged');
    await using of = await openCase(path, { access: 'read' });
    const texts = ['hit', 'hit AND 7', 'msg:1*', 'NOT msg:2*', 'msg:absent', 'time:[1000 TO 1200]'];
    const asked = fc.record({
      text: fc.constantFrom(...texts),
      order: fc.constantFrom('newest', 'oldest'),
      limit: fc.constantFrom(0, 1, 99, 100, 1000, 1001),
      offset: fc.constantFrom(0, 0, 3, 950),
      skipped: fc.constantFrom(undefined, undefined, 0, 40),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ text, order, limit, offset, skipped }) => {
        const filter = resolve(parse(text).query, { now: 0 });
        const all = [];
        for await (const each of streamLogs(of, filter, { order })) all.push(each);
        const cursor = skipped === undefined ? undefined : all[skipped];
        const after = cursor && { after: { id: cursor.id, time: Number(cursor.log.time) } };
        const rest = cursor ? all.slice((skipped ?? 0) + 1) : all;
        const found = await findLogs(of, filter, { order, limit, offset, ...after });
        expect(found).toEqual(rest.slice(offset, offset + limit));
        const streamed = [];
        for await (const each of streamLogs(of, filter, { order, limit, ...after })) streamed.push(each);
        expect(streamed).toEqual(rest.slice(0, limit));
      }),
      { numRuns: 60 },
    );
  });
});
