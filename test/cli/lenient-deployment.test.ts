import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { run } from './run-in-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** As a deployment may write a template: numbers as texts, texts as numbers, null, and members of its own. */
const odd =
  '{"id":"odd","mode":"Spare","provider":"Oracle","type":"ImageServer","revision":"1741780800000","serial":12345678901234567890,"spec":{"weight":1.0,"replicas":{"min":"1","max":1,"scalingMode":null,"autoscaling":null},"containers":[{"name":"main","resources":{"cpuMin":0.125,"cpuMax":2}}]}}';

/** A deployment that answers each address with a body, and keeps what it was sent. */
async function serve(bodies: Readonly<Record<string, string>>) {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const path = (request.url ?? '').replace('/gis/admin', '').split('?', 1)[0] ?? '';
    if (path.endsWith('/edit')) sent.push(new URLSearchParams(body).get('propertyJson') ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(bodies[path] ?? '{"error":{"code":404,"message":"Not found."}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const environment = { LOGQUARRY_URL: `http://127.0.0.1:${port}/gis`, LOGQUARRY_TOKEN: 'abc' };
  const call = (line: string) => run(line.split(' '), { environment });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { call, sent, [Symbol.asyncDispose]: close };
}

const list = '/system/deployments/properties';
const edited = { [`${list}/odd`]: odd, [`${list}/odd/edit`]: '{"status":"success"}' };

describe('the templates of a lenient deployment', () => {
  test('that cannot be read are named, and the list is said to be incomplete', async () => {
    await using deployment = await serve({
      [list]: `{"properties":[${odd},{"id":"broken","mode":"Shared"},7]}`,
    });
    const { code, out, err } = await deployment.call('properties list');
    expect(code).toBe(4);
    expect(out).toMatch(/odd +ImageServer +Oracle +Spare +1\n/);
    expect(err).toContain('INCOMPLETE: The template "broken" cannot be read: "provider" requires a value');
    expect(err).toContain('INCOMPLETE: The template at place 3 of the list cannot be read');
    expect((await deployment.call('properties list --json')).out).toContain('"serial": 12345678901234567890');
  });

  test('one that cannot be read is named', async () => {
    await using deployment = await serve({ [`${list}/b`]: '{"id":"b","spec":{}}' });
    expect(await deployment.call('properties show b')).toMatchObject({
      code: 3,
      err: expect.stringContaining('The template "b" cannot be read: "mode" requires a value'),
    });
  });

  test('are edited, and go back with every digit and every form', async () => {
    await using deployment = await serve(edited);
    const path = join(folder, 'odd.json');
    await deployment.call(`properties show odd --out ${path}`);
    expect((await readFile(path, 'utf8')).replace(/\s/g, '')).toBe(odd);
    const edit = await deployment.call(
      `properties edit ${path} --set spec.containers.main.resources.cpuMax=4 --yes`,
    );
    // It stores nothing, which is found out.
    expect(edit).toMatchObject({ code: 4, out: 'spec.containers[0].resources.cpuMax: 2 → "4"\n' });
    expect(deployment.sent).toEqual([odd.replace('"cpuMax":2', '"cpuMax":"4"')]);
  });

  test('lose the members that are to be removed, and no others', async () => {
    await using deployment = await serve(edited);
    const edit = await deployment.call('properties edit --id odd --unset spec.replicas.autoscaling --yes');
    expect(edit).toMatchObject({ code: 4, out: 'spec.replicas.autoscaling: removed null\n' });
    expect(deployment.sent).toEqual([odd.replace(',"autoscaling":null', '')]);
    for (const [path, message] of [
      ['spec.replicas', '"spec.replicas" must not be removed'],
      ['spec.containers.main.resources', '"spec.containers[0].resources" must not be removed'],
    ]) {
      expect(await deployment.call(`properties edit --id odd --unset ${path} --yes`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`error: ${message}`),
      });
    }
    expect(await deployment.call('properties edit --id odd --unset spec.nothing --yes')).toMatchObject({
      code: 2,
    });
    expect(deployment.sent).toHaveLength(1);
  });

  test('are sent in spite of errors by force, which is said aloud', async () => {
    await using deployment = await serve(edited);
    const wrong = 'properties edit --id odd --set spec.replicas.max=many --yes';
    expect(await deployment.call(wrong)).toMatchObject({
      code: 1,
      err: expect.stringContaining('[wrong-type]'),
    });
    expect(deployment.sent).toEqual([]);
    expect(await deployment.call(`${wrong} --force`)).toMatchObject({
      code: 4,
      err: expect.stringContaining('WARNING: --force sends it despite these errors'),
    });
    expect(deployment.sent).toEqual([odd.replace('"max":1', '"max":"many"')]);
    await writeFile(join(folder, 'file.json'), odd.replace('"max":1', '"max":[]'));
    const file = `properties edit ${join(folder, 'file.json')} --yes`;
    expect(await deployment.call(file)).toMatchObject({ code: 2 });
    expect(await deployment.call(`${file} --force`)).toMatchObject({ code: 4 });
  });
});

test('the reference deployment keeps every digit, and refuses what must not be removed', async () => {
  const state = join(folder, 'state.json');
  await using deployment = await createDeployment({ users: [{ username: 'ann', password: 'pw' }], state });
  const served = await serveDeployment(deployment);
  const environment = { LOGQUARRY_URL: served.url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'pw' };
  const call = (line: string) => run(line.split(' '), { environment });
  const path = join(folder, 'gp.json');
  await call(`properties show 9375dd81-30d1-41c0-a802-cabb425159b1 --out ${path}`);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"spec": {', '"serial": 12345678901234567890, "spec": {'));
  expect(await call(`properties edit ${path} --yes`)).toMatchObject({ code: 0 });
  const after = await call('properties show 9375dd81-30d1-41c0-a802-cabb425159b1');
  expect(after.out).toContain('"serial": 12345678901234567890');
  expect(await readFile(state, 'utf8')).toContain('12345678901234567890');
  const removal =
    'properties edit --id 9375dd81-30d1-41c0-a802-cabb425159b1 --unset spec.replicas --yes --force';
  expect(await call(removal)).toMatchObject({
    code: 3,
    err: expect.stringMatching(/the deployment refused the request .*"spec.replicas" must not be removed/),
  });
  await served.close();
});

test('an upgrade starts with settings as the deployment gave them, and by force with others', async () => {
  const odd = {
    userInputs: [
      { id: 'licenseUpload', seqNum: '2', type: 'File', value: '', required: false },
      { id: 'updateToLatestPatch', seqNum: 1, type: 'Boolean', value: false, serial: 1 },
      { id: 'volumesConfig', type: 'Text', value: '[{"component":"BLOB","labels":null,"size":"lots"}]' },
    ],
  };
  await using deployment = await serve({
    '/system/upgrades/getUpgradeSettings': JSON.stringify(odd).replace(
      '"serial":1',
      '"serial":12345678901234567890',
    ),
    '/system/upgrades': '{"status":{"state":"no_upgrade","code":0,"messages":[]}}',
    '/system/upgrades/upgrade': '{"status":{"state":"in_progress","code":1,"messages":[]}}',
  });
  const path = join(folder, 'settings.json');
  await deployment.call(`upgrade settings rel_1_1 --out ${path}`);
  const text = await readFile(path, 'utf8');
  expect(text).toContain('"serial": 12345678901234567890');
  const start = `upgrade start rel_1_1 --settings ${path} --yes`;
  expect(await deployment.call(start)).toMatchObject({
    code: 0,
    err: expect.stringContaining('has started'),
  });
  await writeFile(path, text.replace('lots', 'more'));
  expect(await deployment.call(start)).toMatchObject({
    code: 1,
    err: expect.stringContaining('error: The volume'),
  });
  const forced = await deployment.call(`${start} --force`);
  expect(forced).toMatchObject({ code: 0, err: expect.stringContaining('WARNING: --force sends it') });
});
