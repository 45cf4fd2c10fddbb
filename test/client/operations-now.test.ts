import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import { jobAddress, readJobIds } from '../../src/client/exports.ts';
import { editLogSettings, logPages, queryLogs, readLogSettings, searchLogs } from '../../src/client/logs.ts';
import { readMicroserviceStatus, readMicroservices } from '../../src/client/properties.ts';
import { readInstalledUpdates } from '../../src/client/upgrades.ts';
import { deleteUpload, readUpload, readUploads } from '../../src/client/uploads.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import type { LogPage } from '../../src/protocol/logs.ts';
import { clientOf, deploymentOf } from './deployment.ts';

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const settings = { logLevel: 'INFO', maxLogAgeDays: 60, others: { maxErrorReportsCount: 5 } };

const calls: readonly [string, (client: Client) => Promise<unknown>, string][] = [
  ['log settings', (client) => readLogSettings(client), 'that is not log settings'],
  ['an edit', (client) => editLogSettings(client, settings), 'that is not the success of an edit'],
  ['a query', (client) => queryLogs(client, newestLogsRequest), 'that is not a list of logs'],
  ['a search', (client) => searchLogs(client, newestLogsRequest), 'that is not a list of logs'],
  ['the jobs', (client) => readJobIds(client), 'that is not a list of jobs'],
  ['the uploads', (client) => readUploads(client), 'that is not a list of uploads'],
  ['an upload', (client) => readUpload(client, 'i1'), 'that is not an upload'],
  ['a deletion', (client) => deleteUpload(client, 'i1'), 'that is not the success of a deletion'],
  ['installed updates', (client) => readInstalledUpdates(client), 'that is not a list of updates'],
  ['microservices', (client) => readMicroservices(client), 'that is not a list of microservices'],
  ['a status', (client) => readMicroserviceStatus(client, 'k1'), 'that is not the status of a microservice'],
];

describe.each(calls)('%s', (_name, call, message) => {
  test('in the place of which comes other JSON is a bad reply', async () => {
    await using client = clientOf(async () => json({ hello: 'world' }));
    await expect(call(client)).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining(message),
    });
  });

  test.each<[string, () => Response, string]>([
    ['without the privilege', () => json({ error: { code: 403, message: 'Access denied.' } }), 'FORBIDDEN'],
    ['with a page', () => new Response('<!doctype html><title>Sign in</title>'), 'BAD_REPLY'],
    ['with nothing', () => new Response(''), 'BAD_REPLY'],
    ['with an error that has status 200', () => json({ status: 'error', messages: ['No.'] }), 'REFUSED'],
    ['by a deployment that lacks it', () => new Response('Not found', { status: 404 }), 'BAD_REPLY'],
  ])('answered %s says so', async (_how, answer, code) => {
    await using client = clientOf(async () => answer());
    await expect(call(client)).rejects.toMatchObject({ name: 'ClientError', code });
  });
});

describe('what is on the wire', () => {
  test('resources that take no POST are read by GET, the token in a header', async () => {
    const { fetch, seen } = deploymentOf(({ method }) =>
      method === 'POST' ? new Response('', { status: 405 }) : json({ messages: [], total: 0 }),
    );
    await using client = clientOf(fetch);
    await queryLogs(client, { ...newestLogsRequest, newest: 2, oldest: 1, users: 'ann' });
    const [, got] = seen;
    expect(got?.method).toBe('GET');
    expect(Object.fromEntries(new URLSearchParams(got?.search))).toEqual({
      logLevel: 'DEBUG',
      startTime: '2',
      endTime: '1',
      users: 'ann',
      showStackTraces: 'true',
      num: '10000',
      start: '1',
      f: 'json',
    });
    expect(got?.search).not.toContain('token-1');
  });

  test('a search has what its documentation has, and nothing else', async () => {
    const { fetch, seen } = deploymentOf(() => json({ messages: [], total: 0, nextStart: -1 }));
    await using client = clientOf(fetch);
    const request = { ...newestLogsRequest, num: 5, searchQuery: 'a AND b', newest: 7, users: 'ann' };
    await searchLogs(client, request);
    await searchLogs(client, request, { start: 6 });
    const first = {
      searchQuery: 'a AND b',
      sortBy: 'time',
      sortOrder: 'desc',
      countOnly: 'false',
      showStackTraces: 'true',
      num: '5',
      f: 'json',
      token: 'token-1',
    };
    expect(seen.map(({ form }) => form)).toEqual([first, { ...first, start: '6' }]);
    expect(seen[0]?.path).toBe('/arcgis/admin/logs/search');
  });

  test('an edit sends all settings once, and says what is open when its answer is lost', async () => {
    const { fetch, seen } = deploymentOf(() => {
      throw new ClientError('UNREACHABLE', 'The connection broke');
    });
    await using client = clientOf(fetch);
    await expect(editLogSettings(client, settings)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('The edit may have been made all the same: read the log settings'),
    });
    expect(seen.map(({ path, form }) => ({ path, form }))).toEqual([
      {
        path: '/arcgis/admin/logs/settings/edit',
        form: {
          maxErrorReportsCount: '5',
          logLevel: 'INFO',
          maxLogAgeDays: '60',
          f: 'json',
          token: 'token-1',
        },
      },
    ]);
  });

  test.each([{ status: 'success' }, { success: true }, { success: 'true' }, { logLevel: 'INFO' }])(
    'an edit has succeeded with the answer %j',
    async (answer) => {
      await using client = clientOf(async () => json(answer));
      await expect(editLogSettings(client, settings)).resolves.toBeUndefined();
    },
  );

  test('an identifier that would lead elsewhere is refused, and others are escaped', async () => {
    const { fetch, seen } = deploymentOf(() => json({ status: 'success' }));
    await using client = clientOf(fetch);
    for (const id of ['..', '.', '']) {
      await expect(deleteUpload(client, id)).rejects.toMatchObject({ code: 'REFUSED', arrived: false });
      expect(() => jobAddress(client, id)).toThrow('is no identifier');
    }
    await deleteUpload(client, 'a/../b?c');
    expect(seen.map(({ path }) => path)).toEqual(['/arcgis/admin/uploads/a%2F..%2Fb%3Fc/delete']);
  });
});

describe('the pages of a list', () => {
  /** The list of a deployment that answers each page by a function, up to a limit. */
  async function listed(answer: (num: number, start: number) => LogPage, limit: number) {
    const asked: [number, number | undefined][] = [];
    const came: unknown[] = [];
    const read = async ({ num, start }: { num: number; start?: number }) => {
      asked.push([num, start]);
      return answer(num, start ?? 1);
    };
    for await (const page of logPages(read, limit)) came.push(...page.messages.map(({ at }) => at));
    return { asked, came };
  }
  const logs = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ at: from + index }));
  const page = (messages: readonly Readonly<Record<string, unknown>>[], nextStart?: number): LogPage => ({
    messages,
    unreadable: 0,
    ...(nextStart !== undefined && { nextStart }),
  });
  /** A deployment with so many logs, whose pages hold so many at most. */
  const deployment = (total: number, cap: number) => (num: number, start: number) => {
    const count = Math.max(0, Math.min(num, cap, total - start + 1));
    return page(logs(start, count), start + count <= total ? start + count : undefined);
  };

  test('are asked for until the list ends or the limit is reached, each log once', async () => {
    for (const [total, cap, limit] of [
      [0, 10, 5],
      [3, 10, 5],
      [2500, 1000, 2500],
      [2500, 1000, 1001],
      [2500, 300, 10_000],
      [10, 1, 4],
    ] as const) {
      const { came, asked } = await listed(deployment(total, cap), limit);
      expect(came).toEqual(logs(1, Math.min(total, limit)).map(({ at }) => at));
      expect(asked.every(([num]) => 1 <= num && num <= 1000)).toBe(true);
    }
  });

  test('hold no more than was wanted where the deployment returns more', async () => {
    expect((await listed(() => page(logs(1, 50), 51), 7)).came).toHaveLength(7);
  });

  test('end where the deployment names no later page, or brings nothing', async () => {
    expect((await listed((_, start) => page(logs(start, 1), start), 9)).asked).toHaveLength(1);
    expect((await listed((_, start) => page([], start + 10), 9)).asked).toHaveLength(1);
    expect((await listed((_, start) => page(logs(start, 2), start === 1 ? 3 : 2), 9)).asked).toHaveLength(2);
  });

  test('end where they hold nothing that could be read', async () => {
    const odd = (num: number, start: number): LogPage => ({
      messages: [],
      unreadable: num,
      nextStart: start + num,
    });
    expect((await listed(odd, 2500)).asked).toEqual([
      [1000, undefined],
      [1000, 1001],
      [500, 2001],
    ]);
  });
});
