import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeploymentOptions } from '../../src/emulator/deployment.ts';
import { exportLogs, postJson, signIn, startDeployment, textOf } from './calls.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'state-'));
});
afterEach(() => rm(folder, { recursive: true }));

const properties = '/gis/admin/system/deployments/properties';
const upgrades = '/gis/admin/system/upgrades';

type Started = Awaited<ReturnType<typeof startDeployment>>;
const start = (options: DeploymentOptions = {}) =>
  startDeployment({ state: join(folder, 'state.json'), ...options });

async function firstTemplate(deployment: Started): Promise<{ id: string; revision: number; spec: object }> {
  const reply = await postJson(deployment, properties, { token: await signIn(deployment) });
  return (reply as { properties: [{ id: string; revision: number; spec: object }] }).properties[0];
}

async function upgradeByPatch(deployment: Started): Promise<unknown> {
  const token = await signIn(deployment);
  const { versions } = (await postJson(deployment, `${upgrades}/available`, { token })) as {
    versions: { id: string; type: string }[];
  };
  const id = versions.find(({ type }) => type === 'patch')?.id;
  return postJson(deployment, `${upgrades}/upgrade`, { token, versionManifest: JSON.stringify({ id }) });
}

test('templates, uploads and upgrades outlive the deployment', async () => {
  const first = await start();
  const template = await firstTemplate(first);
  const spec = { ...template.spec, replicas: { min: 3, max: 3, scalingMode: 'manual' } };
  const token = await signIn(first);
  await postJson(first, `${properties}/${template.id}/edit`, {
    token,
    propertyJson: JSON.stringify({ ...template, spec }),
  });
  await upgradeByPatch(first);
  await first[Symbol.asyncDispose]();

  await using second = await start();
  expect((await firstTemplate(second)).spec).toEqual(spec);
  expect(await postJson(second, upgrades, { token: await signIn(second) })).toMatchObject({
    status: { state: 'in_progress' },
  });
  second.wait(60_000);
  expect(await postJson(second, upgrades, { token: await signIn(second) })).toMatchObject({
    status: { state: 'success' },
  });
  expect(await postJson(second, `${upgrades}/checkRollback`, { token: await signIn(second) })).toMatchObject({
    updates: [{ type: 'release' }],
  });
});

test('without a file nothing is kept', async () => {
  const first = await startDeployment();
  await upgradeByPatch(first);
  await first[Symbol.asyncDispose]();
  await using second = await startDeployment();
  expect(await postJson(second, upgrades, { token: await signIn(second) })).toMatchObject({
    status: { state: 'no_upgrade' },
  });
});

describe('the file', () => {
  test('is for its owner only, and holds neither accounts nor tokens', async () => {
    await using deployment = await start();
    const token = await signIn(deployment);
    const path = join(folder, 'state.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    for (const secret of [token, 'correct horse']) expect(text).not.toContain(secret);
  });

  test('is whole whenever it is read', async () => {
    await using deployment = await start();
    const token = await signIn(deployment);
    const { id } = await firstTemplate(deployment);
    const edit = async () => {
      const template = await postJson(deployment, `${properties}/${id}`, { token });
      return postJson(deployment, `${properties}/${id}/edit`, {
        token,
        propertyJson: JSON.stringify(template),
      });
    };
    for (let count = 0; count < 20; count += 1) {
      await Promise.all([edit(), edit()]);
      expect(JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'))).toHaveProperty('templates');
    }
  });

  test.each(['', '{}', 'text', '{"release":{}}'])(
    'that holds %j is refused and left as it is',
    async (text) => {
      const path = join(folder, 'state.json');
      await writeFile(path, text);
      await expect(start()).rejects.toMatchObject({ name: 'StateError', code: 'NO_STATE' });
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  test('that cannot be written is reported at once', async () => {
    await expect(startDeployment({ state: join(folder, 'none', 'state.json') })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

test('two edits of one revision: one is made, the other refused', async () => {
  await using deployment = await start();
  const token = await signIn(deployment);
  const template = await firstTemplate(deployment);
  const edit = (max: number) => {
    const spec = { ...template.spec, replicas: { min: max, max, scalingMode: 'manual' } };
    const propertyJson = JSON.stringify({ ...template, spec });
    return postJson(deployment, `${properties}/${template.id}/edit`, { token, propertyJson });
  };
  const replies = await Promise.all([2, 3, 4].map(edit));
  expect(replies.filter((reply) => JSON.stringify(reply) === '{"status":"success"}')).toHaveLength(1);
  expect((await firstTemplate(deployment)).revision).toBeGreaterThan(template.revision);
});

test('what is changed is in the logs: edits, uploads and every message of an upgrade, once', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  const template = await firstTemplate(deployment);
  await postJson(deployment, `${properties}/${template.id}/edit`, {
    token,
    propertyJson: JSON.stringify(template),
  });
  await upgradeByPatch(deployment);
  for (let count = 0; count < 10; count += 1) {
    deployment.wait(5000);
    await postJson(deployment, upgrades, { token }).catch(() => undefined);
  }
  const { status } = (await postJson(deployment, upgrades, { token })) as {
    status: { messages: { code: number; when: number }[] };
  };
  const logs = await exportLogs(deployment, {
    num: '10000',
    searchQuery: 'logCode:[1000 TO 3000]',
    sortBy: 'time',
    sortOrder: 'asc',
  });
  expect(logs.find(({ logCode }) => logCode === 1320)).toMatchObject({
    username: 'admin',
    msg: expect.stringContaining(template.id),
  });
  const written = logs.filter(({ logCode = 0 }) => 2000 <= logCode && logCode < 3000);
  expect(written.map(({ logCode, time }) => [logCode, time])).toEqual(
    status.messages.map(({ code, when }) => [code, when]),
  );
  expect(written[0]).toMatchObject({ source: 'Enterprise Admin', username: 'admin', logLevel: 'INFO' });
});

test('an upgrade that fails ends with a severe log', async () => {
  await using deployment = await startDeployment({
    faults: [{ on: 'upgrade', effect: 'failUpgrade', after: 0.5 }],
  });
  await upgradeByPatch(deployment);
  deployment.wait(60_000);
  const logs = await exportLogs(deployment, { searchQuery: 'logCode:[2000 TO 3000]', logLevel: 'SEVERE' });
  expect(logs.map(({ logCode, logLevel }) => [logCode, logLevel])).toEqual([[2013, 'SEVERE']]);
});

test('in the middle of an upgrade the whole administrative interface is away for a while', async () => {
  await using deployment = await startDeployment({ upgradePace: { release: 100_000, patch: 100_000 } });
  const token = await signIn(deployment);
  await upgradeByPatch(deployment);
  deployment.wait(52_000);
  for (const path of [upgrades, properties, '/gis/admin/logs/export']) {
    const response = await deployment.fetch(
      new Request(`http://gis.test${path}`, {
        method: 'POST',
        body: new URLSearchParams({ token, f: 'json' }),
      }),
    );
    expect([response.status, await response.text()]).toEqual([503, 'upstream connect error\n']);
  }
  deployment.wait(6000);
  expect(textOf(await postJson(deployment, upgrades, { token }), 'status', 'state')).toBe('in_progress');
});
