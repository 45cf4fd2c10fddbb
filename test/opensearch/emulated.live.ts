import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { openSearchEngine, type SearchEngine } from '../../src/emulator/search-engine.ts';
import type { Log } from '../../src/records/log.ts';
import { exportLogs, post, runJob, signIn, startDeployment, type TestDeployment } from '../emulator/calls.ts';
import { type SearchNode, startNode } from './start-node.ts';

/** The deployment over a search server must export what the one that answers searches itself exports. */

let node: SearchNode;
let engine: SearchEngine;
let over: TestDeployment;
let alone: TestDeployment;
const logs: readonly Log[] = [
  ...[...incidentLogs()].filter((_, index) => index % 6 === 0),
  { time: -1, msg: 'a log before the epoch', logCode: 9_007_199_254_740_993n },
  { msg: 'a log without a time', logCode: 2n ** 63n - 1n, elapsed: -0 },
];
beforeAll(async () => {
  node = await startNode();
  engine = await openSearchEngine(`opensearch://127.0.0.1:${node.port}`);
  over = await startDeployment({ logs, engine });
  alone = await startDeployment({ logs });
});
afterAll(async () => {
  await over?.[Symbol.asyncDispose]();
  await alone?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
});

const ofLog = ({ msg, time, logCode, machine }: Log) => [time, logCode, msg, machine];

describe('an export over a search server has the logs of one without', () => {
  test.each([
    'logLevel:SEVERE',
    'timeout OR refused',
    'msg:"timed out" AND NOT source:Sharing',
    'logLevel:SEVERE OR logLevel:WARNING AND msg:timeout',
    'NOT logLevel:INFO',
    'logCode:[9000 TO 9999} AND elapsed:[0.5 TO *]',
    'logCode:9007199254740993',
    'logCode:[9223372036854775806 TO *]',
    'time:[* TO 1970]',
    'com.esri OR connection refused 9003',
    'nosuch:field',
    '"---"',
  ])('%s', async (searchQuery) => {
    for (const form of [
      { sortBy: 'time' },
      { sortBy: 'time', sortOrder: 'asc', num: '37' },
      { logLevel: 'WARNING' },
    ]) {
      const parameters = { num: '10000', searchQuery, ...form };
      const expected = await exportLogs(alone, parameters);
      expect((await exportLogs(over, parameters)).map(ofLog)).toEqual(expected.map(ofLog));
    }
  });

  test('also a list by relevance, but for logs of the same score', async () => {
    const parameters = {
      num: '10000',
      sortBy: 'bestMatch',
      searchQuery: 'connection OR logCode:[9000 TO *] OR gis',
    };
    const sorted = (found: readonly Log[]) => found.map((log) => JSON.stringify(ofLog(log), textOf)).sort();
    const [here, there] = [await exportLogs(alone, parameters), await exportLogs(over, parameters)];
    expect(there.length).toBeGreaterThan(100);
    expect(sorted(there)).toEqual(sorted(here));
    expect(there.slice(0, 20).map(ofLog)).toEqual(here.slice(0, 20).map(ofLog));
  });

  test('its own activity is found too', async () => {
    const form = { num: '10000', searchQuery: 'msg:exportLogs OR source:Rest' };
    await exportLogs(over, form);
    const before = (await exportLogs(over, form)).length;
    expect((await exportLogs(over, form)).length).toBeGreaterThan(before);
  });
});

test('a query that the server alone refuses ends a job as failed, and a list with its reason', async () => {
  await node.ask('PUT', '/_all/_settings', { 'index.max_regex_length': 1 });
  const token = await signIn(over);
  const job = await runJob(over, { searchQuery: '/ab/' }, token);
  expect(job).toMatchObject({ status: 'FAILED' });
  expect(JSON.stringify(job)).toContain('has exceeded the allowed maximum of [1]');
  const list = await post(over, '/gis/admin/logs/search', { token, searchQuery: '/ab/' });
  expect(await list.json()).toMatchObject({ error: { code: 400 } });
});

test('an index that is lost is an error, not another answer', async () => {
  const lost = await openSearchEngine(`opensearch://127.0.0.1:${node.port}`);
  await using deployment = await startDeployment({ logs: logs.slice(0, 50), engine: lost });
  await lost[Symbol.asyncDispose]();
  const token = await signIn(deployment);
  const list = await post(deployment, '/gis/admin/logs/search', { token, searchQuery: 'logLevel:SEVERE' });
  expect(JSON.stringify(await list.json())).toContain('no such index');
});

test('the ids of the deployment are no field of a query', async () => {
  for (const searchQuery of ['id:5', '__id:5', '_exists_:id', 'i\\u002a:5'])
    expect(await exportLogs(over, { num: '10', searchQuery })).toEqual([]);
});

test('its index is deleted in the end', async () => {
  const other = await openSearchEngine(`opensearch://127.0.0.1:${node.port}`);
  const count = async () => Object.keys(Object(await node.ask('GET', '/_all'))).length;
  const before = await count();
  await other[Symbol.asyncDispose]();
  expect(await count()).toBe(before - 1);
});

const textOf = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
