import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { isExempt, openNetwork, toProxyAddress } from '../../src/client/network.ts';
import { listen, serve, serveTls } from './http-server.ts';
import { runProxy } from './proxy.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const identity = { key: read('localhost-key.pem'), cert: read('localhost-certificate.pem') };

/** Posts a form through a proxy and gives the answer, which repeats it. */
async function post(url: string, proxy: string, except?: string): Promise<string> {
  await using network = openNetwork({
    authorities: identity.cert,
    proxy: { http: proxy, https: proxy, except },
  });
  const response = await network.send(new Request(url, { method: 'POST', body: 'a=b' }));
  return `${response.status} ${await response.text()}`;
}

const echo = async (request: Parameters<typeof text>[0], response: { end: (text: string) => void }) =>
  response.end(`got ${await text(request)}`);

describe('a proxy', () => {
  test('tunnels to an address with TLS', async () => {
    await using server = await serveTls(identity, echo);
    await using proxy = await runProxy({ account: 'ann:p@ss wörd' });
    const address = proxy.url.replace('//', '//ann:p%40ss%20w%C3%B6rd@');
    expect(await post(server.url, address)).toBe('200 got a=b');
    expect(proxy.asked).toEqual([`CONNECT ${new URL(server.url).host}`]);
  });

  test('forwards to an address without', async () => {
    await using server = await serve(echo);
    await using proxy = await runProxy({ account: 'ann:secret' });
    expect(await post(`${server.url}/x`, proxy.url.replace('//', '//ann:secret@'))).toBe('200 got a=b');
    expect(proxy.asked).toEqual([`POST ${server.url}/x`]);
  });

  test('is left out where an exception says so', async () => {
    await using server = await serve(echo);
    await using proxy = await runProxy({ closes: true });
    expect(await post(server.url, proxy.url, '127.0.0.0/8')).toBe('200 got a=b');
    expect(proxy.asked).toEqual([]);
  });
});

describe.each(['http', 'https'] as const)('a proxy that fails for an address with %s', (scheme) => {
  const target = `${scheme}://gis.example.com/arcgis`;

  test.each([
    [
      'requires credentials',
      { account: 'ann:right' },
      'PROXY_REFUSED',
      /requires credentials, or does not accept/,
    ],
    [
      'forbids the host',
      { status: 403 },
      scheme === 'https' ? 'PROXY_REFUSED' : '',
      /refuses the connection \(HTTP 403\)/,
    ],
    [
      'does not reach it',
      { status: 502 },
      scheme === 'https' ? 'UNREACHABLE' : '',
      /does not reach the deployment/,
    ],
    [
      'ends the connection',
      { closes: true },
      'UNREACHABLE',
      /broke before .*through the proxy "127\.0\.0\.1:\d+"/,
    ],
  ])('%s', async (_how, options, code, message) => {
    await using proxy = await runProxy(options);
    const outcome = await post(target, proxy.url.replace('//', '//ann:hunter2-secret@')).catch(
      (error) => error,
    );
    // Replies that a proxy forwards and its own cannot be told apart.
    if (code === '') return expect(outcome).toContain('Denied');
    expect(outcome).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(`${outcome.message}${String(outcome.cause)}`).not.toContain('hunter2');
  });

  test('is not there', async () => {
    const server = await runProxy();
    const { url } = server;
    await server[Symbol.asyncDispose]();
    await expect(post(target, url)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      arrived: false,
      message: expect.stringMatching(/^The proxy "127\.0\.0\.1:\d+" cannot be reached: check "--proxy"/),
    });
  });
});

test('a certificate that is not trusted is that of the deployment, also behind a proxy', async () => {
  await using server = await serveTls(identity, echo);
  await using proxy = await runProxy();
  await using network = openNetwork({ proxy: { https: proxy.url } });
  await expect(network.send(new Request(server.url))).rejects.toMatchObject({
    code: 'UNTRUSTED',
    message: expect.stringMatching(/^The certificate of "localhost:\d+" is self-signed.*through the proxy/),
  });
});

test('a tunnel that does not answer is given up', async () => {
  const silent = createServer(() => {});
  const port = await listen(silent);
  await using network = openNetwork({ proxy: { https: `http://127.0.0.1:${port}` }, answerTimeout: 100 });
  await expect(network.send(new Request('https://gis.example.com/'))).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringContaining(`through the proxy "127.0.0.1:${port}"`),
  });
  silent.close();
});

test.each([
  ['gis.example.com', 'gis.example.com', true],
  ['gis.example.com', 'example.com', true],
  ['gis.example.com', '.example.com', true],
  ['gis.example.com', '*.example.com', true],
  ['notexample.com', 'example.com', false],
  ['gis.example.com', 'other.com, GIS.Example.COM', true],
  ['gis.example.com', 'a.b gis.example.com.', true],
  ['gis.example.com', '*', true],
  ['gis.example.com', '', false],
  ['gis.example.com', '.', false],
  ['gis.example.com:7443', 'example.com:7443', true],
  ['gis.example.com:7443', 'example.com:443', false],
  ['gis.example.com', 'example.com:443', true],
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.30', '10.1.2.3', false],
  ['10.1.2.3', '10.0.0.0/99', false],
  ['gis.example.com', '10.0.0.0/8', false],
  ['[fd00::5]', 'fd00::/8', true],
  ['[fd00::5]', 'FD00:0::5', true],
  ['[fd00::5]:7443', '[fd00::5]:7443', true],
  ['[fd00::5]:7443', '[fd00::5]:443', false],
])('%s is exempt by "%s": %s', (host, list, expected) => {
  expect(isExempt(`https://${host}/arcgis`, list)).toBe(expected);
});

test.each([
  ['proxy.example.com:3128', 'http://proxy.example.com:3128/'],
  ['https://ann:a%40b@proxy:443', 'https://ann:a%40b@proxy/'],
  ['socks5://proxy:1080', undefined],
  ['http://ann:100%@proxy', undefined],
  ['http://ann:%FF@proxy', undefined],
  ['', undefined],
])('%j is the proxy %j', (written, expected) => {
  expect(toProxyAddress(written)).toBe(expected);
});
