import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../cli/run-in-process.ts';
import { type Server, startServer } from './start-server.ts';

let server: Server;
let folder: string;
let path: string;
let address: string;

/** A reader as the manual grants it. */
const users =
  '<reader><password>s3cret</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>' +
  '<grants><query>GRANT SELECT ON incident.*</query></grants></reader>';

beforeAll(async () => {
  server = await startServer({ users });
  folder = await mkdtemp(join(tmpdir(), 'cluster-commands-'));
  path = join(folder, 'incident.duckdb');
  address = server.address('incident');
  const records = [
    '{"time":1,"msg":"a \\u001b[31m red\\u202e one","code":9003,"elapsed":0.25,"source":"Sharing"}',
    '{"msg":"without a time","logLevel":"SEVERE"}',
    '{"time":253402300799999,"msg":"far","code":"9223372036854775807"}',
    'nonsense',
  ];
  await writeFile(join(folder, 'odd.ndjson'), `${records.join('\n')}\n`);
  for (const words of [
    ['import', 'samples/incident.ndjson', join(folder, 'odd.ndjson'), '--into', path],
    ['cluster', 'init', address],
    ['cluster', 'push', path, address],
  ])
    expect((await run(words)).code).toBeLessThan(2);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('a cluster prints what a case prints', () => {
  test.each([
    ['search', '*:*', '--json', '--limit', '30'],
    ['search', '*:*', '--oldest', '--csv', '--all'],
    ['search', 'msg:"timed out" OR logCode:[9000 TO 9999]'],
    ['search', 'logLevel:SEVERE', '--count'],
    ['search', 'logCode:9223372036854775807', '--ndjson'],
    ['search', 'msg:/t.*d&~(.*z.*)/', '--count'],
    ['search', 'msg:tine~2', '--engine', 'elasticsearch', '--ndjson'],
    ['search', '*:*', '--columns', 'time,msg', '--limit', '50'],
    ['search', '*:*', '--last', '1h'],
    ['histogram', '--by', 'logLevel', '--every', '5000d'],
    ['histogram', '--json', '--search', 'msg:request'],
    ['top', 'source', '--json'],
    ['top', 'logCode', '--search', 'logLevel:SEVERE'],
    ['top', 'elapsed', '--limit', '3'],
  ])('%j', async (...words) => {
    const [ofCase, ofCluster] = [await run([...words, path]), await run([...words, address])];
    expect(ofCluster).toEqual(ofCase);
    expect(ofCase.code).toBe(0);
  });
});

test('a cluster and a case are searched together', async () => {
  const { code, out } = await run(['search', 'msg:far', path, address, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    total: 2,
    logs: [{ case: 'incident.duckdb' }, { case: 'incident' }],
  });
});

test.each([
  [['search', 'a', '--best'], '--best reads case files'],
  [['search', 'a', '--context', '2'], '--context reads case files'],
  [['patterns'], 'This command reads case files'],
])('%j is refused for a cluster', async (words, problem) => {
  const { code, err } = await run([...words, address]);
  expect(code).toBe(2);
  expect(err).toContain(problem);
});

test('a database without tables is named', async () => {
  const { code, err } = await run(['search', 'a', server.address('nothing')]);
  expect(code).toBe(3);
  expect(err).toContain('run "logquarry cluster init" [CLUSTER_SCHEMA]');
});

test('the status of a cluster', async () => {
  const { code, out } = await run(['cluster', 'status', address, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    deployments: [{ deployment: 'default', parts: 2, unreadable: 1, first: 1, last: 253402300799999 }],
    deviations: [],
    unfinishedRows: 0,
  });
  expect(await server.ask('SELECT raw FROM incident.unreadable')).toBe('nonsense\n');
});

test('a year is kept: older logs are deleted, and logs without a time stay', async () => {
  const kept = server.address('kept');
  expect((await run(['cluster', 'init', kept, '--keep', '3650d'])).code).toBe(0);
  expect((await run(['cluster', 'push', path, kept])).code).toBe(0);
  expect((await run(['cluster', 'init', kept, '--keep', '1d'])).code).toBe(0);
  await server.ask('OPTIMIZE TABLE kept.log_rows FINAL');
  // The sample is of 2025; time 1 is of 1970.
  expect(await server.ask('SELECT msg FROM kept.logs ORDER BY msg')).toBe('far\nwithout a time\n');
  // What was deleted for its age is no loss.
  expect((await run(['cluster', 'status', kept])).code).toBe(0);
});

describe('a reader', () => {
  const reader = { LOGQUARRY_CLUSTER_USER: 'reader', LOGQUARRY_CLUSTER_PASSWORD: 's3cret' };

  test('reads logs and nothing else, and a wrong password is never shown', async () => {
    const { code, err } = await run(['search', 'msg:far', address, '--count'], { environment: reader });
    expect([code, err]).toEqual([0, '']);
    for (const words of [
      ['cluster', 'init', server.address('other')],
      ['cluster', 'push', path, `${address}?deployment=x`],
    ])
      expect((await run(words, { environment: reader })).err).toContain('CLUSTER_REFUSED');
    const wrong = { ...reader, LOGQUARRY_CLUSTER_PASSWORD: 'wr0ng' };
    const refused = await run(['search', 'a', address], { environment: wrong });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('CLUSTER_REFUSED');
    expect(refused.err + refused.out).not.toContain('wr0ng');
  });

  test.each([
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    'INSERT INTO incident.about (version) VALUES (9)',
    'DROP TABLE incident.log_rows',
  ])('cannot run %s', async (sql) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/`, {
      method: 'POST',
      body: sql,
      headers: { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': 's3cret' },
    });
    expect(await response.text()).toContain('ACCESS_DENIED');
  });
});
