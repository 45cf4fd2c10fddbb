import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentEnd } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { admin, host, postJson, signIn, startDeployment, type TestDeployment, textOf } from './calls.ts';

const start = Date.UTC(2025, 2, 12, 8);
const logs: readonly Log[] = Array.from({ length: 25 }, (_, at) => ({
  time: start + at,
  logLevel: 'SEVERE',
  logCode: at,
  msg: 'a message',
  stackTraces: 'at a.B.c',
}));

let deployment: TestDeployment;
let token: string;
beforeAll(async () => {
  deployment = await startDeployment({ logs, logLevel: 'SEVERE' });
  token = await signIn(deployment);
});
afterAll(() => deployment[Symbol.asyncDispose]());

const at = (path: string) => `/gis/admin/${path}`;
const ask = (path: string, form: Readonly<Record<string, string>> = {}) =>
  postJson(deployment, at(path), { token, ...form });
const codesOf = (body: unknown) =>
  (body as { readonly messages: readonly Log[] }).messages.map(({ logCode }) => logCode);

describe('a list of logs', () => {
  test.each(['logs/query', 'logs/search'])('%s is paged through by nextStart', async (path) => {
    const codes: unknown[] = [];
    const starts: number[] = [];
    for (let next = 1; 0 < next; ) {
      const form = { num: '10', start: String(next), sortBy: 'time', logLevel: 'DEBUG' };
      const page = await ask(path, form);
      expect(page).toMatchObject({ total: 25, num: 10, start: next });
      codes.push(...codesOf(page));
      starts.push(next);
      next = (page as { readonly nextStart: number }).nextStart;
    }
    expect(starts).toEqual([1, 11, 21]);
    expect(codes).toEqual(logs.map(({ logCode }) => logCode).toReversed());
  });

  test('has stack traces where they are asked for, and never the token', async () => {
    const [bare, whole] = [
      await ask('logs/query', { num: '1' }),
      await ask('logs/query', { num: '1', showStackTraces: 'true' }),
    ];
    expect(JSON.stringify(bare)).not.toContain('at a.B.c');
    expect(JSON.stringify(whole)).toContain('at a.B.c');
    expect(whole).toMatchObject({ query: { num: '1', showStackTraces: 'true' } });
    expect(JSON.stringify(whole)).not.toContain(token);
  });

  test.each([
    ['logs/query', { num: '0' }],
    ['logs/query', { num: '10001' }],
    ['logs/query', { start: '0' }],
    ['logs/query', { start: '-1' }],
    ['logs/query', { start: '10001' }],
    ['logs/query', { logLevel: 'LOUD' }],
    ['logs/search', { searchQuery: 'a AND (b' }],
    ['logs/search', { searchQuery: 'a', sortBy: 'size' }],
  ])('%s with %j is refused', async (path, form) => {
    expect(await ask(path, form)).toMatchObject({ error: { code: 400 } });
  });

  test('beyond the last log is empty', async () => {
    expect(await ask('logs/query', { start: '26' })).toMatchObject({
      messages: [],
      total: 25,
      nextStart: -1,
    });
  });

  test('a search takes no times, as its documentation has none', async () => {
    expect(await ask('logs/search', { searchQuery: 'message', startTime: String(start) })).toMatchObject({
      total: 25,
    });
    expect(await ask('logs/query', { startTime: String(start) })).toMatchObject({ total: 1 });
  });

  test('is counted without being listed by a deployment that does so', async () => {
    const form = { searchQuery: 'message', countOnly: 'true' };
    // Times and filters are none of a search.
    expect(await ask('logs/search', { ...form, endTime: String(incidentEnd) })).toEqual({ total: 25 });
    await using counting = await startDeployment({ logs, logLevel: 'SEVERE', exports: { counts: true } });
    const own = await signIn(counting);
    expect(await postJson(counting, at('logs/search'), { token: own, ...form })).toEqual({ total: 25 });
    const newer = { token: own, ...form, endTime: String(incidentEnd) };
    expect(await postJson(counting, at('logs/search'), newer)).toEqual({ total: 0 });
  });

  test('has a form as its page, and a page for its answer', async () => {
    const get = async (path: string) =>
      (
        await deployment.fetch(
          new Request(`${host}${at(path)}`, { headers: { authorization: `Bearer ${token}` } }),
        )
      ).text();
    const form = await get('logs/query');
    for (const name of ['logLevel', 'startTime', 'showStackTraces', 'num', 'start', 'token']) {
      expect(form).toContain(`name="${name}"`);
    }
    expect(await get('logs/search')).toContain('name="searchQuery"');
    const page = await get('logs/query?num=1');
    expect(page).toContain('<th>nextStart</th><td>2</td>');
  });
});

describe('the log settings', () => {
  test.each<[Readonly<Record<string, string>>, number]>([
    [{}, 2],
    [{ logLevel: 'INFO' }, 1],
    [{ logLevel: 'INFO', maxLogAgeDays: '0' }, 1],
    [{ logLevel: 'INFO', maxLogAgeDays: '1000' }, 1],
    [{ logLevel: 'INFO', maxLogAgeDays: '1.5' }, 1],
    [{ logLevel: 'info', maxLogAgeDays: '60' }, 1],
  ])('cannot be %j', async (form, problems) => {
    const refused = await ask('logs/settings/edit', form);
    expect(refused).toMatchObject({ error: { code: 400, message: 'Invalid parameters.' } });
    expect((refused as { error: { details: string[] } }).error.details).toHaveLength(problems);
    expect(await ask('logs/settings')).toEqual({ logLevel: 'SEVERE', maxLogAgeDays: 60 });
  });

  test('outlast a restart where a state is kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
    const state = join(folder, 'state.json');
    const edited = { logLevel: 'FINE', maxLogAgeDays: 9, lastModified: expect.any(Number) };
    try {
      await using first = await startDeployment({ state });
      const own = { token: await signIn(first) };
      await postJson(first, at('logs/settings/edit'), { ...own, logLevel: 'FINE', maxLogAgeDays: '9' });
      expect(await postJson(first, at('logs/settings'), own)).toEqual(edited);
      await using second = await startDeployment({ state });
      const again = { token: await signIn(second) };
      expect(await postJson(second, at('logs/settings'), again)).toEqual(edited);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('of a state that knows none are those that the deployment began with', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
    const state = join(folder, 'state.json');
    try {
      const older = { release: { version: '11.2', build: '3820' }, templates: [], upgrades: [], uploads: [] };
      await writeFile(state, JSON.stringify(older));
      await using kept = await startDeployment({ state, logLevel: 'INFO' });
      const settings = await postJson(kept, at('logs/settings'), { token: await signIn(kept) });
      expect(settings).toEqual({ logLevel: 'INFO', maxLogAgeDays: 60 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test('what changes something is refused without its privilege', async () => {
  const reader = {
    username: 'reader',
    password: 'a',
    privileges: ['exportLogs', 'downloadUploads'],
  } as const;
  await using guarded = await startDeployment({ users: [admin, reader] });
  const own = { token: await signIn(guarded, reader) };
  for (const [path, privilege] of [
    ['logs/settings/edit', 'manageLogs'],
    ['uploads/i1/delete', 'uploadFiles'],
    ['system/deployments', 'manageProperties'],
    ['system/deployments/k1/status', 'manageProperties'],
  ] as const) {
    expect(await postJson(guarded, at(path), own)).toMatchObject({
      error: { code: 403, details: [`User 'reader' lacks the privilege "${privilege}".`] },
    });
  }
  for (const path of ['logs/settings', 'logs/query', 'jobs', 'uploads']) {
    expect(await postJson(guarded, at(path), own)).not.toHaveProperty('error');
  }
});

test('what is not there is not found', async () => {
  for (const path of ['uploads/i1/delete', 'uploads/i1', 'jobs/j1', 'system/deployments/k1/status']) {
    expect(await ask(path)).toMatchObject({ error: { code: 404 } });
  }
});

test('a microservice has no pod ready while an upgrade replaces it', async () => {
  await using upgraded = await startDeployment({ upgradePace: { release: 100_000, patch: 100_000 } });
  const own = { token: await signIn(upgraded) };
  const unready = async () => {
    const { deployments } = (await postJson(upgraded, at('system/deployments'), own)) as {
      readonly deployments: readonly { readonly deploymentId: string }[];
    };
    const statuses = await Promise.all(
      deployments.map(({ deploymentId }) =>
        postJson(upgraded, at(`system/deployments/${deploymentId}/status`), own),
      ),
    );
    return statuses.filter((status) => textOf(status, 'currentState') === 'STARTED' && hasNone(status))
      .length;
  };
  const hasNone = (status: unknown) => (status as { readonly readyReplicas: number }).readyReplicas === 0;
  expect(await unready()).toBe(0);
  const { versions } = (await postJson(upgraded, at('system/upgrades/available'), own)) as {
    readonly versions: readonly { readonly id: string; readonly type: string }[];
  };
  const id = versions.find(({ type }) => type === 'patch')?.id;
  expect(id).toBeDefined();
  await postJson(upgraded, at('system/upgrades/upgrade'), {
    ...own,
    versionManifest: JSON.stringify({ id }),
  });
  const seen: number[] = [];
  for (let second = 0; second < 100; second += 10) {
    upgraded.wait(10_000);
    // In the middle the whole interface is away.
    seen.push(second === 40 ? 0 : await unready());
  }
  expect(seen.some((count) => count === 1)).toBe(true);
  expect(seen.every((count) => count <= 1)).toBe(true);
  expect(await unready()).toBe(0);
});
