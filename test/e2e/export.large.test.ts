import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/emulator/operation.ts';
import { password, type Running, runDeployment } from './deployment.ts';
import { folder, run, start } from './process.ts';

const into = ['--into', 'case.duckdb'];

describe('an export', () => {
  let thin: Running;
  let crowded: Running;

  beforeAll(async () => {
    thin = await runDeployment();
    crowded = await runDeployment({ logs: manyLogs() });
  });

  afterAll(async () => {
    await thin[Symbol.asyncDispose]();
    await crowded[Symbol.asyncDispose]();
  });

  test('brings logs that can be searched at once', async () => {
    await using here = await folder();
    const options = { cwd: here.path, environment: thin.environment };
    const exported = await run(['export', '--search', 'logCode:9003', ...into, '--json'], options);
    expect(exported).toMatchObject({ code: 0 });
    const { logs, complete, windows, calls } = JSON.parse(exported.out);
    // Both ends of the window are requested again, as its sample.
    expect({ complete, windows, calls }).toEqual({ complete: true, windows: 1, calls: 3 });
    expect(logs).toBeGreaterThan(0);
    const found = await run(['search', 'logCode:9003', 'case.duckdb', '--count'], options);
    expect(found).toMatchObject({ code: 0, out: `${logs}\n` });
    expect((await readdir(here.path)).filter((name) => name.includes('downloads'))).toEqual([]);
  });

  test('of more logs than one call returns brings them all, and the same again asks for what is new', async () => {
    await using here = await folder();
    const options = { cwd: here.path, environment: crowded.environment };
    const until = [...into, '--to', '2025-06', '--json'];
    const exported = await run(['export', ...until], options);
    expect(exported).toMatchObject({ code: 0 });
    expect(JSON.parse(exported.out)).toMatchObject({ logs: 12_000, complete: true, gaps: [] });
    const again = await run(['export', ...until], options);
    expect(JSON.parse(again.out)).toMatchObject({ logs: 0, calls: 0, complete: true });
    const last = await run(['export', '--since-last', 'case.duckdb', '--json'], options);
    expect(last).toMatchObject({ code: 0 });
    const covered = await run(['coverage', 'case.duckdb'], options);
    expect(covered).toMatchObject({ code: 0, out: expect.stringMatching(/█{20}/) });
  });

  test('of the newest logs that are capped says so, where, and ends with 4', async () => {
    await using here = await folder();
    const { code, err } = await run(['export', ...into, '--num', '10000'], {
      cwd: here.path,
      environment: crowded.environment,
    });
    expect(code).toBe(4);
    expect(err).toMatch(/INCOMPLETE: .* may be more older than 2025-01-01 00:00:0\d/);
  });

  test('is planned without a case', async () => {
    await using here = await folder();
    const options = { cwd: here.path, environment: crowded.environment };
    const { code, out: text } = await run(['export', '--plan', '--to', '2025-06'], options);
    expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/calls \(at least \d+\)/) });
    expect(await readdir(here.path)).toEqual([]);
  });

  test('of fewer logs on purpose is done', async () => {
    await using here = await folder();
    const options = { cwd: here.path, environment: thin.environment };
    expect(await run(['export', ...into, '--num', '5'], options)).toMatchObject({ code: 0 });
  });

  test('of nothing is no failure', async () => {
    await using here = await folder();
    const options = { cwd: here.path, environment: thin.environment };
    const { code, err } = await run(['export', ...into, '--to', '2001'], options);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('The export is empty') });
  });

  test('keeps to its filters', async () => {
    await using here = await folder();
    const options = { cwd: here.path, environment: thin.environment };
    const words = ['--log-level', 'severe', '--source', 'Rest Catalog', '--log-code', '9003,9000'];
    expect(
      await run(['export', ...into, ...words, '--from', '2025-03-12', '--to', '2025-03-12T12:00'], options),
    ).toMatchObject({ code: 0 });
    const { out: rows } = await run(
      ['sql', 'SELECT DISTINCT logLevel, source, logCode FROM logs', 'case.duckdb', '--csv'],
      options,
    );
    expect(rows).toBe('logLevel,source,logCode\nSEVERE,Rest Catalog,9003\n');
  });
});

function* manyLogs() {
  // More than an export returns, one a millisecond.
  for (let index = 0; index < 12_000; index += 1) {
    yield { time: Date.UTC(2025, 0, 1) + index, logLevel: 'INFO', msg: `log ${index}` };
  }
}

describe('an interrupted export', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('goes on where it stopped after %s', async (signal) => {
    await using here = await folder();
    await using deployment = await runDeployment({ pace: { queued: 100, running: 4000, perLog: 0 } });
    const options = { cwd: here.path, environment: deployment.environment };
    const { child, ended, printed } = start(['export', '--search', 'logCode:9003', ...into], options);
    await printed('is running at the deployment');
    child.kill(signal);
    const interrupted = await ended;
    expect(interrupted).toMatchObject({ code: 130, err: expect.stringContaining('--resume case.duckdb') });
    expect(await run(['search', '*:*', 'case.duckdb', '--count'], options)).toMatchObject({ out: '0\n' });

    const resumed = await run(['export', '--resume', 'case.duckdb', '--json'], options);
    expect(resumed).toMatchObject({ code: 0 });
    // No call but those of the sample.
    expect(JSON.parse(resumed.out)).toMatchObject({ calls: 2, windows: 1, complete: true });

    const again = await run(['export', '--resume', 'case.duckdb'], options);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('NOTHING_TO_RESUME') });
  });

  test('that waits longer than it may can be resumed as well', async () => {
    await using here = await folder();
    await using deployment = await runDeployment({ pace: { queued: 0, running: 3000, perLog: 0 } });
    const options = { cwd: here.path, environment: deployment.environment };
    const { code, err } = await run(['export', ...into, '--max-wait', '1s'], options);
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringMatching(/is still EXECUTING[\s\S]*--resume case\.duckdb/),
    });
    expect(await run(['export', '--resume', 'case.duckdb'], options)).toMatchObject({ code: 0 });
  });
});

describe('what can go wrong', () => {
  test.each<[string, Fault, string]>([
    ['a page instead of JSON', { on: 'exportLogs', effect: 'page' }, 'BAD_REPLY'],
    [
      'a job that ends FAILED',
      { on: 'exportLogs', effect: 'endJob', state: 'FAILED', messages: ['Disk full.'] },
      'Disk full',
    ],
    ['a zip that is cut off, each time', { on: 'download', effect: 'truncate', keep: 0.5 }, 'DAMAGED_ZIP'],
    [
      'no right to export',
      { on: 'exportLogs', effect: 'refuse', failure: { code: 403, message: 'No privilege', details: [] } },
      'FORBIDDEN',
    ],
  ])('%s', async (_name, fault, message) => {
    await using here = await folder();
    await using deployment = await runDeployment({ faults: [fault] });
    const { code, err } = await run(['export', ...into], {
      cwd: here.path,
      environment: deployment.environment,
    });
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(message) });
  });

  test('an expired token is renewed', async () => {
    await using here = await folder();
    await using deployment = await runDeployment({
      faults: [{ on: 'job', times: 1, effect: 'expireTokens' }],
    });
    const options = { cwd: here.path, environment: deployment.environment };
    expect(await run(['export', ...into], options)).toMatchObject({ code: 0 });
  });

  test('an entry whose path climbs out is read, and said to hold the same logs as another', async () => {
    await using here = await folder();
    await using deployment = await runDeployment({ faults: [{ on: 'exportLogs', effect: 'climbingPath' }] });
    const { code, err } = await run(['export', ...into], {
      cwd: here.path,
      environment: deployment.environment,
    });
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('hold the same logs') });
  });

  test('a refused login makes no case', async () => {
    await using here = await folder();
    await using deployment = await runDeployment();
    const environment = { ...deployment.environment, LOGQUARRY_PASSWORD: 'wrong' };
    const { code, err } = await run(['export', ...into], { cwd: here.path, environment });
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('REFUSED_LOGIN') });
    expect(await readdir(here.path)).toEqual([]);
  });

  test.each([
    ['an unknown host', 'http://no-such-host.invalid/gis', 'There is no host "no-such-host.invalid"'],
    ['a port where nobody listens', 'http://127.0.0.1:49151/gis', '"127.0.0.1:49151" refuses connections'],
  ])('%s', async (_name, url, message) => {
    await using here = await folder();
    const environment = { LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: password };
    const { code, err } = await run(['export', '--url', url, ...into], { cwd: here.path, environment });
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(message) });
    expect(await readdir(here.path)).toEqual([]);
  });
});

test('no secret is in any output or file', async () => {
  await using here = await folder();
  // The message of the deployment about the job quotes the password.
  const quoted = { message: `The password is ${password}`, details: [encodeURIComponent(password)] };
  await using deployment = await runDeployment({
    pace: { queued: 0, running: 1500, perLog: 0 },
    faults: [{ on: 'job', skip: 1, times: 3, effect: 'refuse', failure: quoted }],
  });
  await writeFile(join(here.path, 'pw'), `${password}\n`, { mode: 0o600 });
  const options = { cwd: here.path, environment: { LOGQUARRY_URL: deployment.url } };
  const words = ['--user', 'ann', '--password-file', 'pw'];
  // Without the deployment's own log of that message, which is evidence and stays as it is.
  const refused = await run(['export', ...words, ...into, '--to', '2025-06'], options);
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('[hidden]') });
  const resumed = await run(['export', ...words, '--resume', 'case.duckdb', '--json'], options);
  expect(resumed).toMatchObject({ code: 0 });
  const tables = ['jobs', 'parts', 'actions', 'unreadable', 'logs'];
  const dumps = await Promise.all(
    tables.map((name) => run(['sql', `FROM ${name}`, 'case.duckdb', '--json'], options)),
  );
  for (const { code } of dumps) expect(code).toBe(0);

  const secrets = [password, encodeURIComponent(password), ...deployment.tokens];
  expect(deployment.tokens.length).toBeGreaterThan(1);
  const files = (await readdir(here.path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'pw')
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(1);
  const texts = [refused, resumed, ...dumps].map((ended) => ended.out + ended.err);
  const bytes = await Promise.all(files.map((path) => readFile(path)));
  for (const secret of secrets) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(bytes.filter((content) => content.includes(secret))).toEqual([]);
  }
});
