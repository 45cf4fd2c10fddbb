import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../src/records/log.ts';
import { readLines } from '../emulator/calls.ts';
import { admin, type Running, startRunning, tokenOf } from './running.ts';

/*
 * Requests that break a rule of the interface document, sent without the client:
 * a deployment that lets them pass hides mistakes of the programs that are tried against it.
 */

const start = Date.UTC(2025, 2, 12, 8);
const log = { logLevel: 'INFO', logCode: 1, msg: 'a', machine: 'm', process: '1' } as const;
const logs: readonly Log[] = [
  { ...log, time: start, username: 'ann', source: 'Rest', serviceTypes: 'MapServer' },
  { ...log, time: start + 1, username: 'bob', source: 'Sharing', serviceTypes: 'GPServer' },
  {
    ...log,
    time: start + 2,
    username: 'ann,bob',
    source: 'Rest,Sharing',
    serviceTypes: 'MapServer,GPServer',
  },
];

let running: Running;
let token: string;
beforeAll(async () => {
  running = await startRunning({ logs, version: '11.2', exports: { missing: 'refused' } });
  token = await tokenOf(running);
});
afterAll(() => running[Symbol.asyncDispose]());

/** Answer of the deployment to a form that is sent as it is, its token added. */
async function send(path: string, form: Readonly<Record<string, string>>, body?: FormData): Promise<unknown> {
  const fields = Object.entries({ f: 'json', token, ...form });
  for (const [name, value] of fields) body?.set(name, value);
  const address = `${running.client.addresses.root}/${path}`;
  const response = await fetch(address, { method: 'POST', body: body ?? new URLSearchParams(fields) });
  return response.json();
}

const refused = (...details: readonly unknown[]) => ({ error: { code: 400, details } });

/** The parameters of the query form that are required. */
const query = { num: '10', stackTraces: 'false', logLevel: 'DEBUG' };

describe('times of an export (section 4.2.1)', () => {
  const rule = 'requires milliseconds since the epoch or yyyy-mm-ddThh:mm:ss';

  test.each([
    '2025-02-30T00:00:00',
    '2025-02-29T00:00:00',
    '2025-04-31T12:00:00',
    '2025-13-01T00:00:00',
    '2025-00-10T00:00:00',
    '2025-01-00T00:00:00',
    '2025-03-12T24:00:00',
    '2025-03-12T23:60:00',
    '2025-03-12T23:59:60',
    '2025-03-12T08:00:00Z',
    '2025-03-12 08:00:00',
    '2025-03-12',
    '8640000000000001',
  ])('"%s" is none', async (time) => {
    const answer = await send('logs/export', { ...query, startTime: time, endTime: time });
    expect(answer).toMatchObject(refused(`"startTime" ${rule}`, `"endTime" ${rule}`));
  });

  test.each(['2024-02-29T00:00:00', '2025-12-31T23:59:59', '0', '-1'])('"%s" is one', async (time) => {
    const answer = await send('logs/export', { ...query, startTime: time, endTime: time });
    expect(answer).toMatchObject({ status: 'SUBMITTED' });
  });
});

describe('what an export requires (section 4.2.1)', () => {
  const search = { num: '10', stackTraces: 'false', sortBy: 'time', sortOrder: 'desc' };
  const rule = 'is required; left empty, it stands for its default';

  type Lacking = [form: Record<string, string>, missing: readonly string[]];
  test.each<Lacking>([
    [{}, ['num', 'stackTraces', 'logLevel']],
    [{ searchQuery: 'a' }, ['num', 'stackTraces', 'sortBy', 'sortOrder']],
    [{ searchQuery: '', logLevel: 'INFO' }, ['num', 'stackTraces']],
    ...Object.keys(query).map((name): Lacking => [without(query, name), [name]]),
    ...Object.keys(search).map((name): Lacking => [{ ...without(search, name), searchQuery: 'a' }, [name]]),
    [{ ...without(search, 'sortBy') }, ['sortBy']],
  ])('%j lacks %j', async (form, missing) => {
    const details = missing.map((name) => `"${name}" ${rule}`);
    expect(await send('logs/export', form)).toMatchObject(refused(...details));
  });

  test.each([
    { ...query },
    { ...search },
    { ...search, searchQuery: 'a' },
    { num: '', stackTraces: '', logLevel: '' },
    { num: '', stackTraces: '', sortBy: '', sortOrder: '', searchQuery: 'a' },
    { ...query, ...search, searchQuery: '' },
  ])('%j lacks nothing', async (form) => {
    expect(await send('logs/export', form)).toMatchObject({ status: 'SUBMITTED' });
  });

  test('unless it is to refuse them, a deployment takes the defaults', async () => {
    await using lenient = await startRunning();
    const body = new URLSearchParams({ token: await tokenOf(lenient), f: 'json' });
    const response = await fetch(lenient.client.addresses.exportLogs, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ status: 'SUBMITTED' });
  });
});

function without(form: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter(([each]) => each !== name));
}

describe('filters of an export (section 4.2.1)', () => {
  test.each([
    ['users', 'ann,bob'],
    ['source', 'Rest,Sharing'],
    ['serviceTypes', 'MapServer,GPServer'],
  ])('%s is one value and no list', async (name, value) => {
    const form = { ...query, startTime: String(start + 1000), [name]: value };
    // The jobs of the tests before make room.
    running.wait(60_000);
    const { jobsUrl } = (await send('logs/export', form)) as { jobsUrl: string };
    running.wait(10_000);
    const authorization = `Bearer ${token}`;
    const job = await fetch(`${jobsUrl}?f=json`, { headers: { authorization } });
    const { result } = (await job.json()) as { result: { URL: string } };
    const zip = await fetch(`${result.URL}/download`, { headers: { authorization } });
    const found = await readLines(new Uint8Array(await zip.arrayBuffer()));
    expect(found.map(({ time }) => time)).toEqual([start + 2]);
  });
});

describe('an upgrade (section 4.2.5)', () => {
  const versionManifest = JSON.stringify({ id: 'rel_1_1' });

  test('takes no other form than multipart/form-data', async () => {
    const answer = await send('system/upgrades/upgrade', { versionManifest });
    expect(answer).toMatchObject(refused('The body requires the type multipart/form-data'));
    const form = { versionManifest, upgradeSettings: '{}' };
    expect(await send('system/upgrades/upgrade', form, new FormData())).toMatchObject(
      refused('There is no available update with this identifier.'),
    );
  });
});

describe('a token (field notes)', () => {
  const { username, password } = admin;

  test.each([
    [{ client: 'ip' }, '"ip" requires a value for the client "ip"'],
    [{ client: 'ip', ip: '' }, '"ip" requires a value for the client "ip"'],
    [{ client: 'referer', ip: '127.0.0.1' }, '"referer" requires a value for the client "referer"'],
  ])('for %j requires what it is bound to', async (form, detail) => {
    const path = '../sharing/rest/generateToken';
    expect(await send(path, { username, password, ...form })).toMatchObject(refused(detail));
  });
});

describe('the scaling mode (section 2.4)', () => {
  test.each(['Manual', 'AUTO', 'none', ''])('"%s" is none', async (scalingMode) => {
    const { properties } = (await send('system/deployments/properties', {})) as {
      properties: readonly { id: string; spec: { replicas: object } }[];
    };
    const [template] = properties;
    const replicas = { ...template?.spec.replicas, scalingMode };
    const propertyJson = JSON.stringify({ ...template, spec: { ...template?.spec, replicas } });
    const answer = await send(`system/deployments/properties/${template?.id}/edit`, { propertyJson });
    expect(answer).toMatchObject(
      refused(`"spec.replicas.scalingMode" requires "manual" or "auto", not "${scalingMode}"`),
    );
  });
});
