import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { fromCatalogReply } from '../../src/protocol/catalog.ts';
import { sampled } from '../effort.ts';
import { processorTime } from '../processor-time.ts';
import { admin, exportLogs, host, post, postJson, signIn, startDeployment, textOf } from './calls.ts';

const catalog = `${host}/gis/services`;
const uploads = '/gis/admin/uploads/upload';
const properties = '/gis/admin/system/deployments/properties';

const soap = (body: string) =>
  new Request(catalog, { method: 'POST', body, headers: { 'content-type': 'text/xml', soapaction: '""' } });

const envelope = (content: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`;

describe('SOAP messages that are made to do harm', () => {
  const laughs = [...'bcdefghij']
    .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)
    .join('');
  const bomb = `<!DOCTYPE a [<!ENTITY a "ha">${laughs}]>${envelope('<GetFolders>&j;</GetFolders>')}`;
  const blowUp = `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(20_000)}">]>${envelope(`<GetFolders>${'&a;'.repeat(10_000)}</GetFolders>`)}`;
  const external = `<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>${envelope('<GetServiceDescriptionsEx><FolderName>&a;</FolderName></GetServiceDescriptionsEx>')}`;
  const remote = `<!DOCTYPE a SYSTEM "http://127.0.0.1:1/evil.dtd">${envelope('<GetFolders/>')}`;

  test.each(
    sampled(
      [
        ['a bomb of entities', bomb],
        ['one large entity', blowUp],
        ['an external entity', external],
        ['a remote document type', remote],
        ['too deep nesting', envelope('<a>'.repeat(20_000))],
        ['no XML at all', '{"operation":"GetFolders"}'],
        ['nothing', ''],
      ],
      2,
    ),
  )('%s is answered with a fault in a moment', async (_, body) => {
    await using deployment = await startDeployment();
    const ask = async () => {
      const response = await deployment.fetch(soap(body));
      return { response, text: await response.text() };
    };
    expect(await processorTime(ask)).toBeLessThan(2000);
    const { response, text } = await ask();
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/xml; charset=utf-8']);
    expect(fromCatalogReply(text, 'GetFolders')).toMatchObject({
      fault: { code: 'Client', message: 'Invalid request.' },
    });
    expect(text).not.toContain('root:');
    expect(text.length).toBeLessThan(1000);
  });

  test('a message over the limit is refused', async () => {
    await using deployment = await startDeployment();
    const response = await deployment.fetch(
      soap(envelope(`<GetFolders>${' '.repeat(1_100_000)}</GetFolders>`)),
    );
    expect(response.status).toBe(413);
  });
});

describe('uploads', () => {
  async function upload(
    deployment: Awaited<ReturnType<typeof startDeployment>>,
    name: string,
    description = '',
  ) {
    const body = new FormData();
    body.set('itemFile', new Blob(['{"a":1}']), name);
    for (const [key, value] of Object.entries({ description, token: await signIn(deployment), f: 'json' }))
      body.set(key, value);
    const response = await deployment.fetch(new Request(host + uploads, { method: 'POST', body }));
    return response.json();
  }

  test.each(
    sampled(
      [
        ['../../etc/passwd', 'passwd'],
        ['..\\..\\windows\\system.ini', 'system.ini'],
        ['/etc/shadow', 'shadow'],
        ['..', 'unnamed'],
        ['a/..', 'unnamed'],
        ['x\r\nSet-Cookie: a=b.json', 'xSet-Cookie: a=b.json'],
        ['a"; filename="b.json', 'a; filename=b.json'],
        ['\u202Egnp.json', 'gnp.json'],
        ['Lizenz für Köln.json', 'Lizenz für Köln.json'],
        [`${'a'.repeat(500)}.json`, 'a'.repeat(200)],
      ],
      2,
    ),
  )('the name %j becomes %j', async (name, kept) => {
    await using deployment = await startDeployment();
    const item = await upload(deployment, name);
    // Characters that cannot be in the header of a part of a form arrive escaped.
    const expected = kept.includes('Set-Cookie') || kept.includes('filename=') ? expect.any(String) : kept;
    expect(item).toMatchObject({ status: 'success', item: { itemName: expected } });
    const token = await signIn(deployment);
    const id = textOf(item, 'item', 'itemID');
    const response = await post(deployment, `/gis/admin/uploads/${id}/download`, { token });
    expect(await response.text()).toBe('{"a":1}');
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[\w .()+,=@-]*"(; filename\*=UTF-8''[\w.%~!-]*)?$/);
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
  });

  test('an identifier is no path', async () => {
    await using deployment = await startDeployment();
    const token = await signIn(deployment);
    for (const id of ['..%2F..%2Fetc%2Fpasswd', '%2e%2e', 'i1%00', '%ff']) {
      const response = await post(deployment, `/gis/admin/uploads/${id}/download`, { token });
      expect(await response.json()).toMatchObject({ error: { code: 404 } });
    }
  });

  test('what was uploaded is shown as text and never as a page', async () => {
    await using deployment = await startDeployment();
    const item = await upload(deployment, '<img src=x onerror=alert(1)>.json', '<script>alert(1)</script>');
    const token = await signIn(deployment);
    const address = `/gis/admin/uploads/${textOf(item, 'item', 'itemID')}`;
    const page = await (await post(deployment, address, { token, f: 'html' })).text();
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
    expect(page).toContain('&#60;script&#62;');
  });

  test('the oldest are forgotten', async () => {
    await using deployment = await startDeployment();
    const first = await upload(deployment, 'first.json');
    for (let count = 0; count < 50; count += 1) await upload(deployment, `${count}.json`);
    const reply = await postJson(deployment, `/gis/admin/uploads/${textOf(first, 'item', 'itemID')}`, {
      token: await signIn(deployment),
    });
    expect(reply).toMatchObject({ error: { code: 404 } });
  });
});

describe('the forms of the pages', () => {
  type Started = Awaited<ReturnType<typeof startDeployment>>;
  const send = (
    deployment: Started,
    path: string,
    form: Record<string, string> | undefined,
    headers: Record<string, string>,
  ) =>
    deployment.fetch(
      new Request(host + path, { headers, ...(form && { method: 'POST', body: new URLSearchParams(form) }) }),
    );

  async function browser(deployment: Started) {
    const login = await send(deployment, '/gis/admin/login', admin, {
      origin: host,
      'sec-fetch-site': 'same-origin',
    });
    expect([login.status, login.headers.get('location')]).toEqual([303, '/gis/admin']);
    const cookie = login.headers.get('set-cookie') ?? '';
    const page = await (
      await send(deployment, `${properties}/x/edit`, undefined, { cookie: cookie.split(';')[0] ?? '' })
    ).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    return { attributes: cookie, cookie: cookie.split(';')[0] ?? '', csrf, page };
  }

  test('the cookie of a session is out of reach of scripts and other sites', async () => {
    await using deployment = await startDeployment();
    const { attributes } = await browser(deployment);
    expect(attributes).toMatch(
      /^reference_session=[\w-]{64}; Path=\/gis; Max-Age=3600; HttpOnly; SameSite=Strict$/,
    );
  });

  test('who is signed in needs no token, but the value of the form', async () => {
    await using deployment = await startDeployment();
    const { cookie, csrf, page } = await browser(deployment);
    expect(page).not.toContain('name="token"');
    const own = { cookie, origin: host };
    const listed = await (await send(deployment, properties, undefined, { cookie })).text();
    expect(listed).toContain('GPServer');
    const path = '/gis/admin/system/upgrades/checkRollback';
    expect(await (await send(deployment, path, { csrf }, own)).text()).toContain('<th>updates</th>');
  });

  test.each(
    sampled<[string, Record<string, string>, Record<string, string>]>(
      [
        ['without the value', {}, {}],
        ['with another value', { csrf: 'a'.repeat(43) }, {}],
        ['with a value of another length', { csrf: '' }, {}],
        ['from another site', { csrf: 'right' }, { origin: 'https://evil.example' }],
        ['from a sandboxed page', { csrf: 'right' }, { origin: 'null' }],
        ['from another site, as the browser says', { csrf: 'right' }, { 'sec-fetch-site': 'cross-site' }],
        ['from a neighbour, as the browser says', { csrf: 'right' }, { 'sec-fetch-site': 'same-site' }],
      ],
      2,
    ),
  )('a form %s is refused', async (_, form, headers) => {
    await using deployment = await startDeployment();
    const { cookie, csrf } = await browser(deployment);
    const sent = form.csrf === 'right' ? { csrf } : form;
    const response = await send(deployment, '/gis/admin/system/upgrades/checkRollback', sent, {
      cookie,
      ...headers,
    });
    expect(await response.text()).toContain('The form is not from a page of this session');
  });

  test('the value of one session does not fit another', async () => {
    await using deployment = await startDeployment();
    const [mine, other] = [await browser(deployment), await browser(deployment)];
    const response = await send(
      deployment,
      '/gis/admin/system/upgrades/checkRollback',
      { csrf: other.csrf },
      { cookie: mine.cookie },
    );
    expect(await response.text()).toContain('The form is not from a page of this session');
  });

  test('a cookie is worth nothing to programs', async () => {
    await using deployment = await startDeployment();
    const { cookie, csrf } = await browser(deployment);
    const response = await send(deployment, properties, { f: 'json' }, { cookie });
    expect(await response.json()).toMatchObject({ error: { code: 499 } });
    const foreign = { cookie, origin: 'https://evil.example' };
    const planted = await send(deployment, properties, { csrf, f: 'json' }, foreign);
    expect(await planted.json()).toMatchObject({ error: { code: 403 } });
  });

  test('nobody is signed in or out by a page of another site', async () => {
    await using deployment = await startDeployment();
    const login = await send(deployment, '/gis/admin/login', admin, { origin: 'https://evil.example' });
    expect(login.headers.has('set-cookie')).toBe(false);
    const { cookie } = await browser(deployment);
    await send(deployment, '/gis/admin/logout', {}, { cookie });
    expect(await (await send(deployment, properties, undefined, { cookie })).text()).toContain('GPServer');
  });

  test('signing out ends the session', async () => {
    await using deployment = await startDeployment();
    const { cookie, csrf } = await browser(deployment);
    const response = await send(deployment, '/gis/admin/logout', { csrf }, { cookie, origin: host });
    expect(response.headers.get('set-cookie')).toMatch(/^reference_session=; Path=\/gis; Max-Age=0;/);
    expect(await (await send(deployment, properties, undefined, { cookie })).text()).toContain(
      'Invalid token.',
    );
  });

  test('a wrong password is answered in the same words as a wrong name', async () => {
    await using deployment = await startDeployment();
    const words = async (form: { username: string; password: string }) => {
      const page = await (await send(deployment, '/gis/admin/login', form, {})).text();
      return page.replace(` value="${form.username}"`, '');
    };
    expect(await words({ ...admin, password: 'x' })).toBe(
      await words({ username: 'nobody', password: admin.password }),
    );
  });

  test('the front page leads to every other one', async () => {
    await using deployment = await startDeployment();
    const page = await (await send(deployment, '/gis/admin', undefined, {})).text();
    for (const title of [
      'Export logs',
      'Default properties',
      'Upgrades',
      'Upload a file',
      'Service catalog',
      'Sign in',
    ]) {
      expect(page).toContain(`<th>${title}</th>`);
    }
    for (const [, address = ''] of page.matchAll(/<a href="([^"]+)"/g)) {
      const path = new URL(address, host).pathname;
      expect([path, (await send(deployment, path, undefined, {})).status]).toEqual([path, 200]);
    }
  });
});

describe('senders', () => {
  test('one that is too slow is cut off', async () => {
    await using deployment = await startDeployment();
    await using served = await serveDeployment(deployment, { patience: 400 });
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      'POST /gis/admin/logs/export HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n',
    );
    let sent = 0;
    const dripping = setInterval(() => {
      socket.write('a');
      sent += 1;
    }, 50);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(dripping);
    // The body never became whole.
    expect(sent).toBeLessThan(1000);
  });

  test('a header cannot be split by an address or a form', async () => {
    await using deployment = await startDeployment();
    await using served = await serveDeployment(deployment);
    const response = await fetch(`${served.url}/services?wsdl&x=%0d%0aSet-Cookie:%20a=b`, {
      headers: { 'x-forwarded-host': 'evil\t' },
    });
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(await response.text()).toContain(`location="${served.url}/services"`);
  });

  test('only this machine is listened to', async () => {
    await using deployment = await startDeployment();
    await using served = await serveDeployment(deployment);
    expect(new URL(served.url).hostname).toBe('127.0.0.1');
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) {
      const refused = new Promise((resolve, reject) => {
        connect(Number(new URL(served.url).port), address)
          .once('error', resolve)
          .once('connect', reject);
      });
      await expect(refused).resolves.toMatchObject({ code: 'ECONNREFUSED' });
    }
  });
});

test('no log of the deployment holds a token, a password or the value of a form', async () => {
  await using deployment = await startDeployment({ logs: incidentLogs({ count: 200 }), logLevel: 'DEBUG' });
  const token = await signIn(deployment);
  const secrets = { token, password: admin.password, wrong: 'not the password' };
  await post(deployment, '/gis/sharing/rest/generateToken', {
    username: secrets.wrong,
    password: secrets.wrong,
    client: 'requestip',
  });
  for (const path of [
    properties,
    '/gis/admin/system/upgrades',
    `/gis/services?token=${token}`,
    `/gis/${token}`,
    uploads,
  ]) {
    await post(deployment, path, { token, propertyJson: token, upgradeId: token });
    await deployment.fetch(
      new Request(`${host}${path}`, { headers: { cookie: `reference_session=${token}` } }),
    );
  }
  await post(deployment, '/gis/sharing/rest/oauth2/revokeToken', { auth_token: token });
  const text = JSON.stringify(await exportLogs(deployment, { num: '10000', logLevel: 'DEBUG' }));
  expect(text).toContain('reference-deployment');
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
});
