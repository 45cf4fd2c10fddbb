import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findJobs } from '../../src/case/contents/exports.ts';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { openClient } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import type { Fault } from '../../src/emulator/operation.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { zipPath } from '../../src/export/run/job.ts';
import { runExport } from '../../src/export/run/run-export.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { type ExportRequest, newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { addressesFor } from '../client/deployment.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { afterLogs, logs, proofs, startExporting } from './exporting.ts';

const request: ExportRequest = { ...newestLogsRequest, newest: afterLogs };

test('an export brings the very logs that the deployment holds', async () => {
  await using exporting = await startExporting();
  const { into, progress, calls } = exporting;
  const result = await runExport({ ...exporting, request });
  expect(result).toMatchObject({ logs: 25, unreadable: 0, complete: true, gaps: [] });
  const found = await findLogs(into, matchAllFilter, { limit: 100, order: 'oldest' });
  expect(found.map(({ log }) => log)).toEqual(logs);
  expect([...new Set(progress.map(({ stage }) => stage))]).toEqual([
    'submitting',
    'submitted',
    'downloading',
    'downloaded',
    'loading',
    'loaded',
  ]);
  expect(Object.fromEntries(calls)).toMatchObject({
    generateToken: 1,
    export: 1 + proofs,
    uploads: 1 + proofs,
  });
  expect(await exporting.leftovers()).toEqual([]);
});

largeTest('an export that brings the very zip of an earlier one is as complete as that', async () => {
  await using exporting = await startExporting();
  await runExport({ ...exporting, request });
  const again = await runExport({ ...exporting, request });
  expect(again).toMatchObject({ logs: 25, complete: true, gaps: [] });
  expect(await summary(exporting.into)).toMatchObject({ logs: 25 });
});

test('the job is in the case with its parameters, and with no secret', async () => {
  await using exporting = await startExporting();
  const { jobId } = await runExport({ ...exporting, request: { ...request, logLevel: 'SEVERE' } });
  const [job, ...others] = await findJobs(exporting.into);
  expect(others).toEqual([]);
  expect(job).toMatchObject({ id: jobId, operation: 'logs/export', state: 'loaded' });
  expect(job?.request).toMatchObject({ num: '10000', logLevel: 'SEVERE', startTime: String(afterLogs) });
  const stored = JSON.stringify([job, await summary(exporting.into)]);
  expect(stored).not.toContain(exporting.deployment.account.password);
  expect(Object.keys(job?.request ?? {})).not.toContain('token');
});

test('the same over real HTTP', async () => {
  await using exporting = await startExporting();
  await using served = await serveDeployment(exporting.deployment);
  await using client = openClient({
    addresses: addressesFor(served.url),
    credentials: { kind: 'password', ...exporting.deployment.account },
  });
  expect(await runExport({ ...exporting, client, request })).toMatchObject({ logs: 25, complete: true });
});

largeTest('into a case in memory, which leaves no file behind even when it fails', async () => {
  for (const keep of [1, 0.5]) {
    await using exporting = await startExporting({ faults: [{ on: 'download', effect: 'truncate', keep }] });
    await using into = await openCase(':memory:', { access: 'write' });
    const outcome = await runExport({ ...exporting, into, request }).catch((error) => error);
    expect(outcome).toMatchObject(keep === 1 ? { logs: 25 } : { code: 'DAMAGED_ZIP' });
    expect(existsSync(dirname(zipPath(':memory:', 'any')))).toBe(false);
  }
});

test('a search is exported like a query', async () => {
  await using exporting = await startExporting();
  const search = { ...request, searchQuery: 'logCode:[9003 TO 9005]', sortOrder: 'asc' } as const;
  expect(await runExport({ ...exporting, request: search })).toMatchObject({ logs: 3, complete: true });
});

test('as many logs as were asked for are a capped export', async () => {
  await using exporting = await startExporting();
  const result = await runExport({ ...exporting, request: { ...request, num: 25 } });
  expect(result).toMatchObject({
    logs: 25,
    complete: false,
    gaps: [
      {
        kind: 'capped',
        message: 'The export is capped: 25 logs were asked for and as many came, so there may be more',
      },
    ],
  });
});

test.each(
  sampled<[string, Partial<ExportRequest>, readonly Fault[]]>(
    [
      ['a file without logs', { newest: 1000 }, []],
      ['no file at all', { newest: 1000 }, [{ on: 'exportLogs', effect: 'noEntries', times: 2 }]],
    ],
    1,
  ),
)('an empty export, a zip with %s, is no failure', async (_what, more, faults) => {
  await using exporting = await startExporting({ faults });
  const result = await runExport({ ...exporting, request: { ...request, ...more } });
  expect(result).toMatchObject({ logs: 0, unreadable: 0, complete: true, gaps: [] });
  expect(await findJobs(exporting.into)).toMatchObject([{ state: 'loaded' }]);
});

test('a zip that is damaged in all downloads of one job is brought by another', async () => {
  const faults = [{ on: 'download', effect: 'truncate', keep: 0.5, times: 3 } as const];
  await using exporting = await startExporting({ faults });
  expect(await runExport({ ...exporting, request })).toMatchObject({ logs: 25, complete: true });
  const states = (await findJobs(exporting.into)).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['failed', 'loaded']);
});

test('a zip with an entry that climbs out of the folder is read, and its equal entries are said', async () => {
  await using exporting = await startExporting({ faults: [{ on: 'exportLogs', effect: 'climbingPath' }] });
  const result = await runExport({ ...exporting, request });
  expect(result).toMatchObject({
    logs: 25,
    complete: true,
    gaps: [],
    notes: [
      { kind: 'same logs', entries: ['logs.ndjson', '../../climbed.ndjson'], isLeftOut: true, files: 1 },
    ],
  });
});

describe('what passes is got over', () => {
  const passing: readonly (readonly [string, readonly Fault[]])[] = [
    ['tokens that end while the job runs', [{ on: 'job', times: 1, effect: 'expireTokens' }]],
    ['tokens that end before the download', [{ on: 'download', times: 1, effect: 'expireTokens' }]],
    ['an overload at the job', [{ on: 'job', times: 3, effect: 'status', status: 503 }]],
    ['a restart', [{ on: 'job', times: 9, effect: 'status', status: 502 }]],
    ['too many requests', [{ on: 'exportLogs', times: 1, effect: 'status', status: 429 }]],
    ['an overload at the login', [{ on: 'generateToken', times: 1, effect: 'status', status: 503 }]],
    ['a cut download', [{ on: 'download', times: 2, effect: 'truncate', keep: 0.7 }]],
  ];

  test.each(sampled(passing, 2))('%s', async (_what, faults) => {
    await using exporting = await startExporting({ faults });
    expect(await runExport({ ...exporting, request })).toMatchObject({ logs: 25, complete: true });
    expect(exporting.calls.get('export')).toBe((faults[0]?.on === 'exportLogs' ? 2 : 1) + proofs);
    expect(await findLogs(exporting.into, matchAllFilter, { limit: 100 })).toHaveLength(25);
    expect(await exporting.leftovers()).toEqual([]);
  });
});

describe('what does not pass is a clear error', () => {
  const refuse = (code: number, message: string) =>
    ({ effect: 'refuse', failure: { code, message, details: [] } }) as const;

  const failing: readonly (readonly [
    string,
    readonly Fault[],
    { readonly code: string; readonly message: RegExp; readonly state?: string },
  ])[] = [
    [
      'a refused login',
      [{ on: 'generateToken', ...refuse(400, 'Unable to generate token.') }],
      {
        code: 'REFUSED_LOGIN',
        message: /^The user "admin" could not be signed in: .*: check the user and the password$/,
      },
    ],
    [
      'a token that is never accepted',
      [{ on: 'exportLogs', effect: 'expireTokens' }],
      {
        code: 'TOKEN_EXPIRED',
        message: /^The export was not accepted: the deployment does not accept the token/,
      },
    ],
    [
      'a user who may not export',
      [{ on: 'exportLogs', ...refuse(403, 'No.') }],
      { code: 'FORBIDDEN', message: /lacks the privilege to export logs/ },
    ],
    [
      'a page instead of JSON',
      [{ on: 'exportLogs', effect: 'page' }],
      { code: 'BAD_REPLY', message: /answered with a web page .* instead of JSON/ },
    ],
    [
      'a job that fails',
      [{ on: 'exportLogs', effect: 'endJob', state: 'FAILED', messages: ['No space left'] }],
      {
        code: 'JOB_FAILED',
        message: /^The export job ".*" ended as FAILED: No space left$/,
        state: 'failed',
      },
    ],
    [
      'a job that somebody cancelled',
      [{ on: 'exportLogs', effect: 'endJob', state: 'CANCELLED', messages: [] }],
      { code: 'JOB_FAILED', message: /ended as CANCELLED: it gives no reason$/, state: 'failed' },
    ],
    [
      'a job in a state that nobody knows',
      [{ on: 'exportLogs', effect: 'endJob', state: 'RESTING', messages: [] }],
      { code: 'STILL_RUNNING', message: /is still RESTING after \d+ s/, state: 'submitted' },
    ],
    [
      'a user who may export but not download',
      [
        { on: 'download', ...refuse(403, 'No.') },
        { on: 'upload', ...refuse(403, 'No.') },
      ],
      { code: 'FORBIDDEN', message: /lacks the privilege to download uploads/, state: 'ready' },
    ],
    [
      'a zip that is always cut',
      [{ on: 'download', effect: 'truncate', keep: 0.5 }],
      { code: 'DAMAGED_ZIP', message: /was damaged in all of 3 downloads/, state: 'failed' },
    ],
  ];

  test.each(sampled(failing, 3))('%s', async (_what, faults, { code, message, state }) => {
    await using exporting = await startExporting({ faults });
    const error = await runExport({ ...exporting, request, maxWait: 50 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    const states = new Set((await findJobs(exporting.into)).map((job) => job.state));
    expect([...states]).toEqual(state ? [state] : []);
    expect(await findLogs(exporting.into, matchAllFilter, { limit: 1 })).toEqual([]);
    expect(String(error)).not.toContain(exporting.deployment.account.password);
  });
});

test('a deployment that is not there', async () => {
  await using exporting = await startExporting();
  await using client = openClient({
    addresses: addressesFor('http://no-such-host.invalid/gis'),
    credentials: { kind: 'token', token: 'abc' },
    retry: { attempts: 1 },
  });
  const error = await runExport({ ...exporting, client, request }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('no-such-host.invalid'),
  });
});
