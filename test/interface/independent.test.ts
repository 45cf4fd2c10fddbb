import { ArcGISIdentityManager, request } from '@esri/arcgis-rest-request';
import { BearerSecurity, createClientAsync } from 'soap';
import { describe, expect, test } from 'vitest';
import { admin, type Running, startRunning, tokenOf } from './running.ts';

// The names of the interface document are in `statements/`.
describe('an independent SOAP client, from the WSDL of the profile "arcgis"', () => {
  const profile = 'arcgis';

  test('finds every operation', async () => {
    await using running = await startRunning({ profile });
    const client = await createClientAsync(`${running.url}/services?wsdl`);
    expect(Object.keys(client.describe().Catalog.ServiceCatalogPort).toSorted()).toEqual([
      'GetFolders',
      'GetMessageFormats',
      'GetMessageVersion',
      'GetServiceDescriptions',
      'GetServiceDescriptionsEx',
      'GetTokenServiceURL',
      'RequiresTokens',
    ]);
  });

  test('calls all seven operations', async () => {
    await using running = await startRunning({ profile });
    const client = await createClientAsync(`${running.url}/services?wsdl`);
    client.setSecurity(new BearerSecurity(await tokenOf(running)));
    const call = async (operation: string, args: object = {}) => (await client[`${operation}Async`](args))[0];

    const versions = await call('GetMessageVersion');
    expect(versions.MessageVersion).toBe('esriArcGISVersion108');
    expect(versions.ProMessageVersion).toBe('esriArcGISProVersion3_3');
    expect(await call('GetMessageFormats')).toEqual({
      MessageFormats: 'esriServiceCatalogMessageFormatSoap',
    });
    expect(await call('GetTokenServiceURL')).toEqual({
      TokenServiceURL: `${running.url}/sharing/rest/generateToken`,
    });
    expect(await call('RequiresTokens')).toEqual({ Result: true });
    expect((await call('GetFolders')).FolderNames.String).toEqual([
      'Analysis',
      'Basemaps',
      'Planning',
      'System',
      'Transport',
      'Utilities',
    ]);
    const all = (await call('GetServiceDescriptions')).ServiceDescriptions.ServiceDescription;
    expect(all).toHaveLength(11);
    const inFolder = await call('GetServiceDescriptionsEx', { FolderName: 'Basemaps' });
    expect(inFolder.ServiceDescriptions.ServiceDescription.map(({ Name }: { Name: string }) => Name)).toEqual(
      ['Basemaps/City', 'Basemaps/Streets'],
    );
    const inRoot = await call('GetServiceDescriptionsEx', { FolderName: '' });
    expect(inRoot.ServiceDescriptions.ServiceDescription).toMatchObject([{ Name: 'Overview' }]);
    expect(await call('GetServiceDescriptionsEx', { FolderName: 'None' })).toMatchObject({
      ServiceDescriptions: expect.not.objectContaining({ ServiceDescription: expect.anything() }),
    });
  });

  test('carries its token in the address', async () => {
    await using running = await startRunning({ profile });
    const client = await createClientAsync(`${running.url}/services?wsdl`);
    client.setEndpoint(`${running.url}/services?token=${await tokenOf(running)}`);
    const [folders] = await client.GetFoldersAsync({});
    expect(folders.FolderNames.String).toHaveLength(6);
  });

  test('understands the fault for want of a token', async () => {
    await using running = await startRunning({ profile });
    const client = await createClientAsync(`${running.url}/services?wsdl`);
    await expect(client.GetFoldersAsync({})).rejects.toMatchObject({
      root: { Envelope: { Body: { Fault: { faultcode: 'soap:Client', faultstring: 'Token Required.' } } } },
    });
  });
});

describe('the independent REST client of the vendor, under the profile "arcgis"', () => {
  /** Signs in as that client does, and gives what it authenticates its requests with. */
  async function signedIn({ url }: Running) {
    const portal = `${url}/sharing/rest`;
    const manager = await ArcGISIdentityManager.signIn({ ...admin, portal });
    // It looks for the token of another server elsewhere; the administrative interface takes that of the portal.
    return { portal, getToken: () => manager.getToken(portal), manager };
  }

  test('signs in and learns who it is', async () => {
    await using running = await startRunning({ profile: 'arcgis' });
    const { manager } = await signedIn(running);
    expect(await manager.getUsername()).toBe('admin');
    expect(manager.tokenExpires.getTime()).toBeGreaterThan(Date.now());
  });

  test('gets a clear error for a wrong password', async () => {
    await using running = await startRunning({ profile: 'arcgis' });
    const portal = `${running.url}/sharing/rest`;
    await expect(
      ArcGISIdentityManager.signIn({ username: 'admin', password: 'wrong', portal }),
    ).rejects.toThrow('Unable to generate token.');
  });

  test('exports logs and reads the job', async () => {
    await using running = await startRunning({ profile: 'arcgis' });
    const authentication = await signedIn(running);
    const { root } = running.client.addresses;
    const params = { num: 10, stackTraces: false, logLevel: 'INFO' };
    const submitted = await request(`${root}/logs/export`, { authentication, params });
    expect(submitted).toMatchObject({ status: 'SUBMITTED', jobid: expect.any(String) });
    running.wait(10_000);
    expect(await request(submitted.jobsUrl, { authentication })).toMatchObject({
      status: 'COMPLETED',
      name: 'exportLogs',
      result: { URL: expect.stringContaining('/admin/uploads/') },
    });
  });

  test('reads and edits default properties', async () => {
    await using running = await startRunning({ profile: 'arcgis' });
    const authentication = await signedIn(running);
    const address = running.client.addresses.properties;
    const { properties } = await request(address, { authentication, httpMethod: 'GET' });
    const template = properties.find(({ provider }: { provider: string }) => provider === 'ArcObjects11');
    const propertyJson = {
      ...template,
      spec: { ...template.spec, replicas: { min: 2, max: 2, scalingMode: 'manual' } },
    };
    expect(
      await request(`${address}/${template.id}/edit`, { authentication, params: { propertyJson } }),
    ).toEqual({
      status: 'success',
    });
    expect(await request(`${address}/${template.id}`, { authentication })).toMatchObject({
      spec: { replicas: { min: 2, max: 2 } },
    });
    await expect(
      request(`${address}/${template.id}/edit`, { authentication, params: { propertyJson } }),
    ).rejects.toMatchObject({ code: 400, message: '400: Invalid parameters.' });
  });

  test('uploads a license and upgrades', async () => {
    await using running = await startRunning({ profile: 'arcgis', version: '11.0' });
    const authentication = await signedIn(running);
    const { upgrades, upload } = running.client.addresses;
    const { versions } = await request(`${upgrades}/available`, { authentication });
    const { id } = versions.find(({ type }: { type: string }) => type === 'release');
    const { userInputs } = await request(`${upgrades}/getUpgradeSettings`, {
      authentication,
      params: { upgradeId: { id } },
    });
    const itemFile = new Blob(['{}'], { type: 'application/json' });
    const { item } = await request(upload, {
      authentication,
      params: { itemFile, fileName: 'license.json' },
    });
    const filled = userInputs.map((each: { id: string }) =>
      each.id === 'licenseUpload' ? { ...each, value: item.itemID } : each,
    );
    const params = {
      versionManifest: { id },
      upgradeSettings: { userInputs: filled },
      // A file makes it a multipart form, as the operation wants.
      versionManifestFile: new Blob([]),
    };
    expect(await request(`${upgrades}/upgrade`, { authentication, params })).toMatchObject({
      status: { state: 'in_progress', code: 1 },
    });
    running.wait(100_000);
    expect(await request(upgrades, { authentication, httpMethod: 'GET' })).toMatchObject({
      status: { state: 'success', code: 3 },
    });
    expect(await request(`${upgrades}/checkRollback`, { authentication })).toMatchObject({
      updates: [{ type: 'release' }],
    });
  });

  test('signs out', async () => {
    await using running = await startRunning({ profile: 'arcgis' });
    const { manager } = await signedIn(running);
    const { portal, token } = manager;
    await request(`${portal}/oauth2/revokeToken`, { params: { auth_token: token } });
    await expect(request(`${portal}/community/self`, { params: { token } })).rejects.toMatchObject({
      code: 498,
    });
  });
});
