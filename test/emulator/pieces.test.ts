import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { toCatalogRequest, vendorProfiles } from '../../src/protocol/catalog.ts';
import { admin, signIn, startDeployment } from './calls.ts';

/** Sends a request in pieces, without a stated length unless a header says it. */
function sendPieces(
  address: string,
  { method = 'POST', headers = {}, pieces = [] }: { method?: string; headers?: object; pieces?: string[] },
): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const sending = request(address, { method, headers: { ...headers } }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text });
    });
    sending.on('error', reject);
    for (const piece of pieces) sending.write(piece);
    sending.end();
  });
}

describe('a body without a stated length', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const { username, password } = admin;

  test('is read as a form', async () => {
    await using deployment = await startDeployment();
    await using served = await serveDeployment(deployment);
    const text = new URLSearchParams({ username, password, client: 'requestip', f: 'json' }).toString();
    const pieces = [text.slice(0, 7), text.slice(7)];
    const reply = await sendPieces(`${served.url}/sharing/rest/generateToken`, { headers: form, pieces });
    expect(reply).toMatchObject({ status: 200, body: { token: expect.any(String) } });
  });

  test('is read as a SOAP message and as an upload', async () => {
    await using deployment = await startDeployment();
    await using served = await serveDeployment(deployment);
    const soap = toCatalogRequest({ operation: 'RequiresTokens' }, vendorProfiles.default);
    const headers = { 'content-type': 'text/xml', soapaction: '""' };
    const asked = await sendPieces(`${served.url}/services`, { headers, pieces: [soap] });
    expect(asked).toMatchObject({ status: 200, body: expect.stringContaining('<Result>true</Result>') });
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
    const pieces = [
      part('name="token"', await signIn(deployment)),
      part('name="f"', 'json'),
      part('name="itemFile"; filename="license.json"', '{}'),
      '--x--\r\n',
    ];
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
    const uploaded = await sendPieces(`${served.url}/admin/uploads/upload`, { headers: multipart, pieces });
    expect(uploaded).toMatchObject({ body: { item: { itemName: 'license.json' } } });
  });

  test('is refused where it is too large', async () => {
    await using deployment = await startDeployment();
    await using served = await serveDeployment(deployment);
    const pieces = Array.from({ length: 20 }, () => 'a'.repeat(100_000));
    const address = `${served.url}/admin/system/upgrades/checkRollback`;
    expect(await sendPieces(address, { headers: form, pieces })).toMatchObject({ status: 413 });
  });

  test.each(['OPTIONS', 'DELETE', 'PUT', 'TRACE', 'PROPFIND'])('of a %s is none', async (method) => {
    await using deployment = await startDeployment();
    await using served = await serveDeployment(deployment);
    const address = `${served.url}/admin/system/upgrades?f=json`;
    expect(await sendPieces(address, { method })).toMatchObject({
      status: 405,
      body: { error: { code: 405, details: [`This requires GET or POST, not ${method}.`] } },
    });
  });
});
