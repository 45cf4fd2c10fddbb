import { expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import {
  exportLogs,
  exportPath,
  post,
  postJson,
  runJob,
  signIn,
  startDeployment,
  textOf,
  unzip,
} from './calls.ts';

const pace = { queued: 100, running: 200, perLog: 0.5 };

test('a job is submitted, executes, and is completed; the resource says no more than is true', async () => {
  await using deployment = await startDeployment({ logs: incidentLogs({ count: 1000 }), pace });
  const token = await signIn(deployment);
  const submitted = await postJson(deployment, exportPath, { token, num: '400' });
  const jobid = textOf(submitted, 'jobid');
  const jobsUrl = textOf(submitted, 'jobsUrl');
  expect(jobid).toMatch(/^j[\da-f-]{36}$/);
  expect(submitted).toEqual({
    jobsUrl: `http://gis.test/gis/admin/jobs/${jobid}`,
    jobid,
    status: 'SUBMITTED',
  });

  const starttime = Date.UTC(2025, 2, 12, 12, 1);
  const job = {
    jobid,
    name: 'exportLogs',
    username: 'admin',
    requestID: expect.stringMatching(/^[\da-f-]{36}$/),
    operationURI: '/gis/admin/logs/export',
    resource: { name: 'logs' },
    starttime,
  };
  const poll = (milliseconds: number) => {
    deployment.wait(milliseconds);
    return postJson(deployment, jobsUrl, { token });
  };
  expect(await poll(0)).toEqual({ ...job, status: 'SUBMITTED', updatedtime: starttime, endtime: 0 });
  expect(await poll(99)).toEqual({ ...job, status: 'SUBMITTED', updatedtime: starttime + 99, endtime: 0 });
  expect(await poll(1)).toEqual({ ...job, status: 'EXECUTING', updatedtime: starttime + 100, endtime: 0 });
  expect(await poll(399)).toEqual({ ...job, status: 'EXECUTING', updatedtime: starttime + 499, endtime: 0 });
  const completed = {
    ...job,
    status: 'COMPLETED',
    updatedtime: starttime + 500,
    endtime: starttime + 500,
    result: { URL: expect.stringMatching(/^http:\/\/gis\.test\/gis\/admin\/uploads\/i[\da-f-]{36}$/) },
  };
  expect(await poll(1)).toEqual(completed);
  expect(await poll(10_000)).toEqual(completed);
});

test('the result is not there before the job is completed', async () => {
  await using deployment = await startDeployment({ pace });
  const token = await signIn(deployment);
  const first = await runJob(deployment, {}, token);
  const upload = textOf(first, 'result', 'URL');
  deployment.wait(-60_000);
  expect(await postJson(deployment, `${upload}/download`, { token })).toMatchObject({ error: { code: 404 } });
});

test('the job resource answers GET as well as POST', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  const jobsUrl = textOf(await postJson(deployment, exportPath, { token }), 'jobsUrl');
  const request = new Request(`${jobsUrl}?f=json`, { headers: { authorization: `Bearer ${token}` } });
  const response = await deployment.fetch(request);
  expect(await response.json()).toEqual(await postJson(deployment, jobsUrl, { token }));
});

test('a job that is not there is refused in words', async () => {
  await using deployment = await startDeployment();
  expect(await postJson(deployment, '/gis/admin/jobs/j1', { token: await signIn(deployment) })).toEqual({
    error: {
      code: 404,
      message: 'Job not found.',
      details: ['There is no job with this identifier; old ones are forgotten.'],
    },
  });
});

test('the oldest jobs and their zips are forgotten', async () => {
  await using deployment = await startDeployment({ jobLimit: 2 });
  const token = await signIn(deployment);
  const jobs = [
    await runJob(deployment, {}, token),
    await runJob(deployment, {}, token),
    await runJob(deployment, {}, token),
  ];
  const found = await Promise.all(
    jobs.map(async (job) => {
      const path = `/gis/admin/jobs/${textOf(job, 'jobid')}`;
      const response = await post(deployment, `${textOf(job, 'result', 'URL')}/download`, { token });
      return [
        textOf({ status: 'gone', ...((await postJson(deployment, path, { token })) as object) }, 'status'),
        response.headers.get('content-type'),
      ];
    }),
  );
  expect(found).toEqual([
    ['gone', 'application/json; charset=utf-8'],
    ['COMPLETED', 'application/zip'],
    ['COMPLETED', 'application/zip'],
  ]);
});

test('an export sees the logs of the time it was submitted', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  const searchQuery = 'msg:signed';
  const submitted = await postJson(deployment, exportPath, { token, searchQuery });
  deployment.wait(1000);
  await signIn(deployment);
  const job = await postJson(deployment, textOf(submitted, 'jobsUrl'), { token });
  const response = await post(deployment, `${textOf(job, 'result', 'URL')}/download`, { token });
  const [text] = (await unzip(new Uint8Array(await response.arrayBuffer()))).values();
  expect(text?.trimEnd().split('\n')).toHaveLength(1);
  expect(await exportLogs(deployment, { searchQuery })).toHaveLength(3);
});

test('a job that failed says why and has no result', async () => {
  const messages = ['The search index is not available', 'Try again later'];
  await using deployment = await startDeployment({
    faults: [{ on: 'exportLogs', effect: 'endJob', state: 'FAILED', messages }],
  });
  const job = await runJob(deployment, {}, await signIn(deployment));
  expect(job).toMatchObject({ status: 'FAILED', messages, endtime: expect.any(Number) });
  expect(job).not.toHaveProperty('result');
});
