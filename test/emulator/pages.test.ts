import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { rounds } from '../effort.ts';
import { admin, exportPath, formBody, host, signIn, startDeployment, type TestDeployment } from './calls.ts';

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const properties = '/gis/admin/system/deployments/properties';
const template = `${properties}/9375dd81-30d1-41c0-a802-cabb425159b1`;
const checkRollback = '/gis/admin/system/upgrades/checkRollback';

/** Someone with a browser: what it sends, and what it gets. */
function browser(deployment: TestDeployment) {
  let cookie = '';
  const ask = async (path: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const own = { accept, ...(cookie && { cookie }), ...(form && { origin: host }), ...headers };
    const sent = form && { method: 'POST', body: formBody(path, form) };
    const response = await deployment.fetch(new Request(host + path, { headers: own, ...sent }));
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { response, text: await response.text() };
  };
  const csrf = async () => /name="csrf" value="([^"]+)"/.exec((await ask('/gis/admin')).text)?.[1] ?? '';
  return { ask, csrf };
}

/** A browser in which someone is signed in, and the value of its forms. */
async function signedIn(deployment: TestDeployment, account: Record<string, string> = admin) {
  const { ask, csrf } = browser(deployment);
  await ask('/gis/admin/login', account);
  return { ask, csrf: await csrf() };
}

describe('the way in', () => {
  test.each(['/', '/gis', '/gis/'])('a browser is led on from %s', async (path) => {
    await using deployment = await startDeployment();
    const { response } = await browser(deployment).ask(path);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/gis/admin']);
    const program = await deployment.fetch(new Request(host + path));
    expect([program.status, program.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
  });

  test.each([
    ['/gis/admin/nothing', 'text/html; charset=utf-8'],
    ['/gis/admin/nothing?f=json', 'application/json; charset=utf-8'],
  ])('what is not there is reported to a browser at %s as %s', async (path, type) => {
    await using deployment = await startDeployment();
    const { response, text } = await browser(deployment).ask(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, type]);
    expect(text).toContain('There is no operation or resource at this address.');
  });

  test.each([
    ['/gis/admin/logs/export?num=5', '/gis/admin/logs/export?num=5'],
    [`${host}/gis/services`, '/gis/services'],
    ['https://evil.example/gis/admin', '/gis/admin'],
    ['//evil.example/gis/admin', '/gis/admin'],
    ['/\\evil.example/gis/', '/gis/admin'],
    ['/gis/../../evil', '/gis/admin'],
    ['javascript:alert(1)', '/gis/admin'],
    ['\tjavascript:alert(1)', '/gis/admin'],
    ['/gis/admin\r\nSet-Cookie: a=b', '/gis/adminSet-Cookie:%20a=b'],
    ['http://[', '/gis/admin'],
  ])('after signing in %j leads to %s', async (next, location) => {
    await using deployment = await startDeployment();
    const { response } = await browser(deployment).ask('/gis/admin/login', { ...admin, next });
    expect([response.status, response.headers.get('location')]).toEqual([303, location]);
    expect(response.headers.get('set-cookie')).toMatch(/^reference_session=/);
  });
});

describe('forms', () => {
  test('what is filled in is for those who have the privilege', async () => {
    const guest = { username: 'guest', password: 'a guest is welcome', privileges: ['exportLogs'] } as const;
    await using deployment = await startDeployment({ users: [admin, guest] });
    const edit = `${template}/edit`;
    const shown = async ({ ask }: Pick<Awaited<ReturnType<typeof signedIn>>, 'ask'>) =>
      (await ask(edit)).text;
    expect(await shown(await signedIn(deployment))).toContain('&#34;GPServer&#34;');
    expect(await shown(browser(deployment))).not.toContain('GPServer');
    const { username, password } = guest;
    expect(await shown(await signedIn(deployment, { username, password }))).not.toContain('GPServer');
  });

  test('the form for a template that is not there says so', async () => {
    await using deployment = await startDeployment();
    const { text } = await (await signedIn(deployment)).ask(`${properties}/none/edit`);
    expect(text).toContain('There is no property template with this identifier.');
    expect(text).not.toContain('<textarea');
  });

  test('the form of a child of the upgrades resource is closed during an upgrade', async () => {
    await using deployment = await startDeployment({ version: '11.2' });
    const { ask, csrf } = await signedIn(deployment);
    const available = await ask('/gis/admin/system/upgrades/available', { csrf });
    const patch = /(pat_\w+)/.exec(available.text)?.[1] ?? '';
    const versionManifest = JSON.stringify({ id: patch });
    const started = await ask('/gis/admin/system/upgrades/upgrade', { csrf, versionManifest });
    expect(started.text).toContain('in_progress');
    const { response, text } = await ask(checkRollback);
    expect(response.status).toBe(503);
    expect(text).toContain('This cannot be reached until it is over.');
  });

  test('whatever was typed is shown again when it is refused', async () => {
    await using deployment = await startDeployment();
    const { ask, csrf } = await signedIn(deployment);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (source) => {
        const { text } = await ask(exportPath, { csrf, num: '0', source, sortBy: 'time' });
        const [, again = ''] = /name="source"[^>]* value="([^"]*)"/.exec(text) ?? [];
        const plain = again.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
        expect(plain).toBe(source.toWellFormed());
        expect(text).toContain('<option selected>time</option>');
      }),
      { numRuns: rounds(200) },
    );
  });
});

describe('the session of a browser', () => {
  test.each(['html', 'json', 'pjson'])('counts for the pages of the deployment with f=%s', async (f) => {
    await using deployment = await startDeployment();
    const { ask, csrf } = await signedIn(deployment);
    expect((await ask(checkRollback, { csrf, f })).text).toContain('updates');
    expect((await ask(`${properties}?f=${f}`)).text).toContain('GPServer');
  });

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['without the value', {}, {}, 'Token Required.'],
    ['with another value', { csrf: 'a'.repeat(43) }, {}, 'not from a page of this session'],
    [
      'from another site',
      { csrf: 'own' },
      { origin: 'https://evil.example' },
      'not from a page of this session',
    ],
    [
      'from a neighbour',
      { csrf: 'own' },
      { 'sec-fetch-site': 'same-site' },
      'not from a page of this session',
    ],
  ])('a form for JSON %s is refused', async (_, sent, headers, words) => {
    await using deployment = await startDeployment();
    const { ask, csrf } = await signedIn(deployment);
    const form = { ...sent, ...(sent.csrf === 'own' && { csrf }), f: 'json' };
    expect((await ask(checkRollback, form, headers)).text).toContain(words);
  });

  test('JSON is not read for a page of another site', async () => {
    await using deployment = await startDeployment();
    const { ask } = await signedIn(deployment);
    const { text } = await ask(`${properties}?f=json`, undefined, { 'sec-fetch-site': 'same-site' });
    expect(text).not.toContain('GPServer');
  });

  test('what another site sent is not shown, and not ready to be sent', async () => {
    await using deployment = await startDeployment();
    const { ask, csrf } = await signedIn(deployment);
    const form = { csrf, propertyJson: 'planted by another site' };
    const { text } = await ask(`${template}/edit`, form, { origin: 'https://evil.example' });
    expect(text).toContain('not from a page of this session');
    expect(text).not.toContain('planted');
    expect(text).not.toContain('<textarea');
  });

  test('a link of another site fills in no form', async () => {
    await using deployment = await startDeployment();
    const { ask } = await signedIn(deployment);
    const shown = async (site: string) =>
      (await ask(`${exportPath}?source=planted`, undefined, { 'sec-fetch-site': site })).text;
    expect(await shown('same-origin')).toContain('value="planted"');
    for (const site of ['cross-site', 'same-site']) expect(await shown(site)).not.toContain('planted');
  });
});

test('no secret is shown again, and none is in a link', async () => {
  await using deployment = await startDeployment({ logs: incidentLogs({ count: 200 }) });
  const token = await signIn(deployment);
  const { ask } = browser(deployment);
  const secrets = { token, password: 'not the password', auth_token: token };
  for (const path of [exportPath, '/gis/admin/login', '/gis/sharing/rest/oauth2/revokeToken', properties]) {
    const search = new URLSearchParams(secrets).toString();
    const pages = [
      await ask(`${path}?${search}`),
      await ask(path, { ...secrets, num: 'x' }),
      await ask(path),
    ];
    for (const { text } of pages)
      for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  }
});

test('every page may hold its own style and nothing else that runs or loads', async () => {
  await using deployment = await startDeployment();
  const { ask } = await signedIn(deployment);
  for (const path of ['/gis/admin', exportPath, properties, '/gis/admin/nothing', '/gis/services']) {
    const { response, text } = await ask(path);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/<script|<img|<link|<iframe| on\w+=| style=/i);
    expect(text.match(/<style>/g)).toHaveLength(1);
  }
});
