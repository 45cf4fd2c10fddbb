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

// The calls of @esri/arcgis-rest-request 4.11.1 in Node, in their order.
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
