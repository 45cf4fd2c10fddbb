import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bestOfCases, cursorAt } from '../../src/analysis/several-cases.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import type { LogSource } from '../../src/case/log-source.ts';
import { findBest } from '../../src/case/searching/best-logs.ts';
import { countByTime, countSevereBy, timeSpan } from '../../src/case/searching/count-logs.ts';
import {
  countBy,
  countLogs,
  findLogs,
  logCursors,
  type StreamOptions,
} from '../../src/case/searching/find-logs.ts';
import { streamContext } from '../../src/case/searching/logs-in-context.ts';
import type { StoredLog } from '../../src/case/searching/stored-log.ts';
import { temporaryFolder } from '../../src/cli/command-line/write-output.ts';
import { clusterLogs } from '../../src/cluster/cluster-logs.ts';
import type { Cluster } from '../../src/cluster/connection.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { type LogField, logFields } from '../../src/records/log.ts';
import { filter, filterOver, keywordSchema, log } from '../../src/testing/filters.ts';
import { readAnswers } from '../conformance/ndjson.ts';
import { sampled } from '../effort.ts';
import { seed } from '../live/settings.ts';
import { openSpreadDatabase, push } from './pushed-case.ts';
import { type Server, startShards } from './start-server.ts';

const rounds = Number(process.env.LIVE_RUNS ?? 100);

let shards: readonly [Server, Server];
beforeAll(async () => {
  shards = await startShards();
});
afterAll(async () => {
  for (const shard of shards) await shard[Symbol.asyncDispose]();
});

/** Both shards have some of the logs: otherwise the tests would show nothing of several servers. */
async function expectSpread(database: string): Promise<void> {
  for (const shard of shards)
    expect(Number(await shard.ask(`SELECT count() FROM ${database}.log_rows_local`))).toBeGreaterThan(50);
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function listed(logs: LogSource, asked: Filter, options?: StreamOptions) {
  const found: StoredLog[] = [];
  for await (const each of logs.streamLogs(asked, options)) found.push(each);
  return found;
}

describe('random logs', () => {
  let stored: Case;
  let cluster: Cluster;
  let logs: LogSource;

  beforeAll(async () => {
    stored = await openCase(':memory:', { access: 'write' });
    const drawn = fc.sample(log, { seed, numRuns: 900 });
    // Logs of one time in several parts: their ids order them.
    for (let part = 0; part < 3; part += 1)
      await addLogs(stored, drawn.slice(300 * part, 300 * (part + 1)), { part: `part ${part}` });
    cluster = await openSpreadDatabase(shards, 'random');
    await push(stored, cluster);
    await expectSpread('random');
    logs = clusterLogs(cluster);
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await stored[Symbol.asyncDispose]();
  });

  const hard = fc.constantFrom(
    ...[
      'msg:/t.*d&~(.*z.*)/',
      'msg:/[a-z]+&@/',
      'source:tine~1',
      'NOT msg:/~(out)/',
      'msg:errro~2 OR logCode:9003',
      'msg:"a b a"~3',
      'NOT msg:"out out"~9',
    ],
  );
  const asked = fc.oneof(
    { arbitrary: filter, weight: 4 },
    { arbitrary: filterOver(keywordSchema, { patterns: true }), weight: 2 },
    { arbitrary: hard.map((text) => resolve(parse(text).query)), weight: 1 },
  );

  test(`a cluster answers like a case (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom<LogField>(...logFields),
        fc.constantFrom<'newest' | 'oldest'>('newest', 'oldest'),
        fc.constantFrom(1, 777, 3_600_000, 604_800_000),
        async (each, by, order, every) => {
          const count = await logs.countLogs(each);
          expect(count).toBe(await countLogs(stored, each));
          const first = await listed(logs, each, { order, limit: 20 });
          expect(first).toEqual(await findLogs(stored, each, { order, limit: 20 }));
          const last = first.at(-1);
          if (last) {
            const { time } = last.log;
            const after = { id: last.id, ...(time !== undefined && { time }) };
            expect(await listed(logs, each, { order, limit: 7, after })).toEqual(
              await findLogs(stored, each, { order, limit: 7, after }),
            );
          }
          expect(await logs.countBy(by, each, { limit: 10 })).toEqual(
            await countBy(stored, by, each, { limit: 10 }),
          );
          expect(await logs.timeSpan(each)).toEqual(await timeSpan(stored, each));
          const cursors = await logCursors(stored, each, { order, every: 7 });
          for (const page of new Set([1, cursors.length, 1 + cursors.length])) {
            const cursor = cursors[page - 1];
            expect(await cursorAt([logs], each, { order, number: 7 * page })).toEqual(
              cursor && { ...cursor, ofCase: 0 },
            );
          }
          expect(await logs.countByTime(each, { every, by })).toEqual(
            await countByTime(stored, each, { every, by }),
          );
        },
      ),
      { numRuns: rounds, seed },
    );
  });

  test('the severe logs of all values are those of a case', async () => {
    for (const field of logFields)
      expect([field, await logs.countSevereBy(field, { limit: 40 })]).toEqual([
        field,
        await countSevereBy(stored, field, { limit: 40 }),
      ]);
  });

  test(`context and relevance are those of a case (seed ${seed})`, async () => {
    await using folder = await temporaryFolder();
    const copies = async () => ({ folder: folder.path, mostLogs: 1_000 });
    const copied = clusterLogs(cluster, { copies });
    await fc.assert(
      fc.asyncProperty(
        filterOver(documentedSchema, { patterns: false }),
        fc.constantFrom<'newest' | 'oldest'>('newest', 'oldest'),
        fc.constantFrom(1, 2, 9),
        fc.constantFrom(1, 6, 25),
        async (each, order, around, limit) => {
          const options = { order, around, limit };
          const found = await collect(copied.streamContext(each, options));
          expect(found).toEqual(await collect(streamContext(stored, each, options)));
          const scored = { filter: each, boosts: new Map() };
          const best = await collect(bestOfCases([copied], scored, { limit }));
          const expected = await findBest(stored, scored, { limit });
          expect(best).toEqual(expected.map((log) => ({ ...log, ofCase: 0 })));
        },
      ),
      { numRuns: Math.max(5, rounds / 5), seed },
    );
  });

  test('a load counts from the moment it is listed, also for a query that was asked before', async () => {
    const asked: Filter = resolve(parse('NOT msg:nowhere').query);
    const everywhere = async (...statements: readonly string[]) => {
      for (const shard of shards) for (const each of statements) await shard.ask(each);
    };
    await everywhere(
      'CREATE TABLE random.listed AS random.loads_local',
      'INSERT INTO random.listed SELECT * FROM random.loads_local',
      'TRUNCATE TABLE random.loads_local',
    );
    expect(await logs.countLogs(asked)).toBe(0);
    expect(await listed(logs, asked)).toEqual([]);
    await everywhere('INSERT INTO random.loads_local SELECT * FROM random.listed');
    expect(await logs.countLogs(asked)).toBe(900);
    expect((await listed(logs, asked)).length).toBe(900);
    // The share of the server that is asked.
    expect(await logs.logsToRead(asked)).toBe(450);
  });

  test('one deployment is read alone', async () => {
    await push(stored, cluster, 'other');
    const of = (deployment: string) =>
      clusterLogs({ ...cluster, address: { ...cluster.address, deployment } }).countLogs({ kind: 'all' });
    expect([await of('test'), await of('other'), await of('none')]).toEqual([900, 900, 0]);
    expect(await logs.countLogs({ kind: 'all' })).toBe(1800);
  });

  test('a fuzzy term stands for the nearest terms of the deployment of the address', async () => {
    const near = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => [
      `${letter}ine`,
      `t${letter}ne`,
      `ti${letter}e`,
    ]);
    await using others = await openCase(':memory:', { access: 'write' });
    await addLogs(
      others,
      near.map((msg) => ({ msg })),
      { part: 'near' },
    );
    await using own = await openCase(':memory:', { access: 'write' });
    await addLogs(own, [{ msg: 'zzine' }, { msg: 'tinez' }], { part: 'own' });
    await using both = await openSpreadDatabase(shards, 'nearest');
    await push(others, both, 'others');
    await push(own, both, 'own');
    const { filter: fuzzy } = resolveScored(parse('msg:tine~2').query, { engine: engines.elasticsearch });
    const ofOwn = clusterLogs({ ...both, address: { ...both.address, deployment: 'own' } });
    expect([await ofOwn.countLogs(fuzzy), await countLogs(own, fuzzy)]).toEqual([2, 2]);
  });

  test('an end before the last log ends the query at the server', async () => {
    const running = async () =>
      Number(
        (
          await shards[0].ask(
            "SELECT count() FROM system.processes WHERE query LIKE '%numbers(1000)%' AND query NOT LIKE '%processes%'",
          )
        ).trim(),
      );
    // Rows that exceed the buffers, so that the first one arrives while others are to come.
    const slow = cluster.stream(
      'SELECT randomPrintableASCII(3000000), sleepEachRow(0.2) FROM numbers(1000) SETTINGS max_block_size = 1',
    );
    await slow.next();
    expect(await running()).toBe(1);
    await slow.return();
    await expect.poll(running, { timeout: 300_000 }).toBe(0);
    const abort = new AbortController();
    const waiting = cluster.query('SELECT sleepEachRow(0.5) FROM numbers(1000) SETTINGS max_block_size = 1', {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error('enough')), 500);
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(running, { timeout: 300_000 }).toBe(0);
  });
});

const search = v.object({
  id: v.number(),
  q: v.string(),
  ok: v.boolean(),
  hits: v.optional(v.array(v.number())),
});

test('the searches of the conformance suite have their answers', async () => {
  await using stored = await openCase(':memory:', { access: 'write' });
  await addFile(stored, fileURLToPath(new URL('../conformance/logs.ndjson', import.meta.url)));
  await using cluster = await openSpreadDatabase(shards, 'conformance');
  await push(stored, cluster);
  await expectSpread('conformance');
  const logs = clusterLogs(cluster);
  const all = ['searches-documented.ndjson', 'searches-lucene.ndjson'].flatMap((name) =>
    readAnswers(name, search).filter(({ ok }) => ok),
  );
  expect(all.length).toBeGreaterThan(1_000);
  const asked = [...sampled(all)];
  const askNext = async (): Promise<void> => {
    for (let next = asked.pop(); next; next = asked.pop()) {
      const { q, hits } = next;
      const found = await listed(logs, resolve(parse(q).query));
      expect([q, found.map(({ position }) => position - 1).sort((a, b) => a - b)]).toEqual([q, hits]);
    }
  };
  await Promise.all(Array.from({ length: 4 }, askNext));
});
