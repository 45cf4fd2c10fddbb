import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { submitJob } from '../../src/export/run/job.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { clientOf, deploymentOf, gis } from '../client/deployment.ts';

const submitted = { jobsUrl: `${gis.root}/jobs/j1`, jobid: 'j1', status: 'SUBMITTED' };
const interrupted = new Error('interrupted');

afterEach(() => void vi.useRealTimers());

test('a job that is submitted is known by its identifier and address', async () => {
  const { signal } = new AbortController();
  const client = clientOf(deploymentOf(() => Response.json(submitted)).fetch);
  const { job, request } = await submitJob(client, newestLogsRequest, signal);
  expect(job).toEqual({ state: 'submitted', id: 'j1', address: submitted.jobsUrl });
  expect(request).toBe(newestLogsRequest);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an abort waits a little for the identifier, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const abort = new AbortController();
  const transport = (request: Request) =>
    new Promise<Response>((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  const outcome = submitJob(clientOf(transport), newestLogsRequest, abort.signal).catch((error) => error);
  abort.abort(interrupted);
  await vi.advanceTimersByTimeAsync(4999);
  expect(await Promise.race([outcome, 'waiting'])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBe(interrupted);
});
