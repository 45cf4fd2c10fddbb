import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../cli/run-in-process.ts';
import { madeCase } from './pushed-case.ts';
import { type Server, startServer } from './start-server.ts';

/** Settings with which a server cuts answers and reports no error. */
const profiles = [
  '<limited><limit>3</limit></limited>',
  '<later><offset>3</offset></later>',
  '<few><max_result_rows>5</max_result_rows><result_overflow_mode>break</result_overflow_mode></few>',
  '<read><max_rows_to_read>100</max_rows_to_read><read_overflow_mode>break</read_overflow_mode></read>',
  '<timed><timeout_overflow_mode>break</timeout_overflow_mode></timed>',
].join('');

const users = ['limited', 'later', 'few', 'read', 'timed']
  .map(
    (name) =>
      `<${name}><password/><networks><ip>::/0</ip></networks><profile>${name}</profile><quota>default</quota></${name}>`,
  )
  .join('');

/** A user without a grant, and one with the row policies of the manual. */
const policies = /<databases>.*<\/databases>/s.exec(
  readFileSync(new URL('../../docs/cluster.md', import.meta.url), 'utf8'),
);
const ann = `<ann><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>${policies?.[0]}</ann>`;
const nobody =
  '<nobody><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota><grants><query>GRANT SELECT ON system.one</query></grants></nobody>';

let server: Server;
let folder: string;

beforeAll(async () => {
  server = await startServer({ profiles, users: `${users}${ann}${nobody}` });
  folder = await mkdtemp(join(tmpdir(), 'cluster-settings-'));
  const path = join(folder, 'incident.duckdb');
  await madeCase(path, 1, 500);
  for (const words of [
    ['cluster', 'init', server.address('gis')],
    ['cluster', 'push', path, server.address('gis')],
  ])
    expect((await run(words)).code).toBe(0);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const addressOf = (user: string) => server.address('gis').replace('//', `//${user}@`);

test.each(['limited', 'later', 'few', 'read'])(
  'the profile of a user makes no answer smaller: %s',
  async (user) => {
    for (const words of [
      ['search', '*:*', 'SOURCE', '--ndjson', '--all'],
      ['top', 'logLevel', 'SOURCE', '--json'],
      ['sql', 'SELECT id, msg FROM logs ORDER BY id', 'SOURCE', '--ndjson'],
    ]) {
      const asked = (source: string) => run(words.map((word) => (word === 'SOURCE' ? source : word)));
      const [whole, { code, out, err }] = [await asked(server.address('gis')), await asked(addressOf(user))];
      expect(whole.code).toBe(0);
      // Whole, or an error that says which limit was met.
      if (code === 0) expect(out).toBe(whole.out);
      else expect([code, err]).toEqual([3, expect.stringContaining('[CLUSTER_LIMIT]')]);
    }
  },
);

test('a user without a grant is told so, and not to create tables that are there', async () => {
  for (const words of [
    ['search', 'msg:request', addressOf('nobody'), '--count'],
    ['cluster', 'status', addressOf('nobody')],
  ]) {
    const { code, err } = await run(words);
    expect([code, err]).toEqual([3, expect.stringContaining('[CLUSTER_REFUSED]')]);
    expect(err).toContain('grant');
    expect(err).not.toContain('cluster init');
  }
  const { err } = await run(['search', 'msg:request', server.address('nowhere'), '--count']);
  expect(err).toContain('run "logquarry cluster init"');
});

test('a row policy of the manual keeps a user to one deployment', async () => {
  const path = join(folder, 'other.duckdb');
  await madeCase(path, 1, 20);
  expect((await run(['cluster', 'push', path, `${server.address('gis')}?deployment=prod`])).code).toBe(0);
  const counts = async (user: string) => {
    const found = await run(['search', '*:*', addressOf(user), '--count']);
    const sql = await run(['sql', 'SELECT count() FROM logs', addressOf(user), '--csv']);
    return [found.out, sql.out];
  };
  expect(await counts('ann')).toEqual(['20\n', 'count()\n20\n']);
  expect(await counts('default')).toEqual(['520\n', 'count()\n520\n']);
});

test('the profile of a user does not hide that the time was over', async () => {
  const sql = 'SELECT sum(number) FROM system.numbers';
  const { code, err } = await run(['sql', sql, addressOf('timed'), '--timeout', '1s']);
  expect([code, err]).toEqual([124, expect.stringContaining('[CLUSTER_TIMEOUT]')]);
});
