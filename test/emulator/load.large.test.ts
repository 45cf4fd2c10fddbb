import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { openClient } from '../../src/client/client.ts';
import { readJob } from '../../src/client/exports.ts';
import { createDeployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { addressesFor } from '../client/deployment.ts';
import { admin, formBody } from './calls.ts';

/** A client that knows nothing of this project: forms over `node:http`. */
async function send(url: string, form: Record<string, string>) {
  const body = String(formBody(url, { f: 'json', ...form }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise<{
    status: number | undefined;
    retryAfter: string | undefined;
    type: string;
    text: string;
  }>((answered, failed) => {
    const sent = request(url, { method: 'POST', headers }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => {
        text += chunk;
      });
      const { 'retry-after': retryAfter, 'content-type': type = '' } = reply.headers;
      reply.on('end', () => answered({ status: reply.statusCode, retryAfter, type, text }));
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

const ann = { username: 'ann', password: 'a', privileges: ['exportLogs', 'downloadUploads'] } as const;
const bob = { username: 'bob', password: 'b', privileges: ['exportLogs', 'downloadUploads'] } as const;

async function startServed(options: DeploymentOptions) {
  const deployment = await createDeployment({ users: [admin, ann, bob], ...options });
  const served = await serveDeployment(deployment);
  const { url } = served;
  const tokenOf = async ({ username, password }: { username: string; password: string }) =>
    JSON.parse(
      (await send(`${url}/sharing/rest/generateToken`, { username, password, client: 'requestip' })).text,
    ).token as string;
  const submit = (token: string) => send(`${url}/admin/logs/export`, { token });
  const ended = async (jobsUrl: string, token: string) => {
    for (;;) {
      const job = JSON.parse((await send(jobsUrl, { token })).text);
      if (job.status !== 'SUBMITTED' && job.status !== 'EXECUTING') return job;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const close = async () => {
    await served.close();
    await deployment[Symbol.asyncDispose]();
  };
  return { url, deployment, tokenOf, submit, ended, [Symbol.asyncDispose]: close };
}

test('of many exports at once two run, some wait, and the others are refused with 503 and Retry-After', async () => {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const pace = { queued: 0, running: 60_000, perLog: 0 };
  await using served = await startServed({ now, pace, jobsWaiting: 3 });
  const token = await served.tokenOf(admin);
  const replies = await Promise.all(Array.from({ length: 12 }, () => served.submit(token)));
  const accepted = replies.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).jobsUrl);
  expect(accepted).toHaveLength(5);
  for (const { retryAfter, text } of replies.filter(({ status }) => status === 503)) {
    expect(retryAfter).toBe('2');
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 503, message: 'The queue of exports is full.' },
    });
  }
  const states = await Promise.all(accepted.map((url) => send(url, { token })));
  expect(states.map(({ text }) => JSON.parse(text).status)).toEqual([
    ...['EXECUTING', 'EXECUTING'],
    ...['SUBMITTED', 'SUBMITTED', 'SUBMITTED'],
  ]);
  for (const url of accepted) {
    ahead += 60_000;
    expect(await served.ended(url, token)).toMatchObject({ status: 'COMPLETED' });
  }
  expect(await served.submit(token)).toMatchObject({ status: 200 });
});

describe('a job', () => {
  test('belongs to the user who submitted it: its state, its result and its bytes', async () => {
    await using served = await startServed({ pace: { queued: 0, running: 0, perLog: 0 } });
    const [own, other, all] = [
      await served.tokenOf(ann),
      await served.tokenOf(bob),
      await served.tokenOf(admin),
    ];
    const { jobsUrl } = JSON.parse((await served.submit(own)).text);
    const { result } = await served.ended(jobsUrl, own);
    for (const address of [jobsUrl, result.URL, `${result.URL}/download`]) {
      expect(JSON.parse((await send(address, { token: other })).text)).toEqual({
        error: { code: 403, message: 'Access denied.', details: ['The job belongs to another user.'] },
      });
      // An administrator may see all of them.
      expect((await send(address, { token: all })).text).not.toContain('another user');
    }
    expect((await send(`${result.URL}/download`, { token: own })).type).toBe('application/zip');
  });

  test('of another user is refused to the exporter in words that say so', async () => {
    await using served = await startServed({ pace: { queued: 0, running: 0, perLog: 0 } });
    const { jobsUrl } = JSON.parse((await served.submit(await served.tokenOf(ann))).text);
    await using client = openClient({
      addresses: addressesFor(served.url),
      credentials: { kind: 'password', ...bob },
    });
    await expect(readJob(client, jobsUrl)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('The job belongs to another user'),
    });
  });
});

test('an export with more jobs than the deployment takes waits for its queue and loses no log', async () => {
  const logs = [...incidentLogs({ count: 2000 })];
  const pace = { queued: 0, running: 30, perLog: 0 };
  await using served = await startServed({ logs, pace, jobsWaiting: 1, exports: { cap: 100 } });
  let refused = 0;
  await using client = openClient({
    addresses: addressesFor(served.url),
    credentials: { kind: 'password', ...admin },
    // As the clock of the machine, but for the pauses that are asked for.
    clock: {
      now: Date.now,
      sleep: async (milliseconds) => {
        if (milliseconds === 2000) refused += 1;
        await new Promise((resolve) => setTimeout(resolve, milliseconds / 40));
      },
    },
  });
  await using into = await openCase(':memory:', { access: 'write' });
  const last = Math.max(...logs.map(({ time = 0 }) => time));
  const result = await exportWindows({
    client,
    into,
    onProgress: () => {},
    order: {
      deployment: client.addresses.root,
      request: { ...newestLogsRequest, num: 100, logLevel: 'DEBUG' },
      via: 'search',
      windowBy: 'auto',
      timeField: 'time',
      oldest: last - 7 * 86_400_000,
      newest: last,
      given: Date.now(),
    },
    jobs: 8,
  });
  expect(result.complete).toBe(true);
  expect((await summary(into)).logs).toBe(logs.length);
  expect(refused).toBeGreaterThan(0);
});
