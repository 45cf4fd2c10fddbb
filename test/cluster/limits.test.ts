import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterLimits } from '../../src/cli/cluster/open-cluster.ts';
import { schemaVersion } from '../../src/cluster/schema.ts';
import { run } from '../cli/run-in-process.ts';

/** The answer of a server whose queries exceed the limit of memory. */
function answerTo(sql: string): string | undefined {
  if (sql.includes('system.tables')) return '["1","26.7.3.1"]\n';
  if (sql.includes('max(version)')) return `["${schemaVersion}"]\n`;
  if (sql.includes('EXPLAIN ESTIMATE')) return sql.includes('match(') ? '["9000"]\n' : '["12000"]\n';
  return undefined;
}

const server = createServer(async (request, response) => {
  let sql = '';
  for await (const chunk of request) sql += chunk;
  const answer = answerTo(sql);
  if (answer !== undefined) response.end(answer);
  else
    response
      .writeHead(500)
      .end('Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED) (version 26.7.3.1)');
});

let address: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  address = `clickhouse://127.0.0.1:${typeof listening === 'object' ? listening?.port : 0}/gis`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const costly = 'source:Sharing OR msg:/.*t.*d/';

test.each([
  ['search', costly, 'CLUSTER', '--json'],
  ['search', costly, 'CLUSTER', '--count'],
  ['search', costly, 'CLUSTER', '--limit=3'],
  ['histogram', 'CLUSTER', '--search', costly],
  ['top', 'logLevel', 'CLUSTER', '--search', costly],
  ['report', 'CLUSTER', '--search', costly, '--to', 'md'],
  ['hand-over', costly, 'CLUSTER', '--out', join(tmpdir(), 'logquarry-never-made')],
])('%s with %s %s %s names the clause that costs most beyond a limit', async (...words) => {
  const { code, err } = await run(words.map((word) => (word === 'CLUSTER' ? address : word)));
  expect(code).toBe(3);
  expect(err).toContain('The clause msg:/.*t.*d/ costs most: alone it reads 9,000 logs at each server.');
  expect(err).toContain('raise LOGQUARRY_CLUSTER_MEMORY');
});

test('a limit of SQL of a user, which has no clauses, is said alone', async () => {
  const { code, err } = await run(['sql', 'SELECT 1', address]);
  expect([code, err]).toEqual([3, expect.not.stringContaining('costs most')]);
});

describe('limits of the environment', () => {
  test('are those of queries', () => {
    expect(clusterLimits({})).toEqual({ time: 60_000, memory: 4e9, logs: 1_000_000 });
    expect(
      clusterLimits({
        LOGQUARRY_CLUSTER_TIME: '90s',
        LOGQUARRY_CLUSTER_MEMORY: '16GB',
        LOGQUARRY_CLUSTER_LOGS: '5000000',
      }),
    ).toEqual({ time: 90_000, memory: 16e9, logs: 5_000_000 });
  });

  test.each([
    ['LOGQUARRY_CLUSTER_LOGS', '0'],
    ['LOGQUARRY_CLUSTER_LOGS', '1e6'],
    ['LOGQUARRY_CLUSTER_TIME', '1m'],
    ['LOGQUARRY_CLUSTER_TIME', '-1'],
    ['LOGQUARRY_CLUSTER_MEMORY', '8 GB'],
    ['LOGQUARRY_CLUSTER_MEMORY', ''],
  ])('%s must not be "%s"', async (name, value) => {
    const { code, err } = await run(['patterns', address], { environment: { [name]: value } });
    expect(code).toBe(2);
    expect(err).toContain(`${name} must be`);
  });
});
