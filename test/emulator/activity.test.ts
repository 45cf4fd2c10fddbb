import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { incidentEnd, incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import {
  admin,
  exportLogs,
  exportPath,
  exportZip,
  post,
  postJson,
  runJob,
  signIn,
  startDeployment,
  type TestDeployment,
} from './calls.ts';

const own = (log: Log) => log.machine === 'reference-deployment';

/** Logs of the deployment about itself, the oldest first. */
async function activity(deployment: TestDeployment): Promise<readonly Log[]> {
  const form = {
    num: '10000',
    stackTraces: 'true',
    sortBy: 'time',
    sortOrder: 'asc',
    endTime: String(incidentEnd + 1),
  };
  return (await exportLogs(deployment, form)).filter(own);
}

test('an export holds what the deployment did, in the format of all other logs', async () => {
  await using deployment = await startDeployment({ logs: incidentLogs({ count: 300 }) });
  await exportZip(deployment, { num: '5' });
  const [started, , signedIn, submitted, exported] = await activity(deployment);
  const time = incidentEnd + 60_000;
  expect(started).toMatchObject({
    time,
    logLevel: 'INFO',
    source: 'Enterprise Admin',
    msg: 'Reference deployment started with 300 logs.',
  });
  expect(signedIn).toEqual({
    time,
    logLevel: 'FINE',
    logCode: 9999,
    source: 'Sharing',
    msg: 'POST /gis/sharing/rest/generateToken was answered.',
    className: 'logquarry.emulator.RequestHandler',
    methodName: 'generateToken',
    requestID: expect.stringMatching(/^[\da-f-]{36}$/),
    machine: 'reference-deployment',
    process: '1',
    elapsed: expect.any(Number),
  });
  expect(submitted).toMatchObject({
    logCode: 1509,
    username: 'admin',
    msg: expect.stringMatching(/^Job 'exportLogs' was submitted: j/),
  });
  expect(exported).toMatchObject({ logCode: 9999, username: 'admin', requestID: submitted?.requestID });
  const logged = await activity(deployment);
  const completed = logged.filter(({ logCode }) => logCode === 1510);
  expect(completed[0]).toMatchObject({
    time: time + 501,
    logLevel: 'INFO',
    requestID: submitted?.requestID,
    elapsed: 0.501,
    msg: expect.stringMatching(/^Job 'exportLogs' completed with 5 logs\. Elapsed time '501' ms: j/),
  });
  expect(logged.every(({ elapsed }) => elapsed === undefined || 0 < elapsed)).toBe(true);
});

test('failures are logged with what was wrong', async () => {
  await using deployment = await startDeployment({
    faults: [
      { on: 'exportLogs', skip: 2, times: 1, effect: 'endJob', state: 'FAILED', messages: ['Out of memory'] },
      { on: 'exportLogs', skip: 3, times: 1, effect: 'status', status: 502 },
    ],
  });
  await postJson(deployment, '/gis/sharing/rest/generateToken', {
    ...admin,
    password: 'wrong',
    client: 'requestip',
  });
  const token = await signIn(deployment);
  await postJson(deployment, exportPath, { token, num: '0' });
  await postJson(deployment, exportPath, { token, searchQuery: 'a AND' });
  await runJob(deployment, {}, token);
  await post(deployment, exportPath, { token });
  await postJson(deployment, exportPath, {});
  await postJson(deployment, '/gis/admin/jobs/j1', { token });
  await post(deployment, '/gis/nowhere', { token });
  const troubles = (await activity(deployment)).filter(
    ({ logLevel }) => logLevel === 'WARNING' || logLevel === 'SEVERE',
  );
  expect(troubles.map(({ logLevel, logCode, msg }) => `${logLevel} ${logCode} ${msg}`)).toEqual([
    'WARNING 217002 Sign-in was refused: wrong user name or password.',
    'WARNING 9000 POST /gis/sharing/rest/generateToken was refused with 400: Unable to generate token; Invalid username or password.',
    'WARNING 9000 POST /gis/admin/logs/export was refused with 400: Invalid parameters; "num" requires a whole number from 1 to 10000',
    'WARNING 9000 POST /gis/admin/logs/export was refused with 400: Failed to parse query [a AND]; Character 3: "AND" requires something after it',
    expect.stringMatching(/^SEVERE 1511 Job 'exportLogs' ended as FAILED: j[\da-f-]{36}; Out of memory\.$/),
    'SEVERE 9003 POST /gis/admin/logs/export failed: HTTP status 502.',
    'WARNING 9002 POST /gis/admin/logs/export was refused with 499: Token Required.',
    'WARNING 9001 POST /gis/admin/jobs/:id was refused with 404: Job not found; There is no job with this identifier; old ones are forgotten.',
    'WARNING 9001 POST of an unknown address was refused with 404: Not found; There is no operation or resource at this address.',
  ]);
});

test('no log and no answer holds a password or a token, wherever they were sent', async () => {
  await using deployment = await startDeployment();
  const token = await signIn(deployment);
  const { password } = admin;
  const tokenPath = '/gis/sharing/rest/generateToken';
  const answers = [
    await post(deployment, tokenPath, { username: password, password: 'wrong', client: 'requestip' }),
    await post(deployment, `${tokenPath}?password=${password}`, { username: 'admin', client: 'requestip' }),
    await post(deployment, `${exportPath}?token=${token}`, { num: '0' }),
    await post(deployment, exportPath, { token: `${token}x` }),
    await post(deployment, exportPath, { token, f: 'pjson' }),
    await post(deployment, `/gis/nowhere?token=${token}`, {}),
    await deployment.fetch(new Request(`http://gis.test${exportPath}?token=${token}`)),
  ];
  const texts = [
    ...(await Promise.all(answers.map((answer) => answer.text()))),
    JSON.stringify(await activity(deployment)),
  ];
  for (const text of texts) {
    expect(text).not.toContain(password);
    expect(text).not.toContain(token);
    expect(text).not.toContain(encodeURIComponent(password));
  }
});

test('activity below the current level is not logged', async () => {
  await using deployment = await startDeployment({ logLevel: 'WARNING' });
  await signIn(deployment);
  await postJson(deployment, exportPath, {});
  expect((await activity(deployment)).map(({ logLevel }) => logLevel)).toEqual(['WARNING']);
});

test('a case that was given receives the activity and stays open', async () => {
  await using logs = await openCase(':memory:', { access: 'write' });
  const deployment = await startDeployment({ logs });
  await signIn(deployment);
  await deployment[Symbol.asyncDispose]();
  const found = await findLogs(logs, matchAllFilter, { limit: 10, order: 'oldest' });
  expect(found.map(({ log }) => log.logCode)).toEqual([1000, 217001, 9999]);
});

test('thousands of requests are all logged', async () => {
  await using deployment = await startDeployment();
  const count = rounds(2500);
  for (let calls = 0; calls < count; calls += 1) await post(deployment, exportPath, {});
  const logged = await activity(deployment);
  expect(logged.filter(({ logCode }) => logCode === 9002)).toHaveLength(count);
});

test('an export from logs that are not there any more fails in words, and so does closing', async () => {
  const logs = await openCase(':memory:', { access: 'write' });
  const deployment = await startDeployment({ logs });
  const token = await signIn(deployment);
  await logs[Symbol.asyncDispose]();
  const job = await runJob(deployment, {}, token);
  expect(job).toMatchObject({ status: 'FAILED', messages: ['Internal error'] });
  // A log that could not be written is not passed over.
  await expect(deployment[Symbol.asyncDispose]()).rejects.toThrow();
});
