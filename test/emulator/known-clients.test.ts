import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../src/records/log.ts';
import { admin, host, post, postJson, signIn, startDeployment, type TestDeployment } from './calls.ts';

/* The calls of public clients, as they send them: their forms are copied here, without their code. */

const start = Date.UTC(2025, 2, 12, 7, 0, 0);
const names = ['ann', 'bob', 'Doe, Jane', 'Doe', 'Jane', 'ann'];
const logs: readonly Log[] = names.map((username, at) => ({
  time: start + at * 100,
  logLevel: at % 2 === 0 ? 'SEVERE' : 'INFO',
  logCode: at,
  msg: 'a message',
  username,
  stackTraces: 'at a.B.c',
}));

let deployment: TestDeployment;
let token: string;
beforeAll(async () => {
  deployment = await startDeployment({ logs, logLevel: 'SEVERE' });
  token = await signIn(deployment);
});
afterAll(() => deployment[Symbol.asyncDispose]());

const get = async (path: string, form: Readonly<Record<string, string>>, of = deployment, own = token) => {
  const query = new URLSearchParams({ f: 'json', token: own, ...form });
  return (await of.fetch(new Request(`${host}/gis/${path}?${query}`))).json();
};
const codesOf = (body: unknown) =>
  (body as { readonly messages?: readonly Log[] }).messages?.map(({ logCode }) => logCode).toReversed();

describe('the public admin client', () => {
  const search = { sortBy: 'bestMatch', sortOrder: 'desc', showStackTraces: 'false', num: '1000' };

  test.each([
    ['message', 6],
    ['username:bob', 1],
    ['logLevel:INFO', 3],
    ['msg:nothing', 0],
    ['', 6],
  ])('counts the logs of the search "%s"', async (searchQuery, total) => {
    const form = { ...search, searchQuery };
    expect(await get('admin/logs/search', { ...form, countOnly: 'true' })).toEqual({ total });
    expect(await get('admin/logs/search', { ...form, countOnly: 'false' })).toMatchObject({ total });
  });

  test('is told what is wrong with a count, and by the name that it sent', async () => {
    const form = { searchQuery: 'a AND (b', countOnly: 'true' };
    expect(await get('admin/logs/search', form)).toMatchObject({ error: { code: 400 } });
    for (const path of ['admin/logs/query', 'admin/logs/search'])
      expect(await get(path, { searchQuery: 'a', showStackTraces: 'perhaps' })).toEqual({
        error: {
          code: 400,
          message: 'Invalid parameters.',
          details: ['"showStackTraces" requires true or false'],
        },
      });
  });

  test.each([
    ['2025-03-12T07:00:00,300000', '2025-03-12T07:00:00,100999', [1, 2, 3]],
    ['2025-03-12T07:00:00,3', '2025-03-12T07:00:00,2', [2, 3]],
    ['2025-03-12T07:00:00,999999', '2025-03-12T07:00:00,499', [5]],
    ['2025-03-12T07:00:00', '2025-03-12T07:00:00', [0]],
  ])(
    'asks for times with digits behind a comma, where a setting allows it: %s to %s',
    async (startTime, endTime, codes) => {
      await using allowing = await startDeployment({ logs, exports: { commaTimes: true } });
      const form = { logLevel: 'DEBUG', start: '1', num: '1000', startTime, endTime };
      expect(codesOf(await get('admin/logs/query', form, allowing, await signIn(allowing)))).toEqual(codes);
      if (startTime.includes(','))
        expect(await get('admin/logs/query', form)).toMatchObject({
          error: {
            code: 400,
            details: [expect.stringContaining('startTime'), expect.stringContaining('endTime')],
          },
        });
    },
  );

  test.each([
    '2025-02-30T07:00:00,123456',
    '2025-03-12T07:00:00,1234567',
    '2025-03-12T07:00:00,',
    ',5',
    '1741762800000,5',
  ])('cannot ask for the time %s in any setting', async (startTime) => {
    await using allowing = await startDeployment({ logs, exports: { commaTimes: true } });
    const reply = await get('admin/logs/query', { startTime }, allowing, await signIn(allowing));
    expect(reply).toMatchObject({ error: { code: 400, details: [expect.stringContaining('startTime')] } });
  });

  test('joins users by commas: they are a list where a setting says so', async () => {
    await using listing = await startDeployment({ logs, exports: { userLists: true } });
    const own = await signIn(listing);
    const form = { logLevel: 'DEBUG', users: 'ann,bob' };
    expect(codesOf(await get('admin/logs/query', form, listing, own))).toEqual([0, 1, 5]);
    expect(codesOf(await get('admin/logs/query', form))).toEqual([]);
    const jane = { ...form, users: 'Doe, Jane' };
    expect(codesOf(await get('admin/logs/query', jane, listing, own))).toEqual([3, 4]);
    expect(codesOf(await get('admin/logs/query', jane))).toEqual([2]);
  });

  test.each<[Readonly<Record<string, string>>, readonly number[]]>([
    [{}, []],
    [{ logLevel: 'SEVERE' }, [1, 3, 5]],
    [{ startTime: '2025-03-12T07:00:01' }, [0, 1, 2, 3, 4, 5]],
    [{ startTime: '2025-03-12T07:00:00', endTime: '2025-03-12T07:00:01', logLevel: 'INFO' }, [0, 2, 4]],
    [{ endTime: '2025-03-12T06:59:59' }, [0, 1, 2, 3, 4, 5]],
  ])('deletes logs with %j', async (form, left) => {
    await using own = await startDeployment({ logs, logLevel: 'INFO' });
    const key = await signIn(own);
    expect(await postJson(own, '/gis/admin/logs/clean', { token: key, ...form })).toEqual({
      status: 'success',
    });
    const query = { logLevel: 'DEBUG', startTime: String(start + 1000) };
    expect(codesOf(await get('admin/logs/query', query, own, key))).toEqual(left);
    const search = { searchQuery: 'msg:message', countOnly: 'true' };
    expect(await get('admin/logs/search', search, own, key)).toEqual({ total: left.length });
    // What the deployment does from then on is logged, the deletion first of all.
    const cleaned = { searchQuery: 'msg:"were deleted"', countOnly: 'true' };
    expect(await get('admin/logs/search', cleaned, own, key)).toEqual({ total: 1 });
  });

  test('deletes nothing by a wrong time or level, with GET, or without the privilege', async () => {
    const reader = { username: 'reader', password: 'a password', privileges: ['exportLogs'] } as const;
    await using own = await startDeployment({ logs, users: [admin, reader] });
    const [key, readers] = [await signIn(own), await signIn(own, reader)];
    const clean = '/gis/admin/logs/clean';
    for (const form of [{ startTime: 'yesterday' }, { logLevel: 'LOUD' }])
      expect(await postJson(own, clean, { token: key, ...form })).toMatchObject({ error: { code: 400 } });
    expect(await postJson(own, clean, { token: readers })).toMatchObject({ error: { code: 403 } });
    expect(await get('admin/logs/clean', {}, own, key)).toMatchObject({ error: { code: 405 } });
    const count = { searchQuery: 'msg:message', countOnly: 'true' };
    expect(await get('admin/logs/search', count, own, key)).toEqual({ total: 6 });
  });

  test('recreates the log index, after which the same logs are found', async () => {
    const path = '/gis/admin/logs/settings/updateLogIndex';
    expect(await postJson(deployment, path, { token })).toEqual({ status: 'success' });
    expect(await get('admin/logs/search', { searchQuery: 'username:bob', countOnly: 'true' })).toEqual({
      total: 1,
    });
    expect(await postJson(deployment, path, {})).toMatchObject({ error: { code: 499 } });
  });
});

test('a script for older servers gets its token below the administration', async () => {
  const path = '/gis/admin/generateToken';
  const reply = await postJson(deployment, path, { ...admin, client: 'requestip', expiration: '60' });
  expect(reply).toMatchObject({ token: expect.stringMatching(/^[\w-]{64}$/) });
  const own = (reply as { readonly token: string }).token;
  expect(await get('admin/logs/settings', {}, deployment, own)).toMatchObject({ logLevel: 'SEVERE' });
  expect(
    await postJson(deployment, path, { ...admin, password: 'wrong', client: 'requestip' }),
  ).toMatchObject({
    error: { code: 400, message: 'Unable to generate token.' },
  });
});

test('the servers and the addresses of the portal are those of the deployment, for its users', async () => {
  const self = 'sharing/rest/portals/self';
  const url = `${host}/gis`;
  expect(await get(`${self}/servers`, {})).toMatchObject({
    servers: [{ id: expect.any(String), url, adminUrl: url, isHosted: true, serverRole: 'HOSTING_SERVER' }],
  });
  expect(await get(`${self}/urls`, {})).toEqual({
    urls: { features: { http: [url] }, tiles: { http: [url] } },
  });
  for (const path of ['servers', 'urls']) {
    expect(await postJson(deployment, `/gis/${self}/${path}`, { token: 'invented' })).toMatchObject({
      error: { code: 498 },
    });
    expect(await postJson(deployment, `/gis/${self}/${path}`, {})).toMatchObject({ error: { code: 499 } });
  }
});

// The calls of @esri/arcgis-rest-request 4.11.1 in Node, in their order. test/interface runs the library itself.
describe('the public request library', () => {
  const referer = '@esri/arcgis-rest-js';
  const call = async (path: string, form: Readonly<Record<string, string>>) =>
    (await post(deployment, path, form, { referer })).json();

  test.each([
    ['logs/query', { num: '1' }],
    ['logs/settings', {}],
    ['logs/export', { num: '5' }],
    ['system/upgrades', {}],
  ])('signs in, and calls admin/%s with its session', async (resource, form) => {
    const session = (await call('/gis/sharing/rest/generateToken', {
      ...admin,
      expiration: '20160',
      client: 'referer',
      referer,
    })) as { readonly token: string };
    const address = `${host}/gis/admin/${resource}`;
    // It asks each address for its portal, the portal for its token service, and that for a token of the address.
    const server = (await call(`${address}/rest/info`, {})) as { readonly owningSystemUrl: string };
    expect(server).toMatchObject({ owningSystemUrl: `${host}/gis` });
    const info = (await call(`${server.owningSystemUrl}/sharing/rest/info`, {})) as {
      readonly authInfo: { readonly tokenServicesUrl: string };
    };
    const exchanged = (await call(info.authInfo.tokenServicesUrl, {
      token: session.token,
      serverUrl: address,
      expiration: '20160',
    })) as { readonly token: string };
    const reply = await call(address, { ...form, token: exchanged.token });
    expect(reply).not.toHaveProperty('error');
  });

  test('finds the portal of the administration itself, without a token, and of nothing else', async () => {
    expect(await call('/gis/admin/rest/info', {})).toMatchObject({
      owningSystemUrl: `${host}/gis`,
      authInfo: { tokenServicesUrl: `${host}/gis/sharing/rest/generateToken` },
    });
    expect(await call('/gis/admin/arrest/info', {})).toMatchObject({ error: { code: 404 } });
    expect(await call('/gis/other/rest/info', {})).toMatchObject({ error: { code: 404 } });
  });
});
