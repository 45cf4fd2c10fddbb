import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toNetworkError } from '../../src/client/errors.ts';
import { checkedIdentity, type Identity, openNetwork } from '../../src/client/network.ts';
import { listen } from './http-server.ts';
import { runProxy } from './proxy.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const localhost = { key: read('localhost-key.pem'), cert: read('localhost-certificate.pem') };
const certificate = read('certificates/client.pem');
const key = read('certificates/client-key.pem');
const encrypted = read('certificates/client-key-encrypted.pem');

/** A deployment that asks for certificates of the authority of these tests. */
const server = createServer(
  { ...localhost, ca: read('certificates/authority.pem'), requestCert: true, rejectUnauthorized: true },
  (_request, response) => response.end('hello'),
);
let url: string;
beforeAll(async () => {
  url = `https://localhost:${await listen(server)}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function greet(identity?: Identity, proxy?: string): Promise<string> {
  await using network = openNetwork({ authorities: localhost.cert, identity, proxy: { https: proxy } });
  return (await network.send(new Request(url))).text();
}

test.each<[string, Identity]>([
  ['a plain key', { certificate, key }],
  ['an encrypted key', { certificate, key: encrypted, passphrase: 'open sesame' }],
])('a certificate with %s is accepted', async (_what, identity) => {
  expect(await greet(identity)).toBe('hello');
});

test('a certificate is shown to the deployment behind a proxy', async () => {
  await using proxy = await runProxy();
  expect(await greet({ certificate, key }, proxy.url)).toBe('hello');
});

test('a deployment that gets none says so', async () => {
  await expect(greet()).rejects.toMatchObject({
    message: expect.stringMatching(/requires a client certificate,? ?.*pass it with "--cert FILE"/),
  });
});

test('one of an authority that the deployment does not know is named as a possible cause', async () => {
  await expect(greet({ certificate: read('certificates/client-stranger.pem'), key })).rejects.toMatchObject({
    message: expect.stringContaining('does not accept the client certificate'),
  });
});

describe('what is wrong with a certificate shows before anything is sent', () => {
  const year = (number: number) => Date.UTC(number, 0);
  test.each<[string, Identity, number, RegExp]>([
    [
      'expired',
      { certificate: read('certificates/client-expired.pem'), key },
      year(2026),
      /expired on Jan .* 2021/,
    ],
    ['not valid yet', { certificate, key }, year(2019), /valid from .* 2020 .*check the clock/],
    ['of another key', { certificate, key: localhost.key }, year(2026), /is not that of the certificate/],
    ['no certificate', { certificate: key, key }, year(2026), /"--cert" requires a certificate in PEM form/],
    ['no key', { certificate, key: certificate }, year(2026), /"--key" requires a private key/],
    [
      'a wrong passphrase',
      { certificate, key: encrypted, passphrase: 'hunter2' },
      year(2026),
      /cannot be decrypted/,
    ],
    ['no passphrase', { certificate, key: encrypted }, year(2026), /cannot be decrypted/],
  ])('%s', (_what, identity, now, message) => {
    const check = () => checkedIdentity(identity, now);
    expect(check).toThrow(message);
    expect(check).toThrow(expect.objectContaining({ code: 'CLIENT_CERTIFICATE' }));
    expect(check).not.toThrow('hunter2');
  });
});

// Those that the server of Node does not send.
test.each([
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', true, 'does not accept the client certificate'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', true, 'does not accept the client certificate'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', false, 'requires a client certificate'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', false, 'where it requires a client certificate'],
])('%s, with a certificate at hand: %s', (code, hasIdentity, message) => {
  const error = Object.assign(new Error('failed'), { code });
  expect(toNetworkError(error, 'https://gis.example.com/', { hasIdentity })).toMatchObject({
    code: 'CLIENT_CERTIFICATE',
    message: expect.stringContaining(message),
  });
});
