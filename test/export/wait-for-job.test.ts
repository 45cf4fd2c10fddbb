import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ClientError } from '../../src/client/errors.ts';
import type { Clock } from '../../src/client/retry.ts';
import { type ExportProgress, waitForJob } from '../../src/export/run/job.ts';
import { toJobBody } from '../../src/protocol/export-jobs.ts';
import { toFailureBody } from '../../src/protocol/reply.ts';
import { clientOf, deploymentOf, gis } from '../client/deployment.ts';

const job = { state: 'submitted', id: 'j1', address: `${gis.root}/jobs/j1` } as const;

type Look = string | number | 'reset';

/** Waits for a job that shows these states one after the other, the last for ever, by a clock of its own. */
async function wait(looks: readonly Look[], maxWait = 3_600_000) {
  const clock = { time: 0, slept: [] as number[] };
  const own: Clock = {
    now: () => clock.time,
    sleep: async (milliseconds) => {
      clock.time += milliseconds;
      clock.slept.push(milliseconds);
    },
  };
  const { fetch, seen } = deploymentOf((_seen, count) => {
    const look = looks[count - 1] ?? looks.at(-1) ?? '';
    if (typeof look === 'number') return new Response('', { status: look });
    if (look === 'reset') throw new ClientError('UNREACHABLE', 'The connection broke');
    const result = look === 'COMPLETED' && { resultUrl: `${gis.root}/uploads/i1` };
    return Response.json(toJobBody({ jobid: 'j1', status: look, messages: [], ...result }));
  });
  const progress: ExportProgress[] = [];
  const client = clientOf(fetch, { clock: own, retry: { attempts: 1 } });
  const onProgress = (one: ExportProgress) => progress.push(one);
  const outcome = await waitForJob(client, job, { maxWait, onProgress }).catch((error) => error);
  return { outcome, progress, slept: clock.slept, looks: seen.length, time: clock.time };
}

test('a job is looked at until it ends, first often and then every five seconds', async () => {
  const { outcome, progress, slept } = await wait([...new Array(9).fill('EXECUTING'), 'COMPLETED']);
  expect(outcome).toMatchObject({ status: 'COMPLETED' });
  expect(slept.map(Math.round)).toEqual([500, 750, 1125, 1688, 2531, 3797, 5000, 5000, 5000]);
  expect(progress[1]).toEqual({ stage: 'waiting', jobId: 'j1', status: 'EXECUTING', waited: 500 });
});

test.each(['FAILED', 'CANCELLED', 'TIMED OUT', 'TIME OUT'])('%s is an end', async (status) => {
  const { outcome, looks } = await wait(['SUBMITTED', status]);
  expect(outcome).toMatchObject({ status });
  expect(looks).toBe(2);
});

test.each(['SUBMITTED', 'EXECUTING', 'CANCELLING', 'UNAVAILABLE', 'RESTING'])(
  '%s is waited for, within the limit',
  async (status) => {
    const { outcome, time } = await wait([status], 60_000);
    expect(outcome).toMatchObject({
      code: 'STILL_RUNNING',
      message: `The export job "j1" is still ${status} after 60 s. It goes on at the deployment: resume the export to wait for it again`,
    });
    expect(time).toBe(60_000);
  },
);

test('a deployment that is away for a moment does not end the waiting', async () => {
  const { outcome, progress } = await wait(['EXECUTING', 503, 'reset', 502, 'EXECUTING', 'COMPLETED']);
  expect(outcome).toMatchObject({ status: 'COMPLETED' });
  expect(progress[2]).toMatchObject({ status: 'EXECUTING', trouble: 'The connection broke' });
});

test('a deployment that stays away does', async () => {
  const { outcome, looks } = await wait(['EXECUTING', 'reset']);
  expect(outcome).toMatchObject({ code: 'UNREACHABLE' });
  expect(looks).toBe(9);
});

test('a job that is not known any more ends the waiting at once', async () => {
  const { fetch, seen } = deploymentOf(() =>
    Response.json(toFailureBody({ code: 400, message: 'Job does not exist.', details: [] })),
  );
  const waiting = waitForJob(clientOf(fetch), job, { maxWait: 1000, onProgress: () => {} });
  await expect(waiting).rejects.toMatchObject({ code: 'REFUSED' });
  expect(seen).toHaveLength(1);
});

test('an abort ends the waiting with its reason', async () => {
  const reason = new Error('interrupted');
  const abort = new AbortController();
  const { fetch } = deploymentOf(() => Response.json({ jobid: 'j1', status: 'EXECUTING' }));
  const onProgress = () => setTimeout(() => abort.abort(reason), 10);
  const waiting = waitForJob(clientOf(fetch), job, { maxWait: 60_000, onProgress, signal: abort.signal });
  await expect(waiting).rejects.toBe(reason);
});

test('a long wait gathers nothing on the signal of its caller', async () => {
  const { signal } = new AbortController();
  let time = 0;
  const sleep = async (milliseconds: number) => {
    time += milliseconds;
  };
  const clock = { now: () => time, sleep };
  const { fetch } = deploymentOf(() => Response.json({ jobid: 'j1', status: 'EXECUTING' }));
  const waiting = waitForJob(clientOf(fetch, { clock }), job, {
    maxWait: 500_000,
    onProgress: () => {},
    signal,
  });
  await expect(waiting).rejects.toMatchObject({ code: 'STILL_RUNNING' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
