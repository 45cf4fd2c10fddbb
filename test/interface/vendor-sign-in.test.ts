import { ArcGISIdentityManager, request, validateAppAccess } from '@esri/arcgis-rest-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin, guest, type Running, startRunning } from './running.ts';

/* What the request library of the vendor asks a deployment for on behalf of someone who signs in. */

let running: Running;
let portal: string;
beforeAll(async () => {
  running = await startRunning({ profile: 'arcgis', version: '11.2' });
  portal = `${running.url}/sharing/rest`;
});
afterAll(() => running[Symbol.asyncDispose]());

const signIn = (account: { username: string; password: string } = admin) =>
  ArcGISIdentityManager.signIn({ username: account.username, password: account.password, portal });

describe('who signs in', () => {
  test('is recognised by the user, with an organisation that the portal has too', async () => {
    const manager = await signIn();
    const user = await manager.getUser();
    expect(user).toMatchObject({ username: 'admin', role: 'org_admin', groups: [] });
    const organisation = await manager.getPortal();
    expect(organisation).toMatchObject({
      id: user.orgId,
      isPortal: true,
      currentVersion: '11.2',
      portalHostname: `${new URL(running.url).host}/gis`,
      authorizedCrossOriginDomains: [],
      user: { username: 'admin' },
    });
  });

  test('is no administrator without privileges', async () => {
    expect(await (await signIn(guest)).getUser()).toMatchObject({ username: 'guest', role: 'org_user' });
  });

  test('can hide the token in a header', async () => {
    const manager = await signIn();
    const user = await request(`${portal}/community/self`, {
      authentication: manager,
      httpMethod: 'GET',
      hideToken: true,
    });
    expect(user).toMatchObject({ username: 'admin' });
  });

  test('can go on with a token alone, also after it was written down', async () => {
    const first = await signIn();
    const { token, tokenExpires } = first;
    const second = await ArcGISIdentityManager.fromToken({ token, tokenExpires, portal });
    expect(second.username).toBe('admin');
    expect((await second.getPortal()).user).toMatchObject({ username: 'admin' });
    const third = ArcGISIdentityManager.deserialize(first.serialize());
    expect(await third.getUser()).toMatchObject({ username: 'admin' });
    const fourth = ArcGISIdentityManager.fromCredential(first.toCredential(), {
      hasPortal: true,
      hasServer: false,
      server: running.url,
    });
    expect(await fourth.getUsername()).toBe('admin');
  });

  test('is refused with an invented token', async () => {
    await expect(ArcGISIdentityManager.fromToken({ token: 'invented', portal })).rejects.toMatchObject({
      code: 498,
    });
    await expect(request(`${portal}/portals/self`, { params: { token: 'invented' } })).rejects.toMatchObject({
      code: 498,
    });
  });

  test('is named to nobody who has no token', async () => {
    const organisation = await request(`${portal}/portals/self`);
    expect(organisation).toMatchObject({ isPortal: true });
    expect(organisation).not.toHaveProperty('user');
  });

  test('signs out, and the token is worth nothing then', async () => {
    const manager = await signIn();
    const { token } = manager;
    expect(await manager.signOut()).toEqual({ success: true });
    await expect(request(`${portal}/community/self`, { params: { token } })).rejects.toMatchObject({
      code: 498,
    });
  });

  test('gets a new token where the old one is refused', async () => {
    const manager = await signIn();
    const { token } = manager;
    await request(`${portal}/oauth2/revokeToken`, { params: { auth_token: token } });
    manager.clearCachedUserInfo();
    expect(await manager.getUser()).toMatchObject({ username: 'admin' });
    expect(manager.token).not.toBe(token);
  });
});

describe('the administration', () => {
  test.each([
    ['logs/settings', {}, { logLevel: expect.any(String) }],
    ['logs/query', { num: 5, startTime: 0, logLevel: 'DEBUG' }, { messages: expect.any(Array) }],
    ['logs/search', { searchQuery: 'msg:a', countOnly: true }, { total: expect.any(Number) }],
    ['system/upgrades', {}, {}],
  ])('is called with the session of the portal: %s', async (resource, params, reply) => {
    const manager = await signIn();
    const address = `${running.url}/admin/${resource}`;
    expect(await request(address, { authentication: manager, params })).toMatchObject(reply);
    // The library asked the portal for a token of this address.
    expect(await manager.getToken(address)).not.toBe(manager.token);
  });

  test('exports logs with it, up to the zip', async () => {
    const authentication = await signIn();
    const params = { num: 5, logLevel: 'DEBUG' };
    const job = await request(`${running.url}/admin/logs/export`, { authentication, params });
    expect(job).toMatchObject({ jobsUrl: expect.stringContaining('/admin/jobs/') });
    await expect
      .poll(() => request(job.jobsUrl, { authentication }))
      .toMatchObject({ status: 'COMPLETED', result: { URL: expect.any(String) } });
  });

  test('refuses who has no privilege, and who has no token', async () => {
    const address = `${running.url}/admin/logs/settings`;
    await expect(request(address, { authentication: await signIn(guest) })).rejects.toMatchObject({
      code: 403,
    });
    await expect(request(address)).rejects.toMatchObject({ code: 499 });
  });
});

describe('an application', () => {
  test('may be used by who has a token', async () => {
    const { token } = await signIn();
    expect(await validateAppAccess(token, 'arcgisWebApps', portal)).toEqual({
      valid: true,
      viewOnlyUserTypeApp: false,
    });
    await expect(validateAppAccess(token, '', portal)).rejects.toMatchObject({ code: 400 });
    await expect(validateAppAccess('invented', 'arcgisWebApps', portal)).rejects.toMatchObject({ code: 498 });
  });
});

describe('the services, which belong to the portal', () => {
  test('say so to anyone', async () => {
    const token = `${portal}/generateToken`;
    expect(await request(`${running.url}/rest/info`)).toEqual({
      currentVersion: 11.2,
      fullVersion: '11.2.0',
      owningSystemUrl: running.url,
      authInfo: { isTokenBasedSecurity: true, tokenServicesUrl: token },
    });
    expect(await request(`${portal}/info`)).toEqual({
      owningSystemUrl: running.url,
      authInfo: { isTokenBasedSecurity: true, tokenServicesUrl: token },
    });
  });

  test('are reached with a token of their own, which the library gets', async () => {
    const manager = await signIn();
    const services = `${running.url}/rest/services`;
    const token = await manager.getToken(services);
    expect(token).not.toBe(manager.token);
    expect(await request(services, { authentication: manager })).toMatchObject({
      folders: ['Analysis', 'Basemaps', 'Planning', 'System', 'Transport', 'Utilities'],
      services: [{ name: 'Overview', type: 'MapServer' }],
    });
    expect(
      await request(`${services}/Basemaps`, { authentication: manager, httpMethod: 'GET' }),
    ).toMatchObject({
      folders: [],
      services: [
        { name: 'Basemaps/City', type: 'MapServer' },
        { name: 'Basemaps/Streets', type: 'TileServer' },
      ],
    });
    await expect(request(services)).rejects.toMatchObject({ code: 499 });
    await expect(request(`${services}/None`, { authentication: manager })).rejects.toMatchObject({
      code: 404,
    });
  });

  test('take no token of a token that is none, of another server, or for longer', async () => {
    const { token, tokenExpires } = await signIn();
    const exchange = (params: object) => request(`${portal}/generateToken`, { params });
    const serverUrl = running.url;
    await expect(exchange({ token: 'invented', serverUrl })).rejects.toMatchObject({ code: 498 });
    await expect(exchange({ token, serverUrl: 'https://other.test/gis' })).rejects.toMatchObject({
      code: 400,
    });
    await expect(exchange({ token, serverUrl: `${serverUrl}evil` })).rejects.toMatchObject({ code: 400 });
    const { expires } = await exchange({ token, serverUrl, expiration: 1_000_000 });
    expect(expires).toBe(tokenExpires.getTime());
    // It is bound to what the first one was bound to.
    const other = await exchange({ token, serverUrl });
    await expect(
      request(`${portal}/community/self`, { params: { token: other.token }, headers: { referer: 'x' } }),
    ).rejects.toMatchObject({ code: 498 });
  });

  test('are found where only the host is known', async () => {
    const { origin } = new URL(running.url);
    const { findBase } = await import('../../src/client/sign-in.ts');
    expect(await findBase(fetch, origin)).toBe(running.url);
  });
});
