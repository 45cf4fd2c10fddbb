import { describe, expect, test } from 'vitest';
import { type ExportRequest, everything, readJob, submitExport } from '../../src/client/index.ts';
import { incidentLogs } from '../../src/emulator/index.ts';
import type { Log } from '../../src/records/log.ts';
import { formBody, unzip } from '../emulator/calls.ts';
import { postForm, type Running, startRunning, tokenOf } from './running.ts';

const base: Omit<Log, 'time'> = {
  logLevel: 'INFO',
  logCode: 9029,
  msg: 'Request received',
  source: 'Rest',
  machine: 'm',
  process: '1',
};
const start = Date.UTC(2025, 2, 12, 8);
const logs: readonly Log[] = [
  {
    ...base,
    time: start,
    logLevel: 'SEVERE',
    logCode: 9003,
    stackTraces: 'at a.b(C.java:1)',
    msg: 'Request failed: timed out',
  },
  { ...base, time: start + 1000, logLevel: 'WARNING', source: 'Sharing', username: 'maria', logCode: 217041 },
  {
    ...base,
    time: start + 2000,
    source: 'Utilities/Water.MapServer',
    serviceTypes: 'MapServer',
    requestID: 'r-1',
    elapsed: 2,
  },
  { ...base, time: start + 3000, logLevel: 'FINE', requestID: 'r-2', username: 'maria', elapsed: 1.5 },
  {
    ...base,
    time: start + 4000,
    logLevel: 'VERBOSE',
    source: 'Enterprise Admin',
    logCode: 1312,
    msg: 'Updated Kubernetes Secret',
  },
  { ...base, time: start + 5000, logLevel: 'DEBUG', source: 'Soap Catalog', logCode: 9502 },
];

/** The places in the list above of the logs that a request exports, in the order in which they come. */
async function exported(running: Running, change: Partial<ExportRequest>): Promise<readonly number[]> {
  const found = await logsOf(running, change);
  return found.map(({ time }) => logs.findIndex((log) => log.time === time));
}

async function logsOf(
  { client, wait, ...running }: Running,
  change: Partial<ExportRequest>,
): Promise<readonly Log[]> {
  const request = { ...everything, logLevel: 'DEBUG', newest: start + 60_000, ...change };
  const { jobsUrl } = await submitExport(client, request);
  wait(10_000);
  const { resultUrl = '' } = await readJob(client, jobsUrl);
  const token = await tokenOf({ client, wait, ...running });
  const response = await fetch(`${resultUrl}/download`, { headers: { authorization: `Bearer ${token}` } });
  const entries = await unzip(new Uint8Array(await response.arrayBuffer()));
  const lines = [...entries.values()].join('').split('\n');
  return lines.filter((line) => line !== '').map((line): Log => JSON.parse(line));
}

describe('the job (section 2.2)', () => {
  test('as submitted and as finished has every field of its type', async () => {
    await using running = await startRunning({ logs });
    const { client, wait } = running;
    const before = Date.now();
    const submitted = await submitExport(client, everything);
    expect(submitted).toEqual({
      jobsUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/gis\/admin\/jobs\/j/),
      jobid: expect.stringMatching(/^j[0-9a-f-]{36}$/),
      status: 'SUBMITTED',
    });
    wait(10_000);
    const form = { token: await tokenOf(running) };
    const job = await postForm(submitted.jobsUrl, form);
    expect(job).toEqual({
      jobid: submitted.jobid,
      status: 'COMPLETED',
      result: { URL: expect.stringMatching(/\/gis\/admin\/uploads\/i[0-9a-f-]{36}$/) },
      updatedtime: expect.any(Number),
      starttime: expect.any(Number),
      endtime: expect.any(Number),
      resource: { name: expect.any(String) },
      requestID: expect.any(String),
      name: 'exportLogs',
      operationURI: '/gis/admin/logs/export',
      username: 'admin',
    });
    const { starttime, endtime } = job as { starttime: number; endtime: number };
    expect(starttime).toBeGreaterThanOrEqual(before);
    expect(endtime).toBeGreaterThan(starttime);
  });
});

describe('the parameters of an export (section 4.2.1)', () => {
  test('num: default 1000, upper limit 10,000', async () => {
    await using running = await startRunning({ logs: incidentLogs({ count: 1200 }) });
    const token = await tokenOf(running);
    const address = running.client.addresses.exportLogs;
    for (const num of ['0', '10001', '-1', '1.5', 'many']) {
      expect(await postForm(address, { token, num })).toMatchObject({
        error: { code: 400, details: ['"num" requires a whole number from 1 to 10000'] },
      });
    }
    const submitted = (await postForm(address, { token })) as { jobsUrl: string };
    running.wait(10_000);
    const { resultUrl = '' } = await readJob(running.client, submitted.jobsUrl);
    const response = await fetch(`${resultUrl}/download`, { headers: { authorization: `Bearer ${token}` } });
    const [text = ''] = (await unzip(new Uint8Array(await response.arrayBuffer()))).values();
    expect(text.trimEnd().split('\n')).toHaveLength(1000);
  });

  test('stackTraces: default false', async () => {
    await using running = await startRunning({ logs });
    const severe = { logLevel: 'SEVERE' };
    expect((await logsOf(running, { ...severe, stackTraces: true }))[0]).toHaveProperty('stackTraces');
    expect((await logsOf(running, { ...severe, stackTraces: false }))[0]).not.toHaveProperty('stackTraces');
  });

  test.each([
    ['SEVERE', [0]],
    ['WARNING', [1, 0]],
    ['INFO', [2, 1, 0]],
    ['FINE', [3, 2, 1, 0]],
    ['VERBOSE', [4, 3, 2, 1, 0]],
    ['DEBUG', [5, 4, 3, 2, 1, 0]],
  ])('logLevel %s: this level and more severe ones', async (logLevel, places) => {
    await using running = await startRunning({ logs });
    expect(await exported(running, { logLevel })).toEqual(places);
  });

  test('logLevel: by default the current one of the organisation', async () => {
    await using running = await startRunning({ logs, logLevel: 'WARNING' });
    const { logLevel: _, ...request } = { ...everything, newest: start + 60_000 };
    const { jobsUrl } = await submitExport(running.client, request);
    running.wait(10_000);
    const { resultUrl = '' } = await readJob(running.client, jobsUrl);
    const authorization = `Bearer ${await tokenOf(running)}`;
    const response = await fetch(`${resultUrl}/download`, { headers: { authorization } });
    const [text = ''] = (await unzip(new Uint8Array(await response.arrayBuffer()))).values();
    expect(text.trimEnd().split('\n')).toHaveLength(2);
  });

  test.each<[string, Partial<ExportRequest>, readonly number[]]>([
    ['startTime is the most recent time', { newest: start + 1500 }, [1, 0]],
    ['endTime is the oldest time', { oldest: start + 3500 }, [5, 4]],
    ['logCode', { logCodes: [1312, 9003] }, [4, 0]],
    ['users', { users: 'maria' }, [3, 1]],
    ['requestIDs', { requestIDs: ['r-1', 'r-2'] }, [3, 2]],
    ['serviceTypes', { serviceTypes: 'MapServer' }, [2]],
    ['source: the sharing interface', { source: 'Sharing' }, [1]],
    ['source: a service in a folder', { source: 'Utilities/Water.MapServer' }, [2]],
    ['source: the administration', { source: 'Enterprise Admin' }, [4]],
    ['source: the catalog', { source: 'Soap Catalog' }, [5]],
    ['searchQuery: full text', { searchQuery: 'secret timed' }, [4, 0]],
    ['searchQuery: exact match', { searchQuery: '"timed out"' }, [0]],
    ['searchQuery: field-based', { searchQuery: 'source:Sharing' }, [1]],
    ['searchQuery: boolean', { searchQuery: 'logCode:9029 AND NOT username:maria' }, [2]],
    ['searchQuery: range with included bounds', { searchQuery: 'elapsed:[1.5 TO 2]' }, [3, 2]],
    ['searchQuery: range with excluded bounds', { searchQuery: 'elapsed:{1.5 TO 3}' }, [2]],
    ['searchQuery: grouping', { searchQuery: '(logCode:1312 OR logCode:9003) AND logLevel:SEVERE' }, [0]],
    ['sortBy time and sortOrder asc', { searchQuery: 'username:maria', sortOrder: 'asc' }, [1, 3]],
    ['sortBy time and sortOrder desc', { searchQuery: 'username:maria' }, [3, 1]],
    [
      'sortOrder is ignored for bestMatch',
      { searchQuery: 'username:maria', sortBy: 'bestMatch', sortOrder: 'asc' },
      [3, 1],
    ],
  ])('%s', async (_, change, places) => {
    await using running = await startRunning({ logs });
    expect(await exported(running, change)).toEqual(places);
  });

  test('times in the form yyyy-mm-ddThh:mm:ss', async () => {
    await using running = await startRunning({ logs });
    const form = {
      token: await tokenOf(running),
      startTime: '2025-03-12T08:00:03',
      endTime: '2025-03-12T08:00:02',
    };
    expect(await postForm(running.client.addresses.exportLogs, form)).toMatchObject({ status: 'SUBMITTED' });
  });
});

describe('the format of a reply (section 4.2)', () => {
  const send = async (running: Running, f: Record<string, string>) => {
    const address = running.client.addresses.exportLogs;
    const body = formBody(address, { token: await tokenOf(running), ...f });
    const response = await fetch(address, { method: 'POST', body });
    return { type: response.headers.get('content-type'), text: await response.text() };
  };

  test.each([
    [{}, 'text/html; charset=utf-8', '<!doctype html>'],
    [{ f: 'html' }, 'text/html; charset=utf-8', '<!doctype html>'],
    [{ f: 'json' }, 'application/json; charset=utf-8', '{"jobsUrl"'],
    [{ f: 'pjson' }, 'application/json; charset=utf-8', '{\n  "jobsUrl"'],
    [{ f: 'xml' }, 'application/json; charset=utf-8', '{"error":{"code":400'],
  ])('f: %j', async (f, type, start) => {
    await using running = await startRunning({ logs });
    const reply = await send(running, f as Record<string, string>);
    expect(reply.type).toBe(type);
    expect(reply.text.startsWith(start)).toBe(true);
  });
});
