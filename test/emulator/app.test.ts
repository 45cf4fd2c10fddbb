import { expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { exportPath, host, post, runJob, signIn, startDeployment, textOf } from './calls.ts';

test('an operation that requires POST answers GET with its form', async () => {
  await using deployment = await startDeployment();
  const response = await deployment.fetch(new Request(host + exportPath));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const page = await response.text();
  expect(page).toContain('<form method="post" action="/gis/admin/logs/export"');
  for (const name of [
    'num',
    'stackTraces',
    'logLevel',
    'startTime',
    'endTime',
    'logCode',
    'users',
    'requestIDs',
    'serviceTypes',
    'source',
    'searchQuery',
    'sortBy',
    'sortOrder',
    'token',
    'f',
  ]) {
    expect(page).toContain(`name="${name}"`);
  }
});

test.each(['GET', 'PUT', 'DELETE'])('asked for JSON with %s it says what it requires', async (method) => {
  await using deployment = await startDeployment();
  const response = await deployment.fetch(new Request(`${host}${exportPath}?f=json`, { method }));
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await response.json()).toEqual({
    error: { code: 405, message: 'Method not allowed.', details: [`This requires POST, not ${method}.`] },
  });
});

test('the default format is a page, with everything escaped', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  const searchQuery = `"</title><script>alert('x')</script>&`;
  const response = await post(deployment, exportPath, { token, searchQuery, f: '' });
  const page = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).not.toContain('<script>');
  expect(page).toContain('[&#34;&#60;/title&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;]');
});

test('a page shows the whole of a resource', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  const job = await runJob(deployment, {}, token);
  const page = await (
    await post(deployment, `/gis/admin/jobs/${textOf(job, 'jobid')}`, { token, f: 'html' })
  ).text();
  for (const text of ['<h1>Job</h1>', 'COMPLETED', textOf(job, 'result', 'URL'), '<th>starttime</th>'])
    expect(page).toContain(text);
});

test('pjson is the same JSON, indented', async () => {
  await using deployment = await startDeployment();
  const read = async (f: string) => (await post(deployment, exportPath, { f })).text();
  const plain = await read('json');
  expect(plain).not.toContain('\n');
  const indented = await read('pjson');
  expect(indented).toContain('\n  "error": {\n    "code": 499');
  expect(JSON.parse(indented)).toEqual(JSON.parse(plain));
});

test.each([
  '/',
  '/gis',
  '/gis/admin/logs',
  '/gis/admin/jobs/j1/result',
  '/gis/admin/uploads/a/b',
  '/gis/admin/../../etc/passwd',
])('there is nothing at %s', async (path) => {
  await using deployment = await startDeployment();
  const response = await post(deployment, path, {});
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { code: 404, message: 'Not found.' } },
  ]);
});

test('a multipart form is read as well, where the interface names no type', async () => {
  await using deployment = await startDeployment();
  const body = new FormData();
  for (const [name, value] of Object.entries({ token: await signIn(deployment), f: 'json' }))
    body.set(name, value);
  body.set('file', new Blob(['x']), 'x.json');
  const request = new Request(`${host}/gis/admin/system/upgrades/checkRollback`, { method: 'POST', body });
  expect(await (await deployment.fetch(request)).json()).toEqual({ updates: [] });
});

test.each([
  ['of an export', exportPath],
  ['of an edit', '/gis/admin/system/deployments/properties/x/edit'],
  ['of settings', '/gis/admin/system/upgrades/getUpgradeSettings'],
])('a multipart form %s is refused', async (_, path) => {
  await using deployment = await startDeployment();
  const body = new FormData();
  for (const [name, value] of Object.entries({ token: await signIn(deployment), f: 'json' }))
    body.set(name, value);
  const response = await deployment.fetch(new Request(host + path, { method: 'POST', body }));
  const details = ['The body requires the type application/x-www-form-urlencoded'];
  expect(await response.json()).toMatchObject({ error: { code: 400, details } });
});

test.each([
  ['application/json', '{"f":"json"}', 'The body requires the type application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x', 'nothing', 'The multipart form breaks off before its end'],
])('a body of the type %s', async (type, body, problem) => {
  await using deployment = await startDeployment();
  const headers = { 'content-type': type };
  const request = new Request(`${host}/gis/admin/system/upgrades`, { method: 'POST', body, headers });
  expect(await (await deployment.fetch(request)).json()).toEqual({
    error: { code: 400, message: 'Invalid request.', details: [problem] },
  });
});

test('a body over a megabyte is refused, with and without a stated length', async () => {
  await using deployment = await startDeployment({ logs: incidentLogs({ count: 200 }) });
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(97)),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const stated = new Request(host + exportPath, {
    method: 'POST',
    body: 'a'.repeat(1_048_577),
    headers: { ...headers, 'content-length': '1048577' },
  });
  const streamed = new Request(host + exportPath, { method: 'POST', body: stream, headers, duplex: 'half' });
  for (const request of [stated, streamed]) {
    const response = await deployment.fetch(request);
    expect([response.status, await response.json()]).toMatchObject([413, { error: { code: 413 } }]);
  }
});

test('a parameter of the body wins over one of the address', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  expect(
    await (await post(deployment, `${exportPath}?num=0&token=wrong`, { token, num: '1' })).json(),
  ).toMatchObject({ status: 'SUBMITTED' });
});
