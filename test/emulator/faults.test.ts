import JSZip from 'jszip';
import { expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { createFaults, type Fault } from '../../src/emulator/operation.ts';
import { failureOf } from '../../src/protocol/reply.ts';
import { sampled } from '../effort.ts';
import {
  admin,
  exportPath,
  exportZip,
  post,
  postJson,
  runJob,
  signIn,
  startDeployment,
  textOf,
  unzip,
} from './calls.ts';

const tokenPath = '/gis/sharing/rest/generateToken';
const account = { ...admin, client: 'requestip' };
const start = (...faults: Fault[]) => startDeployment({ logs: incidentLogs({ count: 300 }), faults });

test('an HTTP status instead of an answer', async () => {
  await using deployment = await start({ on: 'generateToken', effect: 'status', status: 503 });
  const response = await post(deployment, tokenPath, account);
  expect([response.status, await response.text()]).toEqual([503, 'upstream connect error\n']);
});

test('a status that no answer can have is reported as a failure of the deployment', async () => {
  await using deployment = await start({ on: 'generateToken', effect: 'status', status: 7 });
  const response = await post(deployment, tokenPath, account);
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { error: { code: 500, message: 'Internal error.' } },
  ]);
});

test('a page instead of JSON', async () => {
  await using deployment = await start({ on: 'exportLogs', effect: 'page' });
  const response = await post(deployment, exportPath, { token: await signIn(deployment) });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await response.text()).toMatch(/^<!DOCTYPE html>.*<title>Sign in<\/title>/s);
});

test.each(sampled(['error', 'status error', 'status failed', 'success false'] as const, 1))(
  'a refusal in the shape "%s"',
  async (shape) => {
    const failure = { code: 500, message: 'No space left', details: [] };
    await using deployment = await start({ on: 'generateToken', effect: 'refuse', failure, shape });
    expect(failureOf(await postJson(deployment, tokenPath, account))).toEqual(failure);
  },
);

test('a token that expires in the middle; a new one goes on', async () => {
  await using deployment = await start({ on: 'job', skip: 1, times: 1, effect: 'expireTokens' });
  const token = await signIn(deployment);
  const jobsUrl = textOf(await postJson(deployment, exportPath, { token }), 'jobsUrl');
  expect(await postJson(deployment, jobsUrl, { token })).toMatchObject({ status: 'SUBMITTED' });
  expect(await postJson(deployment, jobsUrl, { token })).toEqual({
    error: { code: 498, message: 'Invalid token.', details: [] },
  });
  expect(await postJson(deployment, jobsUrl, { token: await signIn(deployment) })).toMatchObject({
    status: 'SUBMITTED',
  });
});

test('a slow answer', async () => {
  await using deployment = await start({ on: 'generateToken', effect: 'delay', milliseconds: 120 });
  const started = performance.now();
  await signIn(deployment);
  expect(performance.now() - started).toBeGreaterThan(115);
});

test('closing the deployment ends a slow answer', async () => {
  const deployment = await start({ on: 'generateToken', effect: 'delay', milliseconds: 600_000 });
  const answer = post(deployment, tokenPath, account);
  await deployment[Symbol.asyncDispose]();
  expect((await answer).status).toBe(500);
});

test('a slow job', async () => {
  await using deployment = await start({ on: 'exportLogs', effect: 'delayJob', milliseconds: 100_000 });
  const token = await signIn(deployment);
  const job = await runJob(deployment, {}, token);
  expect(job).toMatchObject({ status: 'EXECUTING' });
  deployment.wait(60_000);
  expect(await postJson(deployment, `/gis/admin/jobs/${textOf(job, 'jobid')}`, { token })).toMatchObject({
    status: 'COMPLETED',
  });
});

test.each(sampled(['FAILED', 'CANCELLED', 'TIMED OUT', 'LOST IN SPACE'], 1))(
  'a job that ends as %s',
  async (state) => {
    await using deployment = await start({
      on: 'exportLogs',
      effect: 'endJob',
      state,
      messages: ['Out of memory'],
    });
    const job = await runJob(deployment, {}, await signIn(deployment));
    expect(job).toMatchObject({ status: state, messages: ['Out of memory'] });
  },
);

test('a zip that ends too early', async () => {
  await using deployment = await start({ on: 'download', times: 1, effect: 'truncate', keep: 0.5 });
  const token = await signIn(deployment);
  const url = `${textOf(await runJob(deployment, {}, token), 'result', 'URL')}/download`;
  const [half, whole] = await Promise.all(
    [await post(deployment, url, { token }), await post(deployment, url, { token })].map((response) =>
      response.arrayBuffer(),
    ),
  );
  expect(half?.byteLength).toBe(Math.floor((whole?.byteLength ?? 0) / 2));
  await expect(JSZip.loadAsync(half ?? '')).rejects.toThrow();
  await expect(JSZip.loadAsync(whole ?? '')).resolves.toBeDefined();
});

test('a zip without entries', async () => {
  await using deployment = await start({ on: 'exportLogs', effect: 'noEntries' });
  expect((await unzip(await exportZip(deployment, {}))).size).toBe(0);
});

test('a zip with a path that climbs out of the folder', async () => {
  await using deployment = await start({ on: 'exportLogs', effect: 'climbingPath' });
  expect([...(await unzip(await exportZip(deployment, {}))).keys()]).toEqual([
    'logs.ndjson',
    '../../climbed.ndjson',
  ]);
});

test('a fault that is skipped and limited is due on those calls only, whatever the others are', () => {
  const next = createFaults([
    { on: 'job', skip: 2, times: 2, effect: 'page' },
    { on: 'upload', effect: 'page' },
  ]);
  expect([1, 2, 3, 4, 5].map(() => next('job').length)).toEqual([0, 0, 1, 1, 0]);
  expect([1, 2].map(() => next('upload').length)).toEqual([1, 1]);
  expect(next('download')).toEqual([]);
});
