import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { clusterStatus } from '../../src/cluster/cluster-status.ts';
import type { Cluster } from '../../src/cluster/connection.ts';
import { cleanLoads } from '../../src/cluster/push-case.ts';
import { createRandom } from '../../src/emulator/incident/random.ts';
import { run } from '../cli/run-in-process.ts';
import { rounds } from '../effort.ts';
import { runSeed } from '../run-seed.ts';
import { madeCase, openDatabase, push } from './pushed-case.ts';
import { type Server, startServer } from './start-server.ts';

let server: Server;
let folder: string;
let path: string;

/** Parts of the case, and logs of each. */
const [parts, logs] = [6, 2_000];

/** Moments at which a push is killed. */
const random = createRandom(runSeed);

beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'cluster-push-'));
  path = join(folder, 'large.duckdb');
  await madeCase(path, parts, logs);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('a case is there as it is, and once, however often it is sent', async () => {
  await using cluster = await openDatabase(server.address('once'));
  await using from = await openCase(path, { access: 'read' });
  expect(await push(from, cluster)).toEqual({ parts, logs: parts * logs, present: 0 });
  expect(await push(from, cluster)).toEqual({ parts: 0, logs: 0, present: parts });
  const [row] = await cluster.query(
    'SELECT count(), uniqExact(id), min(id), max(id), uniqExact(part), count(time) FROM once.logs',
  );
  expect(row?.map(Number)).toEqual([parts * logs, parts * logs, 1, parts * logs, parts, parts * (logs - 1)]);
  // As another deployment it is there again, under other numbers.
  expect(await push(from, cluster, 'other')).toMatchObject({ parts, present: 0 });
  const [both] = await cluster.query('SELECT count(), uniqExact(id), uniqExact(part) FROM once.logs');
  expect(both?.map(Number)).toEqual([2 * parts * logs, 2 * parts * logs, 2 * parts]);
});

test('writers side by side add each part once', async () => {
  await using cluster = await openDatabase(server.address('beside'));
  await using from = await openCase(path, { access: 'read' });
  await Promise.all([push(from, cluster), push(from, cluster), push(from, cluster)]);
  const [row] = await cluster.query('SELECT count(), uniqExact(msg), uniqExact(id) FROM beside.logs');
  expect(row?.map(Number)).toEqual([parts * logs, parts * logs, parts * logs]);
  const status = await clusterStatus(cluster);
  expect(status.deviations).toEqual([]);
  expect(status.deployments).toMatchObject([{ deployment: 'test', parts, logs: parts * logs }]);
});

/** Runs a push as a process, which ends by itself or is killed after some milliseconds. */
async function pushAsProcess(address: string, killAfter = Number.POSITIVE_INFINITY): Promise<void> {
  const child = spawn('node', ['dist/bin/logquarry.js', 'cluster', 'push', path, address], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  if (Number.isFinite(killAfter)) await Promise.race([ended, wait(killAfter)]);
  else await ended;
  child.kill('SIGKILL');
  await ended;
}

test('a killed writer leaves nothing that counts, and the next one goes on', async () => {
  const address = server.address('killed');
  await using cluster = await openDatabase(address);
  const counted = async () =>
    (
      await cluster.query(
        'SELECT count(), uniqExact(deployment, msg), uniqExact(deployment) FROM killed.logs',
      )
    )[0]?.map(Number) ?? [];
  const begun = performance.now();
  await pushAsProcess(`${address}?deployment=whole`);
  const duration = performance.now() - begun;
  const seen = new Set<number>();
  const deployments = new Set<string>();
  for (let kill = 0; kill < rounds(20, 5); kill += 1) {
    const target = `${address}?deployment=d${kill % 4}`;
    deployments.add(target);
    await pushAsProcess(target, duration * (0.3 + 0.7 * random.next()));
    const [count = 0, distinct] = await counted();
    // Whole parts only, and none of them twice.
    expect(count % logs).toBe(0);
    expect(distinct).toBe(count);
    seen.add(count);
  }
  for (const target of deployments) expect((await run(['cluster', 'push', path, target])).code).toBe(0);
  const all = (1 + deployments.size) * parts * logs;
  expect(await counted()).toEqual([all, all, 1 + deployments.size]);
  expect(seen.size).toBeGreaterThan(1);
  // Rows that the killed writers left are deleted once they are old enough, and count nowhere before.
  const { unfinishedRows } = await clusterStatus(cluster);
  await cleanLoads(cluster, { idle: 0 });
  expect(await clusterStatus(cluster)).toMatchObject({ unfinishedRows: 0, deviations: [] });
  expect(await counted()).toEqual([all, all, 1 + deployments.size]);
  expect(unfinishedRows).toBeGreaterThanOrEqual(0);
});

test('a load that was given up while its writer paused is repeated', async () => {
  await using cluster = await openDatabase(server.address('paused'));
  await using from = await openCase(path, { access: 'read' });
  let isCleaned = false;
  // Between the last row and the row that makes the load count, another program gives it up.
  const paused: Cluster = {
    ...cluster,
    command: async (sql, options) => {
      if (!isCleaned && sql.includes('.loads (')) {
        isCleaned = true;
        expect((await cleanLoads(cluster, { idle: 0 })).loads).toBe(1);
      }
      await cluster.command(sql, options);
    },
  };
  expect(await push(from, paused)).toMatchObject({ parts });
  const [row] = await cluster.query('SELECT count(), uniqExact(msg) FROM paused.logs');
  expect(row?.map(Number)).toEqual([parts * logs, parts * logs]);
  expect((await clusterStatus(cluster)).deviations).toEqual([]);
});

test('a server that is killed while logs arrive has each once in the end', async () => {
  const address = server.address('crash');
  await (await openDatabase(address))[Symbol.asyncDispose]();
  for (let kill = 0; kill < rounds(20, 4); kill += 1) {
    const pushed = run(['cluster', 'push', path, address]);
    await wait(100 + 1500 * random.next());
    await server.kill();
    await wait(100);
    await server.restart();
    // A push that was cut goes on by itself, or fails and is repeated.
    await pushed;
  }
  expect((await run(['cluster', 'push', path, address])).code).toBe(0);
  await using cluster = await openDatabase(address);
  const [row] = await cluster.query('SELECT count(), uniqExact(msg) FROM crash.logs');
  expect(row?.map(Number)).toEqual([parts * logs, parts * logs]);
  expect((await clusterStatus(cluster)).deviations).toEqual([]);
});

test('rows that are lost are found', async () => {
  await using cluster = await openDatabase(server.address('lost'));
  await using from = await openCase(path, { access: 'read' });
  await push(from, cluster);
  await cluster.command(
    "ALTER TABLE lost.log_rows DELETE WHERE msg = 'Request 2 7 timed out' SETTINGS mutations_sync = 1",
  );
  const { deviations } = await clusterStatus(cluster);
  expect(deviations).toMatchObject([{ part: 3, loaded: logs, lost: 1 }]);
  const { code, out } = await run(['cluster', 'status', server.address('lost')]);
  expect(code).toBe(1);
  expect(out).toContain('lacks 1 of 2,000 logs');
});
