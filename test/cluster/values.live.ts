import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { clusterLogs } from '../../src/cluster/cluster-logs.ts';
import type { Cluster } from '../../src/cluster/connection.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { openDatabase, push } from './pushed-case.ts';
import { type Server, startServer } from './start-server.ts';

const logs = 1_500;

let server: Server;
let stored: Case;
let cluster: Cluster;

beforeAll(async () => {
  server = await startServer();
  stored = await openCase(':memory:', { access: 'write' });
  const drawn = Array.from({ length: logs }, (_, index) => ({
    time: 1_760_000_000_000 + index,
    msg: `Request w${index} took ${index % 7} ms`,
    logCode: 2 * index,
    requestID: `7c1f-${index}`,
  }));
  await addLogs(stored, drawn, { part: 'words' });
  cluster = await openDatabase(server.address('words'));
  await push(stored, cluster);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await stored[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const any = (textOf: (index: number) => string) =>
  Array.from({ length: 2_000 }, (_, index) => textOf(index)).join(' OR ');

test.each([
  ['words', `msg:(${any((index) => `w${3 * index}`)})`],
  ['words of all fields', any((index) => `w${3 * index}`)],
  ['words that are left out', `*:* AND NOT msg:(${any((index) => `w${index + 9}`)})`],
  ['phrases', `requestID:(${any((index) => `"7c1f-${3 * index}"`)})`],
  ['phrases and a number', `logCode:8 OR requestID:(${any((index) => `"7c1f-${3 * index}"`)})`],
  ['numbers', `logCode:(${any((index) => `${3 * index}`)}) OR elapsed:0.5`],
  ['values that are long', `msg:(w7 OR ${any((index) => `${'x'.repeat(200)}${index}`)})`],
  ['the words of a pattern that is no SQL', 'msg:/w[0-9]+&~(.*z.*)/ AND NOT msg:w7'],
])('thousands of %s have the answer of a case', async (_, query) => {
  const filter = resolve(parse(query).query);
  const count = await countLogs(stored, filter);
  expect(count).toBeGreaterThan(0);
  expect(await clusterLogs(cluster).countLogs(filter)).toBe(count);
});

test('values that are too many or too long for a request are named as a limit', async () => {
  const asked = (query: string) => clusterLogs(cluster).countLogs(resolve(parse(query).query));
  for (const query of [
    `msg:(${any((index) => `${'é'.repeat(200)}${index}`)})`,
    `machine:"${'x y '.repeat(40_000)}"`,
  ])
    await expect(asked(query)).rejects.toMatchObject({
      code: 'CLUSTER_LIMIT',
      message: expect.stringContaining('name fewer or shorter values'),
    });
});
