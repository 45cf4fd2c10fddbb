import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import type { DeploymentOptions } from '../../src/emulator/deployment.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import type { ExportStatus } from '../../src/server/workspace.ts';
import { password, runDeployment } from '../e2e/deployment.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { ask, type ServedPage, serveFolder } from './serving.ts';

const logs = [...incidentLogs({ count: 600 })];
const until = '2025-03-12T12:00';
const quick = { queued: 0, running: 0, perLog: 0 } as const;

/** A page whose profile "gis" is for a deployment of its own. */
async function serveWithDeployment(options: DeploymentOptions = {}) {
  const folder = await makeTemporaryFolder();
  const deployment = await runDeployment({ logs, pace: quick, ...options });
  const profiles = join(folder, 'settings/logquarry/profiles');
  await mkdir(profiles, { recursive: true });
  await mkdir(join(folder, 'cases'));
  const profile = { url: deployment.url, user: 'ann', password };
  await writeFile(join(profiles, 'gis.json'), JSON.stringify(profile), { mode: 0o600 });
  await writeFile(join(profiles, 'wrong.json'), JSON.stringify({ ...profile, password: 'no' }), {
    mode: 0o600,
  });
  const expired = { url: deployment.url, token: 'ended-geheim' };
  await writeFile(join(profiles, 'expired.json'), JSON.stringify(expired), { mode: 0o600 });
  const environment = { XDG_CONFIG_HOME: join(folder, 'settings') };
  const page = await serveFolder({ folder: join(folder, 'cases'), environment });
  return {
    page,
    folder: join(folder, 'cases'),
    tokens: deployment.tokens,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await deployment[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const order = { profile: 'gis', case: 'new.duckdb', kind: 'new', to: until, logLevel: 'DEBUG' } as const;

/** Waits for a state of the export that a condition accepts. */
async function waitFor(page: ServedPage, isMet: (status: ExportStatus) => boolean): Promise<ExportStatus> {
  for (;;) {
    const status = await ask(page, 'exportStatus', {});
    if (status && isMet(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const ended = ({ state }: ExportStatus) => state !== 'running';

/** The number of logs of a case, as the views count them. */
async function count(page: ServedPage, name: string): Promise<unknown> {
  const counted = await page.call(`histogram?case=${name}`, { query: '', now: 0, buckets: 1 });
  const { total, error } = (await counted.json()) as Record<string, unknown>;
  return total ?? error;
}

describe('an export from the page', () => {
  let here: Awaited<ReturnType<typeof serveWithDeployment>>;
  beforeAll(async () => {
    here = await serveWithDeployment();
  });
  afterAll(() => here[Symbol.asyncDispose]());

  test('offers profiles by their names, and tells no secret', async () => {
    const text = await (await here.page.call('offers', {})).text();
    expect(JSON.parse(text).profiles).toEqual(['expired', 'gis', 'wrong']);
    expect(text).not.toMatch(/geheim|http|ann/);
  });

  test('brings all logs, with the coverage of the command', async () => {
    const started = await ask(here.page, 'startExport', order);
    expect(started.state).toBe('running');
    const { state, command, messages, totals } = await waitFor(here.page, ended);
    expect([state, command]).toEqual([
      'complete',
      `logquarry export --profile gis --into new.duckdb --to '${until}' --log-level DEBUG`,
    ]);
    expect(totals?.logs).toBe(logs.length);
    expect(await count(here.page, 'new.duckdb')).toBe(logs.length);
    const coverage = await here.page.call('coverage?case=new.duckdb', {});
    expect(await coverage.json()).toMatchObject([[{ covered: [{ state: 'complete' }] }]]);
    expect(JSON.stringify([messages, started])).not.toMatch(/geheim/);
    for (const token of here.tokens) expect(JSON.stringify(messages)).not.toContain(token);
  });

  largeTest('goes on with what came since, and says that the same again is there', async () => {
    await ask(here.page, 'startExport', { ...order, kind: 'since last' });
    expect((await waitFor(here.page, ended)).state).toBe('complete');
    await ask(here.page, 'startExport', order);
    const { messages } = await waitFor(here.page, ended);
    expect(messages).toContain('The case already has all of it, so nothing was requested.');
  });

  test.each(
    sampled(
      [
        [{ profile: 'wrong' }, /^error: .*\[.*\]$/m],
        [{ profile: 'expired' }, /^error: .*oken.*\[.*\]$/m],
        [{ profile: 'unknown' }, /^error: The profile "unknown" does not exist/],
        [{ from: '2999-01-01', to: '' }, /^error: --from must not be later than now/],
        [{ from: 'someday' }, /^error: --from .*someday/],
        [{ search: 'msg:(timeout' }, /\[unclosed-group\]/],
        [{ logLevel: 'LOUD' }, /--log-level/],
      ],
      1,
    ),
  )('fails in the words of the command: %o', async (changed, words) => {
    await ask(here.page, 'startExport', { ...order, case: 'other.duckdb', ...changed });
    const { state, messages } = await waitFor(here.page, ended);
    expect([state, messages.join('\n')]).toEqual(['failed', expect.stringMatching(words)]);
    expect(messages.join('\n')).not.toContain('geheim');
    expect(await ask(here.page, 'offers', {})).toBeDefined();
  });

  test.each(sampled(['../x.duckdb', '/tmp/x.duckdb', '--plan.duckdb', '.x.duckdb', 'x.ndjson', ''], 2))(
    'fills no case at %j',
    async (name) => {
      const refused = await here.page.call('startExport', { ...order, case: name });
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('name of a file'),
      ]);
      expect(await readdir(here.folder)).not.toContain(name);
    },
  );

  test('takes no path for a profile', async () => {
    const refused = await here.page.call('startExport', { ...order, profile: '../settings/x.json' });
    expect(refused.status).toBe(400);
  });
});

largeTest('an export is watched, stopped and resumed while views read its case', async () => {
  await using here = await serveWithDeployment({
    exports: { silentCap: 300 },
    faults: [{ on: 'exportLogs', skip: 3, times: 2, effect: 'delayJob', milliseconds: 3000 }],
  });
  await ask(here.page, 'startExport', order);
  const half = await waitFor(here.page, ({ totals }) => 0 < (totals?.logs ?? 0));
  expect(half.state).toBe('running');
  expect((await here.page.call('startExport', order)).status).toBe(409);
  expect(await count(here.page, 'new.duckdb')).toBeGreaterThan(0);
  const stopped = await ask(here.page, 'stopExport', {});
  expect(stopped).toMatchObject({ state: 'stopped' });
  const kept = Number(await count(here.page, 'new.duckdb'));
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(logs.length);
  const open = await (await here.page.call('coverage?case=new.duckdb', {})).text();
  expect(open).toContain('"open"');
  await ask(here.page, 'startExport', { ...order, kind: 'resume' });
  const { state, command } = await waitFor(here.page, ended);
  expect([state, command]).toEqual(['complete', 'logquarry export --profile gis --resume new.duckdb']);
  expect(await count(here.page, 'new.duckdb')).toBe(logs.length);
});

largeTest('a deployment that is slow, overloaded and ends tokens is waited for', async () => {
  await using here = await serveWithDeployment({
    exports: { silentCap: 300 },
    faults: [
      { on: 'job', every: 3, effect: 'delay', milliseconds: 100 },
      { on: 'exportLogs', skip: 1, times: 1, effect: 'status', status: 503, retryAfter: 0 },
      { on: 'exportLogs', skip: 3, times: 1, effect: 'expireTokens' },
      { on: 'download', skip: 1, times: 1, effect: 'breakOff', keep: 0.5 },
    ],
  });
  await ask(here.page, 'startExport', order);
  expect((await waitFor(here.page, ended)).state).toBe('complete');
  expect(await count(here.page, 'new.duckdb')).toBe(logs.length);
});

largeTest('a page that is closed stops its export, which goes on later', async () => {
  await using here = await serveWithDeployment({
    exports: { silentCap: 300 },
    faults: [{ on: 'exportLogs', skip: 3, effect: 'delayJob', milliseconds: 60_000 }],
  });
  await ask(here.page, 'startExport', order);
  await waitFor(here.page, ({ totals }) => 0 < (totals?.logs ?? 0));
  const began = performance.now();
  await here.page[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(60_000);
});
