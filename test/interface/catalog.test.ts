import { describe, expect, test } from 'vitest';
import {
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
  getServiceDescriptionsEx,
  getTokenServiceUrl,
  requiresTokens,
} from '../../src/client/catalog.ts';
import { formatValues, sourceOf, vendorProfiles, versionValues } from '../../src/protocol/catalog.ts';
import { guest, startRunning, tokenOf } from './running.ts';

// The names of the interface document are in `statements/`.
describe('the catalog under the profile "arcgis"', () => {
  const profile = 'arcgis';
  test('all seven operations', async () => {
    await using running = await startRunning({ profile });
    const { client, url } = running;
    const names = { profile: vendorProfiles[profile] };
    const versions = await getMessageVersion(client, names);
    expect(versionValues(vendorProfiles[profile])).toContain(versions.messageVersion);
    expect(versionValues(vendorProfiles[profile])).toContain(versions.proMessageVersion);
    expect(formatValues(vendorProfiles[profile])).toContain(await getMessageFormats(client, names));
    expect(await getTokenServiceUrl(client, names)).toBe(`${url}/sharing/rest/generateToken`);
    expect(await requiresTokens(client, names)).toBe(true);
    const folders = await getFolders(client, names);
    expect(folders).toEqual(['Analysis', 'Basemaps', 'Planning', 'System', 'Transport', 'Utilities']);
    const services = await getServiceDescriptions(client, names);
    for (const service of services) {
      expect(Object.keys(service)).toEqual([
        'name',
        'type',
        'url',
        'parentType',
        'capabilities',
        'description',
      ]);
      for (const value of Object.values(service)) expect(value).toBeTypeOf('string');
    }
    const inFolders = await Promise.all(
      ['', ...folders].map((folder) => getServiceDescriptionsEx(client, folder, names)),
    );
    expect(inFolders.flat().map(sourceOf).toSorted()).toEqual(services.map(sourceOf).toSorted());
  });
});

test('the root folder is the empty name, and an unknown folder is empty', async () => {
  await using running = await startRunning();
  const { url } = running;
  expect(await getServiceDescriptionsEx(running.client, '')).toMatchObject([
    { name: 'Overview', type: 'MapServer', url: `${url}/services/Overview/MapServer` },
  ]);
  expect(await getServiceDescriptionsEx(running.client, `<&"'>\r\n`)).toEqual([]);
});

test('the sources of the services are those of the logs', async () => {
  await using running = await startRunning();
  const sources = (await getServiceDescriptions(running.client)).map(sourceOf);
  expect(sources).toContain('Utilities/Water.FeatureServer');
  expect(sources).toContain('Analysis/Drainage.GPServer');
});

test('without a token only the way to one is shown', async () => {
  await using running = await startRunning();
  await using anonymous = running.open({ credentials: { kind: 'none' } });
  expect(await requiresTokens(anonymous)).toBe(true);
  expect(await getTokenServiceUrl(anonymous)).toContain('/generateToken');
  expect(await getMessageFormats(anonymous)).toContain('Soap');
  await expect(getFolders(anonymous)).rejects.toMatchObject({
    code: 'TOKEN_EXPIRED',
    message: expect.stringContaining('Token Required'),
  });
});

test('a deployment without tokens shows everything to everyone', async () => {
  await using running = await startRunning({ requiresTokens: false });
  await using anonymous = running.open({ credentials: { kind: 'none' } });
  expect(await requiresTokens(anonymous)).toBe(false);
  expect(await getServiceDescriptions(anonymous)).toHaveLength(11);
});

test('any user who is signed in sees the services', async () => {
  await using running = await startRunning();
  await using client = running.open({ credentials: { kind: 'password', ...guest } });
  expect(await getFolders(client)).toHaveLength(6);
});

test('a token that has ended is renewed', async () => {
  await using running = await startRunning({
    faults: [{ on: 'catalog', skip: 1, times: 1, effect: 'expireTokens' }],
  });
  expect(await getFolders(running.client)).toHaveLength(6);
  expect(await getFolders(running.client)).toHaveLength(6);
});

test.each(['header', 'address'] as const)('the token goes in the %s', async (soapToken) => {
  await using running = await startRunning();
  const seen: Request[] = [];
  const transport = async (request: Request) => {
    seen.push(request.clone());
    return fetch(request);
  };
  const credentials = { kind: 'token', token: await tokenOf(running) } as const;
  await using client = running.open({ credentials, transport, soapToken });
  expect(await getFolders(client)).toHaveLength(6);
  const [request] = seen;
  expect(new URL(request?.url ?? '').searchParams.has('token')).toBe(soapToken === 'address');
  expect(request?.headers.has('authorization')).toBe(soapToken === 'header');
  expect(request?.headers.get('soapaction')).toBe('""');
});

test('a folder whose name XML cannot carry is not asked for', async () => {
  await using running = await startRunning();
  await expect(getServiceDescriptionsEx(running.client, 'Road\u0000s')).rejects.toMatchObject({
    code: 'REFUSED',
    arrived: false,
  });
});

describe('what is no answer', () => {
  test.each([
    ['a page', { effect: 'page' }, 'BAD_REPLY', 'answered with a web page ("Sign in") instead of SOAP'],
    [
      'a failure in JSON',
      { effect: 'refuse', failure: { code: 403, message: 'No access.', details: [] } },
      'FORBIDDEN',
      'the user lacks the privilege to see the services (403: No access.)',
    ],
    ['a proxy', { effect: 'status', status: 404 }, 'BAD_REPLY', 'there is nothing at'],
  ] as const)('%s is understood', async (_, effect, code, message) => {
    await using running = await startRunning({ faults: [{ on: 'catalog', ...effect }] });
    await expect(getMessageFormats(running.client)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('a fault is asked for once only, although its status is 500', async () => {
    await using running = await startRunning();
    let calls = 0;
    const transport = async (request: Request) => {
      calls += 1;
      return fetch(request);
    };
    await using anonymous = running.open({ credentials: { kind: 'none' }, transport });
    await expect(getFolders(anonymous)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(calls).toBe(1);
  });

  test.each([
    ['<other/>', 'it is no SOAP message'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'it declares a document type'],
  ])('XML that is none: %s', async (text, problem) => {
    await using running = await startRunning();
    await using client = running.open({
      credentials: { kind: 'none' },
      transport: async () => new Response(text),
    });
    await expect(getFolders(client)).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining(problem),
    });
  });
});
