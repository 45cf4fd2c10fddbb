import { describe, expect, test } from 'vitest';
import { openClient } from '../../src/client/client.ts';
import { addressesFor, clientOf, deploymentOf, noPause } from './deployment.ts';

const user = { kind: 'password', username: 'ann', password: 'Zz-9 geheim' } as const;
const info = Response.json({ authInfo: { isTokenBasedSecurity: true } });
const missing = new Response('<html><h1>404</h1></html>', { status: 404 });

async function signInError(url: string, answer: Parameters<typeof deploymentOf>[0]) {
  const { fetch: transport, seen } = deploymentOf(answer);
  await using client = openClient({
    addresses: addressesFor(url),
    credentials: user,
    transport,
    retry: noPause,
  });
  const error: unknown = await client.signIn().catch((thrown: unknown) => thrown);
  return { message: error instanceof Error ? error.message : '', seen };
}

describe('an address below the base is answered with the base', () => {
  test.each([
    ['https://gis.example.com/arcgis/home', 'https://gis.example.com/arcgis'],
    ['https://gis.example.com/arcgis/home/index.html?x=1', 'https://gis.example.com/arcgis'],
    ['https://gis.example.com/gis/prod/sharing/rest', 'https://gis.example.com/gis/prod'],
    ['https://gis.example.com/arcgis/sharing/rest/info', 'https://gis.example.com/arcgis'],
    ['https://gis.example.com/arcgis/manager/', 'https://gis.example.com/arcgis'],
    ['https://gis.example.com/arcgis/rest/services', 'https://gis.example.com/arcgis'],
    ['https://gis.example.com/arcgis/rest/services/Roads/MapServer', 'https://gis.example.com/arcgis'],
  ])('%s', async (given, base) => {
    for (const answer of [missing, new Response('<html><title>Home</title></html>')]) {
      const { message } = await signInError(given, () => answer.clone());
      expect(message).toContain(`likely "${base}": try "--url ${base}"`);
    }
  });

  test('one that looks like a base is not', async () => {
    const { message, seen } = await signInError('https://gis.example.com/arcgis', () => missing.clone());
    expect(message).toContain('check the address of the deployment');
    expect(seen).toHaveLength(1);
  });
});

describe('an address without a context', () => {
  test('the deployment is looked for on the host, without the password', async () => {
    const { message, seen } = await signInError('https://gis.example.com', ({ path }) =>
      path === '/portal/sharing/rest/info' ? info.clone() : missing.clone(),
    );
    expect(message).toContain('a deployment answers at "https://gis.example.com/portal"');
    expect(message).toContain('try "--url https://gis.example.com/portal"');
    const [first, ...others] = seen;
    expect(first?.path).toBe('/sharing/rest/generateToken');
    expect(others.map(({ method, search }) => [method, search])).toEqual(
      others.map(() => ['GET', '?f=json']),
    );
    expect(JSON.stringify(others.map(({ form, headers }) => [form, ...headers]))).not.toMatch(/geheim|ann/);
  });

  test('nothing is proposed where nothing answers as a deployment does', async () => {
    const answers = [missing, Response.json({ ok: true }), new Response('[]'), new Response('<html>')];
    for (const answer of answers) {
      const { message } = await signInError('https://gis.example.com', ({ path }) =>
        (path.includes('generateToken') ? missing : answer).clone(),
      );
      expect(message).not.toContain('--url');
    }
  });
});

describe('a redirect to a sign-in page is explained', () => {
  const to = (location: string) => new Response(null, { status: 302, headers: { location } });

  test.each([
    '/arcgis/sharing/oauth2/authorize?client_id=x',
    '/signin?returnUrl=x',
    '/login.aspx',
    'https://login.example.com/',
    'https://example.okta.com/app/1',
    'https://id.example.com/adfs/ls/?wtrealm=x',
    'https://id.example.com/x?SAMLRequest=fZ',
    'https://id.example.com/auth/realms/gis/protocol/openid-connect/auth?response_type=code',
  ])('%s', async (location) => {
    const { message } = await signInError('https://gis.example.com/arcgis', () => to(location));
    expect(message).toContain('a sign-in page: single sign-on or the web tier stands before the deployment');
    expect(message).not.toContain('SAMLRequest');
  });

  test('also where the zip was expected', async () => {
    const { fetch } = deploymentOf(() => to('https://login.example.com/'));
    const { openUpload } = await import('../../src/client/exports.ts');
    const upload = 'https://gis.example.com/arcgis/admin/uploads/i1';
    const opened = openUpload(clientOf(fetch), { upload, signal: new AbortController().signal });
    await expect(opened).rejects.toThrow('a sign-in page: single sign-on');
  });

  test('other redirects lead to where the deployment is', async () => {
    const { message } = await signInError('https://gis.example.com/arcgis', () =>
      to('https://new.example.com/arcgis/sharing/rest/generateToken'),
    );
    expect(message).toContain('use the address of the deployment that it leads to');
  });
});
