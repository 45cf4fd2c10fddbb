import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleStatements } from '../../src/cluster/schema.ts';
import { run } from '../cli/run-in-process.ts';
import { type Running, runDeployment } from '../e2e/deployment.ts';
import { type Server, startServer } from './start-server.ts';

let server: Server;
let deployment: Running;
let folder: string;
let address: string;

/** Users with the grants of the roles that `cluster init --print` prints for the database "gis". */
const users = ['reader', 'writer'].map((name) => {
  const grants = roleStatements('gis')
    .filter((each) => each.startsWith('GRANT') && each.endsWith(`_${name}\``))
    .map((each) => `<query>${each.replace(/ TO .*/, '')}</query>`);
  expect(grants).toHaveLength(1);
  return `<${name}><password>s3cret</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota><grants>${grants.join('')}</grants></${name}>`;
});

const as = (user: string) => ({ LOGQUARRY_CLUSTER_USER: user, LOGQUARRY_CLUSTER_PASSWORD: 's3cret' });

beforeAll(async () => {
  server = await startServer({ users: users.join('') });
  deployment = await runDeployment({ pace: { queued: 0, running: 0, perLog: 0 } });
  folder = await mkdtemp(join(tmpdir(), 'cluster-export-'));
  address = server.address('gis');
  expect((await run(['cluster', 'init', address])).code).toBe(0);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const count = async () => Number(await server.ask('SELECT count() FROM gis.logs'));

test('an export into a cluster goes on where it ended, and is intact there', async () => {
  const originals = join(folder, 'originals');
  const environment = { ...deployment.environment, ...as('writer') };
  const into = ['--into', address, '--originals', originals];
  const first = await run(['export', ...into, '--to', '2025-03-11T12:00:00Z'], { environment });
  expect([first.code, first.err]).toEqual([0, expect.stringContaining('as the deployment "default"')]);
  const some = await count();
  expect(some).toBeGreaterThan(0);
  expect((await run(['export', ...into], { environment })).code).toBe(0);
  // As many as its case has.
  const all = await count();
  const path = join(originals, 'export-default.duckdb');
  expect(await run(['search', '*:*', path, '--count'])).toMatchObject({ code: 0, out: `${all}\n` });
  expect(some).toBeLessThan(all);
  const news = await run(['export', '--since-last', address, '--originals', originals], { environment });
  expect(news.code).toBe(0);
  expect(await count()).toBeGreaterThanOrEqual(all);
  const verified = await run(['verify', address, '--json'], { environment: as('reader') });
  expect([verified.code, JSON.parse(verified.out)]).toMatchObject([0, { deviations: [] }]);
});

test('the times that exports requested are those of the case, joined for several cases', async () => {
  const path = join(folder, 'originals', 'export-default.duckdb');
  const environment = { ...deployment.environment, ...as('reader') };
  for (const words of [
    ['coverage', 'SOURCE', '--json'],
    ['coverage', 'SOURCE'],
    ['gaps', 'SOURCE', '--json'],
    ['histogram', 'SOURCE', '--every', '1h'],
    ['overview', 'SOURCE', '--json'],
    ['investigate', 'SOURCE', '--json'],
  ]) {
    const ask = async (source: string) => {
      const { code, out } = await run(
        words.map((word) => (word === 'SOURCE' ? source : word)),
        { environment },
      );
      const unnamed = [source, 'export-default.duckdb', '"gis"'].reduce(
        (text, name) => text.replaceAll(name, 'SOURCE'),
        out,
      );
      return { code, out: unnamed.replaceAll('"SOURCE"', 'SOURCE').replaceAll("'SOURCE'", 'SOURCE') };
    };
    expect([words, await ask(address)]).toEqual([words, await ask(path)]);
  }
  // Another case of the same deployment adds its times: both are complete in one of them.
  const second = ['--into', `${address}?deployment=default`, '--originals', join(folder, 'second')];
  const later = ['--from', '2025-03-12T23:00:00Z', '--to', '2025-03-13T12:00:00Z'];
  const both = { ...deployment.environment, ...as('writer') };
  expect((await run(['export', ...second, ...later], { environment: both })).code).toBe(0);
  const { out } = await run(['coverage', address, '--json'], { environment });
  const joined = JSON.parse(out);
  expect(joined).toHaveLength(1);
  expect(joined[0].covered).toMatchObject([{ state: 'complete' }]);
  // Pushed again, nothing is recorded anew.
  const rows = await server.ask('SELECT count() FROM gis.coverages');
  expect(await server.ask('SELECT uniqExact(source) FROM gis.coverages')).toBe('2\n');
  expect((await run(['cluster', 'push', path, address], { environment: both })).code).toBe(0);
  expect(await server.ask('SELECT count() FROM gis.coverages')).toBe(rows);
});

test('a cluster that cannot be written is refused before the deployment is asked', async () => {
  const environment = { ...deployment.environment, ...as('writer') };
  const { code, err } = await run(['export', '--into', server.address('absent')], { environment });
  expect([code, err]).toEqual([3, expect.stringContaining('CLUSTER_')]);
  const local = await run(['import', 'samples/incident.ndjson', '--into', 'x.duckdb', '--originals', folder]);
  expect([local.code, local.err]).toEqual([2, expect.stringContaining('--originals requires the address')]);
});

test('a writer adds and cleans, and may do nothing else', async () => {
  const file = join(folder, 'one.ndjson');
  await writeFile(file, '{"time":1,"msg":"one"}\n');
  const environment = as('writer');
  const words = ['import', file, '--into', `${address}?deployment=w`, '--originals', join(folder, 'w')];
  expect((await run(words, { environment })).code).toBe(0);
  await server.ask(
    "INSERT INTO gis.log_rows (deployment, load, id, msg, added) SELECT 'x', generateUUIDv4(), 1, 'dead', now() - 7200",
  );
  const cleaned = await run(['cluster', 'status', address, '--clean'], { environment });
  expect([cleaned.code, cleaned.err]).toEqual([0, '']);
  expect(await server.ask("SELECT count() FROM gis.log_rows WHERE msg = 'dead'")).toBe('0\n');
  for (const sql of [
    'DROP TABLE gis.log_rows',
    'TRUNCATE TABLE gis.loads',
    'CREATE TABLE gis.x (a Int8) ENGINE = Memory',
  ]) {
    const response = await fetch(`http://127.0.0.1:${server.port}/`, {
      method: 'POST',
      body: sql,
      headers: { 'X-ClickHouse-User': 'writer', 'X-ClickHouse-Key': 's3cret' },
    });
    expect(await response.text()).toContain('ACCESS_DENIED');
  }
  const refused = await run(words, { environment: as('reader') });
  expect([refused.code, refused.err]).toEqual([0, '']);
  const other = await run([...words.slice(0, 3), `${address}?deployment=r`, ...words.slice(4)], {
    environment: as('reader'),
  });
  expect([other.code, other.err]).toEqual([3, expect.stringContaining('CLUSTER_REFUSED')]);
});
