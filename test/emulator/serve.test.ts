import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { incidentEnd, incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { admin, formBody, textOf, unzip } from './calls.ts';

const send = async (url: string, form: Record<string, string>) => {
  const response = await fetch(url, { method: 'POST', body: formBody(url, { f: 'json', ...form }) });
  return response.json();
};

test('from the token to the zip over real HTTP', async () => {
  const logs = [...incidentLogs({ count: 2000 })];
  await using deployment = await createDeployment({
    logs,
    users: [admin],
    pace: { queued: 200, running: 100, perLog: 0 },
  });
  await using served = await serveDeployment(deployment);
  expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/gis$/);

  const token = textOf(
    await send(`${served.url}/sharing/rest/generateToken`, { ...admin, client: 'requestip' }),
    'token',
  );
  const form = { token, logLevel: 'SEVERE', startTime: String(incidentEnd), num: '10000' };
  const jobsUrl = textOf(await send(`${served.url}/admin/logs/export`, form), 'jobsUrl');
  expect(jobsUrl).toMatch(new RegExp(`^${served.url}/admin/jobs/j`));
  const states = new Set<string>();
  let job: unknown;
  do {
    await new Promise((done) => setTimeout(done, 5));
    job = await send(jobsUrl, { token });
    states.add(textOf(job, 'status'));
  } while (!states.has('COMPLETED'));
  // A busy machine may not see the earlier ones, but never sees another order.
  expect(['SUBMITTED', 'EXECUTING', 'COMPLETED'].filter((state) => states.has(state))).toEqual([...states]);

  const response = await fetch(`${textOf(job, 'result', 'URL')}/download`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const entries = await unzip(new Uint8Array(await response.arrayBuffer()));
  const lines = entries.get('logs.ndjson')?.trimEnd().split('\n') ?? [];
  expect(lines).toHaveLength(logs.filter(({ logLevel }) => logLevel === 'SEVERE').length);
});

test('a download that breaks off breaks the connection and prints nothing', async () => {
  const printed = vi.spyOn(console, 'error');
  await using deployment = await createDeployment({
    logs: [...incidentLogs({ count: 2000 })],
    users: [admin],
    pace: { queued: 0, running: 0, perLog: 0 },
    faults: [{ on: 'download', times: 1, effect: 'breakOff', keep: 0.5 }],
  });
  await using served = await serveDeployment(deployment);
  const token = textOf(
    await send(`${served.url}/sharing/rest/generateToken`, { ...admin, client: 'requestip' }),
    'token',
  );
  const jobsUrl = textOf(await send(`${served.url}/admin/logs/export`, { token, num: '2000' }), 'jobsUrl');
  const download = `${textOf(await send(jobsUrl, { token }), 'result', 'URL')}/download`;
  const headers = { authorization: `Bearer ${token}` };
  await expect(fetch(download, { headers }).then((reply) => reply.arrayBuffer())).rejects.toThrow();
  expect((await fetch(download, { headers })).status).toBe(200);
  expect(printed).not.toHaveBeenCalled();
});

test('a token for the address of the caller works for the caller', async () => {
  await using deployment = await createDeployment({ users: [admin] });
  await using served = await serveDeployment(deployment);
  const here = textOf(
    await send(`${served.url}/sharing/rest/generateToken`, { ...admin, client: 'requestip' }),
    'token',
  );
  expect(await send(`${served.url}/admin/logs/export`, { token: here })).toMatchObject({
    status: 'SUBMITTED',
  });
  const elsewhere = textOf(
    await send(`${served.url}/sharing/rest/generateToken`, { ...admin, client: 'ip', ip: '10.0.0.1' }),
    'token',
  );
  expect(await send(`${served.url}/admin/logs/export`, { token: elsewhere })).toMatchObject({
    error: { code: 498 },
  });
});

test('closing frees the port, also with a connection that is kept alive', async () => {
  await using deployment = await createDeployment({ users: [admin] });
  const served = await serveDeployment(deployment);
  await send(`${served.url}/admin/logs/export`, {});
  await served.close();
  await served.close();
  await expect(fetch(served.url)).rejects.toThrow();
  const again = await serveDeployment(deployment, { port: Number(new URL(served.url).port) });
  await again.close();
});

test('a port that is taken is the error of the system', async () => {
  await using deployment = await createDeployment({ users: [admin] });
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => taken.once('listening', done));
  const address = taken.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await expect(serveDeployment(deployment, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((done) => taken.close(done));
});

test('the globals stay as they are', async () => {
  const before = [globalThis.Request, globalThis.Response];
  await using deployment = await createDeployment();
  await using _served = await serveDeployment(deployment);
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});
