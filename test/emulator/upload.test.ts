import { parse as parseCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { incidentEnd, incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { exportZip, post, postJson, runJob, signIn, startDeployment, textOf, unzip } from './calls.ts';

const logs = [...incidentLogs({ count: 500 })];
const form = {
  num: '500',
  logLevel: 'DEBUG',
  stackTraces: 'true',
  startTime: String(incidentEnd),
  sortBy: 'time',
  sortOrder: 'asc',
};

test('the upload says what it is, and its bytes are at /download below it', async () => {
  await using deployment = await startDeployment({ logs });
  const token = await signIn(deployment);
  const job = await runJob(deployment, form, token);
  const url = textOf(job, 'result', 'URL');
  const itemName = `exportLogs-${textOf(job, 'jobid')}.zip`;
  const response = await post(deployment, `${url}/download`, { token });
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(bytes.length),
    'content-disposition': `attachment; filename="${itemName}"`,
  });
  expect(await postJson(deployment, url, { token })).toEqual({
    itemID: url.split('/').at(-1),
    itemName,
    description: '',
    date: incidentEnd + 60_000 + 150 + 350 + 50,
    size: bytes.length,
    contentType: 'application/zip',
    committed: true,
  });
});

test('a download answers GET with a token in a header', async () => {
  await using deployment = await startDeployment({ logs });
  const token = await signIn(deployment);
  const url = textOf(await runJob(deployment, form, token), 'result', 'URL');
  const request = new Request(`${url}/download`, { headers: { authorization: `Bearer ${token}` } });
  const response = await deployment.fetch(request);
  expect(
    (await unzip(new Uint8Array(await response.arrayBuffer()))).get('logs.ndjson')?.split('\n'),
  ).toHaveLength(501);
});

test('one who may export but not download is refused at the download alone, and the other way round', async () => {
  const exporter = { username: 'exporter', password: 'a', privileges: ['exportLogs'] } as const;
  const reader = {
    username: 'reader',
    password: 'b',
    privileges: ['downloadUploads', 'manageJobs'],
  } as const;
  await using deployment = await startDeployment({ logs, users: [exporter, reader] });
  const token = await signIn(deployment, exporter);
  const url = textOf(await runJob(deployment, form, token), 'result', 'URL');
  expect(await postJson(deployment, `${url}/download`, { token })).toEqual({
    error: {
      code: 403,
      message: 'Access denied.',
      details: ['User \'exporter\' lacks the privilege "downloadUploads".'],
    },
  });
  const other = { token: await signIn(deployment, reader) };
  expect((await post(deployment, `${url}/download`, other)).headers.get('content-type')).toBe(
    'application/zip',
  );
  expect(await postJson(deployment, '/gis/admin/logs/export', other)).toMatchObject({ error: { code: 403 } });
});

test('an upload that is not there is refused in words', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  for (const path of ['/gis/admin/uploads/i1', '/gis/admin/uploads/i1/download']) {
    expect(await postJson(deployment, path, { token })).toMatchObject({
      error: { code: 404, message: 'Upload not found.' },
    });
  }
});

test('the same logs give the same zip', async () => {
  await using first = await startDeployment({ logs });
  await using second = await startDeployment({ logs });
  expect(await exportZip(first, form)).toEqual(await exportZip(second, form));
});

test.each([
  [{}, ['logs.ndjson']],
  [{ entries: 3 }, ['logs-1.ndjson', 'logs-2.ndjson', 'logs-3.ndjson']],
  [{ folder: 'export/2025', entries: 2 }, ['export/2025/logs-1.ndjson', 'export/2025/logs-2.ndjson']],
])('a zip laid out as %o holds every log once', async (archive, names) => {
  await using deployment = await startDeployment({ logs, archive });
  const entries = await unzip(await exportZip(deployment, form));
  expect([...entries.keys()]).toEqual(names);
  const lines = [...entries.values()].join('').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(logs);
});

test('a zip can hold a JSON list', async () => {
  await using deployment = await startDeployment({ logs, archive: { format: 'json' } });
  const entries = await unzip(await exportZip(deployment, form));
  expect(JSON.parse(entries.get('logs.json') ?? '')).toEqual(logs);
  const none = await unzip(await exportZip(deployment, { ...form, users: 'nobody' }));
  expect(none.get('logs.json')).toBe('[]\n');
});

test('a zip can hold CSV, in which commas, quotes and line breaks survive', async () => {
  await using deployment = await startDeployment({ logs, archive: { format: 'csv' } });
  const entries = await unzip(await exportZip(deployment, form));
  const rows: Record<string, string>[] = parseCsv(entries.get('logs.csv') ?? '', { columns: true });
  const texts = logs.map((log) =>
    Object.fromEntries(Object.entries(log).map(([name, value]) => [name, String(value)])),
  );
  expect(
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))),
  ).toEqual(texts);
  expect(logs.some(({ stackTraces }) => stackTraces?.includes('\n'))).toBe(true);
});

test('an export without logs is a zip with an empty entry', async () => {
  await using deployment = await startDeployment({ logs });
  expect(await unzip(await exportZip(deployment, { ...form, users: 'nobody' }))).toEqual(
    new Map([['logs.ndjson', '']]),
  );
});
