import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterStatus } from '../../src/cluster/cluster-status.ts';
import { addLogs, openCase } from '../../src/store/index.ts';
import { run } from '../cli/run-in-process.ts';
import { openDatabase, push } from './pushed-case.ts';
import { type Server, startServer } from './start-server.ts';

let server: Server;
let folder: string;
let path: string;

/** Parts of the case, and logs of each. */
const [parts, logs] = [12, 8_000];

beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'cluster-push-'));
  path = join(folder, 'large.duckdb');
  await using made = await openCase(path, { access: 'write', create: true });
  for (let part = 0; part < parts; part += 1) await addLogs(made, someLogs(part), { part: `part ${part}` });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const someLogs = (part: number) =>
  Array.from({ length: logs }, (_, index) => ({
    time: 1_700_000_000_000 + 7 * (part * logs + index),
    msg: `Request ${part} ${index} timed out`,
    logCode: 9003,
  }));

test('a case is there as it is, and once, however often it is sent', async () => {
  await using cluster = await openDatabase(server.address('once'));
  await using from = await openCase(path, { access: 'read' });
  expect(await push(from, cluster)).toEqual({ parts, logs: parts * logs, present: 0 });
  expect(await push(from, cluster)).toEqual({ parts: 0, logs: 0, present: parts });
  const [row] = await cluster.query(
    'SELECT count(), uniqExact(id), min(id), max(id), uniqExact(part), count(time) FROM once.logs',
  );
  expect(row?.map(Number)).toEqual([parts * logs, parts * logs, 1, parts * logs, parts, parts * logs]);
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

test('a killed writer leaves nothing that counts, and the next one goes on', async () => {
  const address = server.address('killed');
  await using cluster = await openDatabase(address);
  const seen = new Set<number>();
  const parted = async () => Number((await cluster.query('SELECT count() FROM killed.loads'))[0]?.[0]);
  for (let kill = 0; kill < 8; kill += 1) {
    const before = await parted();
    const child = spawn('node', ['dist/bin/logquarry.js', 'cluster', 'push', path, address], {
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    // At some moment after a part came, which a slow machine only delays.
    while (child.exitCode === null && (await parted()) === before) await wait(10);
    await Promise.race([ended, wait(60 * kill)]);
    child.kill('SIGKILL');
    await ended;
    const [row] = await cluster.query('SELECT count(), uniqExact(msg) FROM killed.logs');
    const [count = 0, distinct] = (row ?? []).map(Number);
    // Whole parts only, and none of them twice.
    expect(count % logs).toBe(0);
    expect(distinct).toBe(count);
    seen.add(count / logs);
  }
  expect((await run(['cluster', 'push', path, address])).code).toBe(0);
  const [row] = await cluster.query('SELECT count(), uniqExact(msg) FROM killed.logs');
  expect(row?.map(Number)).toEqual([parts * logs, parts * logs]);
  expect(seen.size).toBeGreaterThan(1);
});

test('a server that is killed while logs arrive has each once in the end', async () => {
  const address = server.address('crash');
  await (await openDatabase(address))[Symbol.asyncDispose]();
  for (let kill = 0; kill < 6; kill += 1) {
    const pushed = run(['cluster', 'push', path, address]);
    await wait(200 + 250 * kill);
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
  expect(out).toContain('lacks 1 of 8,000 logs');
});
