import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClusterLogs, clusterLogs } from '../../src/cluster/cluster-logs.ts';
import type { Cluster } from '../../src/cluster/connection.ts';
import { parse } from '../../src/language/parse.ts';
import type { Filter } from '../../src/meaning/filter.ts';
import { resolve } from '../../src/meaning/resolve.ts';
import { type LogField, logFields } from '../../src/records/log.ts';
import {
  addFile,
  addLogs,
  type Case,
  countBy,
  countByTime,
  countLogs,
  findLogs,
  openCase,
  type StoredLog,
  type StreamOptions,
  timeSpan,
} from '../../src/store/index.ts';
import { readAnswers } from '../conformance/ndjson.ts';
import { seed } from '../live/settings.ts';
import { filter, filterOver, keywordSchema, log } from '../property/filters.ts';
import { openDatabase, push } from './pushed-case.ts';
import { type Server, startServer } from './start-server.ts';

const rounds = Number(process.env.LIVE_RUNS ?? 100);

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function listed(logs: ClusterLogs, asked: Filter, options?: StreamOptions) {
  const found: StoredLog[] = [];
  for await (const each of logs.streamLogs(asked, options)) found.push(each);
  return found;
}

describe('random logs', () => {
  let stored: Case;
  let cluster: Cluster;
  let logs: ClusterLogs;

  beforeAll(async () => {
    stored = await openCase(':memory:', { access: 'write' });
    const drawn = fc.sample(log, { seed, numRuns: 900 });
    // Logs of one time in several parts: their ids order them.
    for (let part = 0; part < 3; part += 1)
      await addLogs(stored, drawn.slice(300 * part, 300 * (part + 1)), { part: `part ${part}` });
    cluster = await openDatabase(server.address('random'));
    await push(stored, cluster);
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
    ],
  );
  const asked = fc.oneof(
    { arbitrary: filter, weight: 4 },
    { arbitrary: filterOver(keywordSchema, { patterns: true }), weight: 2 },
    { arbitrary: hard.map((text) => resolve(parse(text).query)), weight: 1 },
  );

  test(`a cluster answers like a case (seed ${seed})`, async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.constantFrom<LogField>(...logFields),
        fc.constantFrom<'newest' | 'oldest'>('newest', 'oldest'),
        fc.constantFrom(1, 777, 3_600_000, 604_800_000),
        async (each, by, order, every) => {
          const count = await logs.countLogs(each).catch((error) => {
            // A phrase with a slop that has a word twice has no exact condition, and nothing else.
            if (error.code !== 'CLUSTER_INEXACT' || !error.message.includes('phrase')) throw error;
            refused += 1;
          });
          if (count === undefined) return;
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
          expect(await logs.countBy(by, each, 10)).toEqual(await countBy(stored, by, each, { limit: 10 }));
          expect(await logs.timeSpan(each)).toEqual(await timeSpan(stored, each));
          expect(await logs.countByTime(each, { every, by })).toEqual(
            await countByTime(stored, each, { every, by }),
          );
        },
      ),
      { numRuns: rounds, seed },
    );
    expect(refused).toBeLessThan(5 + rounds / 10);
  });

  test('a load counts from the moment it is listed, also for a query that was asked before', async () => {
    const asked: Filter = resolve(parse('NOT msg:nowhere').query);
    await server.ask('CREATE TABLE random.listed AS random.loads');
    await server.ask('INSERT INTO random.listed SELECT * FROM random.loads');
    await server.ask('TRUNCATE TABLE random.loads');
    expect(await logs.countLogs(asked)).toBe(0);
    expect(await listed(logs, asked)).toEqual([]);
    await server.ask('INSERT INTO random.loads SELECT * FROM random.listed');
    expect(await logs.countLogs(asked)).toBe(900);
    expect((await listed(logs, asked)).length).toBe(900);
    expect(await logs.logsToRead(asked)).toBe(900);
  });

  test('one deployment is read alone', async () => {
    await push(stored, cluster, 'other');
    const of = (deployment: string) =>
      clusterLogs({ ...cluster, address: { ...cluster.address, deployment } }).countLogs({ kind: 'all' });
    expect([await of('test'), await of('other'), await of('none')]).toEqual([900, 900, 0]);
    expect(await logs.countLogs({ kind: 'all' })).toBe(1800);
  });

  test('an end before the last log ends the query at the server', async () => {
    const running = async () =>
      Number(
        (
          await server.ask(
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
    await expect.poll(running, { timeout: 10_000 }).toBe(0);
    const abort = new AbortController();
    const waiting = cluster.query('SELECT sleepEachRow(0.5) FROM numbers(1000) SETTINGS max_block_size = 1', {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error('enough')), 500);
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(running, { timeout: 10_000 }).toBe(0);
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
  await using cluster = await openDatabase(server.address('conformance'));
  await push(stored, cluster);
  const logs = clusterLogs(cluster);
  const refused: string[] = [];
  let asked = 0;
  for (const name of ['searches-documented.ndjson', 'searches-lucene.ndjson'])
    for (const { q, ok, hits } of readAnswers(name, search)) {
      if (!ok || rounds < asked++) continue;
      const found = await listed(logs, resolve(parse(q).query)).catch((error) => {
        if (error.code !== 'CLUSTER_INEXACT') throw error;
        refused.push(q);
      });
      if (found)
        expect([q, found.map(({ position }) => position - 1).sort((a, b) => a - b)]).toEqual([q, hits]);
    }
  for (const q of refused) expect(q).toMatch(/~\d/);
});
