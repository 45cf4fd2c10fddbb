import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bestOfCases, cursorAt } from '../../src/analysis/several-cases.ts';
import { openCase } from '../../src/case/file/case.ts';
import { countByTime, timeSpan } from '../../src/case/searching/count-logs.ts';
import { countBy, countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { parseClusterAddress } from '../../src/cluster/address.ts';
import { clusterLogs } from '../../src/cluster/cluster-logs.ts';
import { type Cluster, openCluster } from '../../src/cluster/connection.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { type Ran, run } from '../cli/run-in-process.ts';
import { rounds } from '../effort.ts';
import { ask, serveFolder } from '../ui/serving.ts';
import { madeCase } from './pushed-case.ts';
import { clusterName, type Server, startShards } from './start-server.ts';

let shards: readonly [Server, Server];
let folder: string;
let path: string;
let address: string;
let cluster: Cluster;

const [parts, logs] = [6, 5_000];

beforeAll(async () => {
  shards = await startShards();
  folder = await mkdtemp(join(tmpdir(), 'cluster-shards-'));
  path = join(folder, 'incident.duckdb');
  await madeCase(path, parts, logs);
  for (const shard of [...shards].reverse()) {
    const { code, err } = await run(['cluster', 'init', shard.address('gis'), '--cluster', clusterName]);
    expect([code, err]).toEqual([0, expect.stringContaining('at each of its servers')]);
  }
  address = shards[0].address('gis');
  cluster = openCluster(parseClusterAddress(address));
});

// A server that ended by itself is awaited.
beforeEach(async () => {
  await ownEnds();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  for (const shard of shards) await shard[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('two shards answer like the case', async () => {
  expect((await run(['cluster', 'push', path, address])).code).toBe(0);
  await using stored = await openCase(path, { access: 'read' });
  for (const shard of shards)
    expect(Number(await shard.ask('SELECT count() FROM gis.log_rows_local'))).toBeGreaterThan(0);
  for (const shard of shards) {
    await using through = openCluster(parseClusterAddress(shard.address('gis')));
    const found = clusterLogs(through);
    for (const query of [
      '*:*',
      'msg:"timed out" AND logLevel:SEVERE',
      'stackTraces:d3',
      'NOT elapsed:[3 TO 9]',
      'msg:"request timed"~2',
      // All logs have both words, none as close.
      'NOT msg:"request out"~1',
    ]) {
      const filter = resolve(parse(query).query);
      expect(await found.countLogs(filter)).toBe(await countLogs(stored, filter));
      const listed = [];
      for await (const log of found.streamLogs(filter, { order: 'newest', limit: 50 })) listed.push(log);
      expect(listed).toEqual(await findLogs(stored, filter, { order: 'newest', limit: 50 }));
      expect(await found.countBy('logLevel', filter, { limit: 5 })).toEqual(
        await countBy(stored, 'logLevel', filter, { limit: 5 }),
      );
      expect(await found.timeSpan(filter)).toEqual(await timeSpan(stored, filter));
      const every = { every: 3_600_000 };
      expect(await found.countByTime(filter, every)).toEqual(await countByTime(stored, filter, every));
    }
  }
});

/** Logs of a large database: of one deployment on each of its days, and a fifth as many of another one. */
const [largeDays, logsOfDay] = [50, 10_000];

/** Makes a database whose logs no case has, with the records of two loads. */
async function makeLarge(): Promise<Cluster> {
  for (const shard of shards)
    expect((await run(['cluster', 'init', shard.address('large'), '--cluster', clusterName])).code).toBe(0);
  const [ask] = shards.map((shard) => shard.ask);
  const day = 19_676;
  let first = 1;
  for (const [deployment, every] of [
    ['prod', 1],
    ['test', 5],
  ] as const) {
    const [load, logs] = [randomUUID(), logsOfDay / every];
    const time = `${day * 86_400_000} + number * ${86_400_000 / logs}`;
    const rare = deployment === 'prod' ? `number BETWEEN 400000 AND 400010` : 'false';
    const words = `concat('word', toString(number % 5000), ' request timed out', if(${rare}, ' rare', ''))`;
    const request = "concat('r', toString(intDiv(number, 3)))";
    const values = [
      ...[
        `'${deployment}'`,
        `'${load}'`,
        `number + ${first}`,
        '1',
        "'entry'",
        'number + 1',
        `toInt64(${time})`,
      ],
      ...[words, `splitByChar(' ', ${words})`, request, `[${request}]`, "'a/b'", "['a', 'b']"],
      ...["if(number % 9 = 0, 'SEVERE', 'INFO')", "[if(number % 9 = 0, 'severe', 'info')]", 'number % 7'],
    ];
    const columns =
      'deployment, load, id, part, entry, position, time, msg, msg_tokens, requestID, requestID_tokens, source, source_tokens, logLevel, logLevel_tokens, logCode';
    await ask?.(
      `INSERT INTO large.log_rows (${columns}) SELECT ${values.join(', ')} FROM numbers(${largeDays * logs}) SETTINGS distributed_foreground_insert = 1`,
    );
    const days = `CAST((range(${day}, ${day + largeDays}), arrayMap(each -> ${logs}, range(${largeDays}))), 'Map(Int64, Int64)')`;
    await ask?.(
      `INSERT INTO large.loads (load, deployment, part_key, part, logs, days, place) SELECT '${load}', '${deployment}', 'key', 1, ${largeDays * logs}, ${days}, arrayJoin([0, 1]) SETTINGS distributed_foreground_insert = 1`,
    );
    first += largeDays * logs;
  }
  return openCluster(parseClusterAddress(shards[0].address('large')));
}

test('a question reads the logs that it needs, and shards send what is left of them', async () => {
  await using large = await makeLarge();
  const found = clusterLogs(large);
  const ofTest = clusterLogs({ ...large, address: { ...large.address, deployment: 'test' } });
  const all = 1.2 * largeDays * logsOfDay;
  const query = (text: string) => resolve(parse(text).query);
  const newest = (text: string, limit = 20) =>
    listOf(found.streamLogs(query(text), { order: 'newest', limit }));
  const sql = (text: string) => listOf(found.runSql(text, { limit: 100 }));
  const best = (text: string) => {
    const scored = resolveScored(parse(text).query);
    return listOf(bestOfCases([found], scored, { limit: 10 }));
  };
  const questions: readonly (readonly [string, rows: number, bytes: number, () => Promise<unknown>])[] = [
    ['a word without a log', 5_000, 100_000, () => found.countLogs(query('msg:nowhere'))],
    ['the same word in all fields', 5_000, 100_000, () => found.countLogs(query('nowhere'))],
    ['a rare word', 30_000, 100_000, () => found.countLogs(query('rare'))],
    ['a phrase with it', 30_000, 100_000, () => found.countLogs(query('"out rare"'))],
    ['all logs', all + 5_000, 100_000, () => found.countLogs(query('*:*'))],
    [
      'a day',
      20_000,
      100_000,
      () => found.countLogs(query('time:[2023-11-20T00:00:00Z TO 2023-11-20T23:59:59Z]')),
    ],
    ['a deployment', all / 6 + 5_000, 100_000, () => ofTest.countLogs(query('msg:word7'))],
    [
      'a phrase with a distance',
      all + 5_000,
      100_000,
      () => found.countLogs(query('NOT msg:"request out"~1')),
    ],
    ['the times', all + 5_000, 100_000, () => found.timeSpan(query('NOT msg:nowhere'))],
    ['top values', all + 5_000, 100_000, () => found.countBy('logLevel', query('*:*'), { limit: 5 })],
    ['a histogram', all + 5_000, 100_000, () => found.countByTime(query('*:*'), { every: 86_400_000 })],
    ['the newest', 90_000, 100_000, () => newest('*:*')],
    ['the newest of a frequent word', 90_000, 100_000, () => newest('request')],
    ['the newest of a rare word', 60_000, 150_000, () => newest('rare')],
    ['a log by its number', 30_000, 100_000, () => found.readLog(300_000)],
    ['the logs of a request', 30_000, 100_000, () => newest('requestID:r99999', Number.POSITIVE_INFINITY)],
    [
      'context',
      300_000,
      300_000,
      () => listOf(found.streamContext(query('rare'), { order: 'newest', limit: 1, around: 3 })),
    ],
    [
      'a page far behind',
      all + 100_000,
      100_000,
      () => cursorAt([found], query('*:*'), { order: 'newest', number: 200_000 }),
    ],
    // Once for the statistics, once for the kinds, and for the logs of two scores.
    ['the best of frequent words', 4 * all + 10_000, 200_000, () => best('word7 OR severe')],
    ['the best of rare words', 2 * all, 200_000, () => best('msg:rare')],
    ['groups in SQL', all + 5_000, 60_000, () => sql('SELECT source, count() FROM logs GROUP BY source')],
    ['a condition in SQL', all + 5_000, 60_000, () => sql("SELECT id FROM logs WHERE msg LIKE '%nowhere%'")],
    [
      'a condition with its own query',
      60_000,
      60_000,
      () => sql("SELECT id FROM logs WHERE matches('msg:rare')"),
    ],
  ];
  const beyond: unknown[] = [];
  for (const [name, mostRows, mostBytes, ask] of questions) {
    const before = [await readByShards(), await sentByShards()] as const;
    await ask();
    const [rows, bytes] = [(await readByShards()) - before[0], (await sentByShards()) - before[1]];
    if (mostRows < rows || mostBytes < bytes) beyond.push({ name, rows, mostRows, bytes, mostBytes });
  }
  expect(beyond).toEqual([]);
});

/** The rows that queries to the first shard have read so far, at all shards. */
async function readByShards(): Promise<number> {
  return Number(await shards[0].ask("SELECT sum(value) FROM system.events WHERE event = 'SelectedRows'"));
}

async function listOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The bytes that the servers sent so far to each other and to clients. */
async function sentByShards(): Promise<number> {
  const sent = await Promise.all(
    shards.map((shard) => shard.ask("SELECT sum(value) FROM system.events WHERE event = 'NetworkSendBytes'")),
  );
  return sent.reduce((sum, text) => sum + Number(text), 0);
}

test('two shards answer the commands like the case', async () => {
  for (const words of [
    ['search', 'msg:timed OR SEVERE', '--best', '--ndjson', '--limit', '9'],
    ['search', 'logLevel:SEVERE', '--context', '1', '--json', '--limit', '3'],
    ['patterns', '--json', '--search', 'logLevel:SEVERE'],
    ['sql', "SELECT count(*) AS n FROM logs WHERE matches('logLevel:SEVERE')", '--csv'],
    ['sql', "SELECT count(*) AS n FROM (SELECT * FROM logs) AS l WHERE matches('SEVERE', l.id)", '--csv'],
    ['sql', 'SELECT count(*) AS n FROM logs WHERE elapsed IN (SELECT max(elapsed) FROM logs)', '--csv'],
    ['sql', 'SELECT count(*) AS n FROM logs AS a JOIN logs AS b ON a.id = b.id', '--csv'],
  ]) {
    const [command = '', ...rest] = words;
    const isQueried = command === 'search' || command === 'sql';
    const asked = (source: string) =>
      isQueried ? [command, rest[0] ?? '', source, ...rest.slice(1)] : [command, source, ...rest];
    const ofCluster = await run(asked(`${address}?deployment=default`));
    expect(ofCluster).toEqual(await run(asked(path)));
    expect(ofCluster.code).toBe(0);
  }
  const { out } = await run(['sql', 'SELECT count() FROM logs', `${address}?deployment=none`, '--csv']);
  expect(out).toBe('count()\n0\n');
});

const counted = async () =>
  (await cluster.query('SELECT count(), uniqExact(deployment, msg) FROM gis.logs'))[0]?.map(Number);

test('without a shard an answer is a failure that names it, never a smaller number', async () => {
  const [first, second] = shards;
  await second.kill();
  try {
    for (const words of [
      ['search', 'msg:request', address, '--count'],
      ['search', 'msg:request', address, '--limit', '3'],
      ['histogram', address],
      ['top', 'logCode', address],
      ['cluster', 'status', address],
    ]) {
      const { code, out, err } = await run(words);
      expect([words, code, out]).toEqual([words, 3, '']);
      expect(err).toContain('[CLUSTER_UNREACHABLE]');
      expect(err).toContain(`127.0.0.1:${second.nativePort}`);
    }
    // Another deployment cannot be added either, and what was sent of it counts nowhere.
    expect((await run(['cluster', 'push', path, `${address}?deployment=other`])).code).toBe(3);
  } finally {
    await second.restart();
  }
  await expect.poll(counted, { timeout: 300_000 }).toEqual([parts * logs, parts * logs]);
  expect(await first.ask('SELECT uniqExact(deployment) FROM gis.loads')).toBe('1\n');
});

test('the available shards answer if the address asks for them, and the rest is named', async () => {
  const available = `${address}?shards=available`;
  const asked = [
    ['search', 'msg:request', available, '--count'],
    ['search', 'msg:request', available, '--limit', '3', '--ndjson'],
    ['histogram', available, '--json'],
    ['top', 'logCode', available, '--json'],
    ['sql', 'SELECT count() FROM logs', available, '--csv'],
    ['trace', 'none-has-this', available],
  ];
  const whole = await Promise.all(asked.map((words) => run(words)));
  for (const { code, err } of whole.slice(0, 5))
    expect([code, err]).toEqual([0, expect.not.stringContaining('shard')]);
  for (const [index, missing] of shards.entries()) {
    const living = shards[1 - index] ?? shards[0];
    const through = (words: readonly string[]) =>
      words.map((word) => word.replace(address, living.address('gis')));
    const loads = await living.ask(
      "SELECT groupArray(load) FROM gis.loads_local WHERE deployment = 'default'",
    );
    const rows = await living.ask(
      `SELECT count() FROM gis.log_rows_local WHERE load IN (${loads.trim().slice(1, -1).replaceAll("\\'", "'") || 'NULL'})`,
    );
    await missing.kill();
    try {
      for (const words of asked) {
        const { code, err } = await run(through(words));
        expect([words, code]).toEqual([words, 4]);
        expect(err.match(/warning: No answer from/g)).toHaveLength(1);
        expect(err).toContain(`shard ${index + 1} (127.0.0.1:${missing.nativePort})`);
      }
      await using page = await serveFolder({ folder, given: through([available]) });
      const { names, remarks } = await ask(page, 'about', {});
      expect([names, remarks]).toEqual([['gis'], [expect.stringContaining(`shard ${index + 1} (`)]]);
      const { out } = await run(through(['sql', 'SELECT count() FROM logs', available, '--csv']));
      expect(out).toBe(`count()\n${rows}`);
      expect(Number(rows)).toBeLessThan(parts * logs);
      expect(Number(rows)).toBeGreaterThan(0);
      for (const words of [
        ['verify', available],
        ['cluster', 'status', available],
        ['cluster', 'push', path, `${available}&deployment=other`],
      ])
        expect([words, (await run(through(words))).code]).toEqual([words, 3]);
      const handed = await run(
        through(['hand-over', 'msg:request', available, '--out', join(folder, 'handed')]),
      );
      expect([handed.code, handed.err]).toEqual([2, expect.stringContaining('all shards')]);
    } finally {
      await missing.restart();
    }
    await expect.poll(counted, { timeout: 300_000 }).toEqual([parts * logs, parts * logs]);
  }
});

test('a shard that hangs is missing as one that ended', async () => {
  const [, second] = shards;
  second.pause();
  try {
    const { code, err } = await run(['search', 'msg:request', address, '--count']);
    expect([code, err]).toEqual([3, expect.stringContaining(`127.0.0.1:${second.nativePort}`)]);
    const rest = await run(['search', 'msg:request', `${address}?shards=available`, '--count']);
    expect([rest.code, rest.err]).toEqual([4, expect.stringContaining('shard 2 (')]);
    expect(Number(rest.out.replaceAll(/\D/g, ''))).toBeGreaterThan(0);
  } finally {
    second.goOn();
  }
  await expect.poll(counted, { timeout: 300_000 }).toEqual([parts * logs, parts * logs]);
});

const ownEnds = () => Promise.all(shards.map((shard) => shard.ownEnds()));

/** Pushes the case, and repeats that only if a server ended by itself meanwhile. */
async function pushed(target: string): Promise<Ran> {
  for (;;) {
    const before = await ownEnds();
    const ran = await run(['cluster', 'push', path, target]);
    if (ran.code === 0 || String(before) === String(await ownEnds())) return ran;
  }
}

test('a shard that is killed while logs arrive has each once in the end', async () => {
  const deployments: string[] = [];
  for (let kill = 0; kill < rounds(20, 3); kill += 1) {
    const target = `${address}?deployment=killed-${kill % 4}`;
    deployments.push(target);
    const pushing = run(['cluster', 'push', path, target]);
    await wait(100 + 1_000 * Math.random());
    const shard = shards[kill % 2] ?? shards[0];
    await shard.kill();
    await wait(50);
    await shard.restart();
    await pushing;
  }
  const targets = [...new Set(deployments)];
  for (const target of targets) expect((await pushed(target)).code).toBe(0);
  const all = (1 + targets.length) * parts * logs;
  expect(await counted()).toEqual([all, all]);
  const { code, out } = await run(['cluster', 'status', address, '--json']);
  expect([code, JSON.parse(out).deviations]).toEqual([0, []]);
});

test('rows of dead loads are deleted at each server, and those that count stay', async () => {
  const dead = '11111111-1111-4111-8111-111111111111';
  for (const shard of shards)
    await shard.ask(
      `INSERT INTO gis.log_rows_local (deployment, load, id, msg, added) SELECT 'x', '${dead}', number, 'dead', now() - 7200 FROM numbers(10)`,
    );
  const before = await counted();
  for (const shard of shards)
    expect((await run(['cluster', 'status', shard.address('gis'), '--clean'])).code).toBe(0);
  for (const shard of shards)
    expect(await shard.ask(`SELECT count() FROM gis.log_rows_local WHERE load = '${dead}'`)).toBe('0\n');
  expect(await counted()).toEqual(before);
  expect((await run(['cluster', 'status', address])).code).toBe(0);
});

test('--keep reaches the tables of a cluster that it is not named for', async () => {
  expect((await run(['cluster', 'init', address, '--keep', '36500d'])).code).toBe(0);
  expect(await shards[0].ask('SHOW CREATE TABLE gis.log_rows_local')).toContain('toIntervalDay(36500)');
  const other = await run(['cluster', 'init', address, '--cluster', 'elsewhere']);
  expect(other.code).toBe(3);
  expect(other.err).toContain('has tables on the cluster "logs"');
});
