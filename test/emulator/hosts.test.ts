import { request } from 'node:http';
import { expect, test } from 'vitest';
import { isAllowedHost, type ServeOptions, serveDeployment } from '../../src/emulator/serve.ts';
import { startDeployment } from './calls.ts';

test.each([
  ['127.0.0.1:7080', true],
  ['127.1.2.3', true],
  ['localhost:7080', true],
  ['LocalHost.', true],
  ['gis.localhost', true],
  ['[::1]:7080', true],
  ['[0:0::1]', true],
  ['10.0.0.7:7080', true],
  ['10.0.0.8', false],
  ['gis.example.com:7080', true],
  ['GIS.example.com', true],
  ['evil.gis.example.com', false],
  ['rebound.example', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['notlocalhost', false],
  ['', false],
  ['a b', false],
  ['localhost/@evil.example', false],
  ['evil@localhost', false],
])('the host %j is allowed: %j', (host, allowed) => {
  expect(isAllowedHost({ host, localAddress: '::ffff:10.0.0.7' }, ['gis.example.com'])).toBe(allowed);
});

test('an address of IPv6 at which a request arrived is allowed with its brackets', () => {
  expect(isAllowedHost({ host: '[fd00::7]:80', localAddress: 'fd00::7' }, [])).toBe(true);
  expect(isAllowedHost({ host: '[fe80::1]', localAddress: 'fe80::1%eth0' }, [])).toBe(true);
  expect(isAllowedHost({ host: '[fd00::8]', localAddress: 'fd00::7' }, [])).toBe(false);
});

/** The status and body of a request whose `Host` header and target are as they are given. */
async function ask(options: ServeOptions, { path = '/gis/admin?f=json', host = '' }) {
  await using deployment = await startDeployment();
  await using served = await serveDeployment(deployment, options);
  const { hostname, port } = new URL(served.url);
  return await new Promise<{ status: number | undefined; body: string }>((answered, failed) => {
    const sent = request({ host: hostname, port, path, headers: { host } }, (reply) => {
      let body = '';
      reply.on('data', (chunk) => {
        body += chunk;
      });
      reply.on('end', () => answered({ status: reply.statusCode, body }));
    });
    sent.on('error', failed);
    sent.end();
  });
}

test('a request for a host of another site is refused, also where only its target names it', async () => {
  for (const wrong of [
    { host: 'rebound.example' },
    { host: 'rebound.example:80' },
    { host: '127.0.0.1', path: 'http://rebound.example/gis/admin?f=json' },
    { host: 'rebound.example', path: 'http://127.0.0.1/gis/admin?f=json' },
  ]) {
    const { status, body } = await ask({}, wrong);
    expect([status, JSON.parse(body)]).toMatchObject([421, { error: { code: 421 } }]);
  }
});

test('loopback names and names that were allowed are answered', async () => {
  for (const host of ['localhost', '127.0.0.1:1', 'gis.test'])
    expect(await ask({ hosts: ['gis.test'] }, { host })).toMatchObject({ status: 200 });
});
