import { expect, test } from 'vitest';
import { serve } from '../client/http-server.ts';
import { run } from './run-in-process.ts';

/** Answers of a deployment by the path below its administrative base address: JSON, or the code of a failure. */
type Answers = Readonly<Record<string, unknown>>;

/** A deployment that listens and answers so, and how it is called. */
async function listen(answers: Answers) {
  const server = await serve((request, response) => {
    request.resume();
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '/', 'http://gis.test');
      const answer = answers[pathname.replace('/arcgis/admin/', '')];
      response.end(JSON.stringify(typeof answer === 'number' ? { error: { code: answer } } : answer));
    });
  });
  const environment = { LOGQUARRY_URL: `${server.url}/arcgis`, LOGQUARRY_TOKEN: 'a token' };
  return {
    call: (line: string) => run(line.split(' '), { environment }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('logs under other names, items that are none and no total', async () => {
  const messages = [
    { '@timestamp': '2025-03-12T08:00:00Z', type: 'SEVERE', code: '9003', message: 'one', pod: 'a' },
    'nonsense',
    { time: '2025-03-12T09:00:00,65', msg: 'two\u001b[31m', user: '' },
  ];
  await using deployment = await listen({
    'logs/query': { messages },
    'logs/search': { messages: [], total: '7' },
  });
  const { code, out, err } = await deployment.call('logs query --log-zone +01:00');
  expect(code).toBe(0);
  expect(out).toContain('2025-03-12 08:00:00.000  SEVERE  9003');
  // The zone is that of times that name none; what a terminal would obey is shown.
  expect(out).toContain('2025-03-12 08:00:00.065');
  expect(out).not.toContain('\u001b');
  expect(err).toContain('1 item of the list could not be read as a log.');
  expect(err).toContain('2 logs; the deployment does not report the total.');
  const { logs, unreadable } = JSON.parse((await deployment.call('logs query --json')).out);
  expect(logs[0]).toEqual({
    log: { time: Date.UTC(2025, 2, 12, 8), logLevel: 'SEVERE', logCode: 9003, msg: 'one' },
    extra: { pod: 'a' },
  });
  expect(unreadable).toBe(1);
  expect(await deployment.call('logs query --count')).toMatchObject({ code: 1, out: '' });
  expect(await deployment.call('logs search a --count')).toMatchObject({ code: 0, out: '7\n' });
});

test('jobs of others and jobs that are gone leave the list readable', async () => {
  const job = { jobid: 'j1', status: 'EXECUTING', starttime: 1741766400000, endtime: 0 };
  await using deployment = await listen({
    jobs: { jobs: ['j1', { jobid: 'j2' }, 'j3'] },
    'jobs/j1': job,
    'jobs/j2': 403,
    'jobs/j3': 404,
  });
  const { code, out } = await deployment.call('jobs list');
  expect(code).toBe(0);
  expect(out).toMatch(/\nj1 +EXECUTING +2025-03-12 08:00:00 *\nj2 +unreadable *\nj3 +unreadable/);
  const few = await deployment.call('jobs list --limit 1');
  expect(few.err).toContain('1 of 3 jobs; --limit N shows more');
  expect((await deployment.call('jobs list --ids')).out).toBe('j1\nj2\nj3\n');
  expect(JSON.parse((await deployment.call('jobs list --json')).out)).toMatchObject({
    total: 3,
    jobs: [{ jobid: 'j1' }, { jobid: 'j2', problem: expect.stringContaining('lacks the privilege') }, {}],
  });
});

test('microservices that are not ready, or say nothing, are named and counted', async () => {
  const status = (currentState: string, ready: unknown, total: unknown) => ({
    currentState,
    readyReplicas: ready,
    totalReplicas: total,
  });
  await using deployment = await listen({
    'system/deployments': {
      deployments: ['fine', 'slow', 'off', 'mute'].map((name) => ({ deploymentId: `k-${name}`, name })),
    },
    'system/deployments/k-fine/status': status('STARTED', '2', '2'),
    'system/deployments/k-slow/status': status('STARTED', 1, 2),
    'system/deployments/k-off/status': status('STOPPED', 0, 0),
    'system/deployments/k-mute/status': 404,
  });
  const { code, out, err } = await deployment.call('health --unready');
  expect(code).toBe(1);
  expect(err).toContain('3 of 4 microservices not ready.');
  expect(out).not.toContain('fine');
  expect(out).toMatch(/\nslow +STARTED +1 of 2 /);
  expect(out).toMatch(/\noff +STOPPED +0 of 0 /);
  expect(out).toMatch(/\nmute +no answer /);
  expect(JSON.parse((await deployment.call('health --json')).out)).toMatchObject([
    { id: 'k-fine', ready: true },
    { id: 'k-slow', ready: false },
    { id: 'k-off', ready: false },
    { id: 'k-mute', ready: false, problem: expect.stringContaining('could not be read') },
  ]);
});

test('a privilege that is missing for all of them is said at once', async () => {
  const deployments = [{ deploymentId: 'k1' }, { deploymentId: 'k2' }];
  await using deployment = await listen({
    'system/deployments': { deployments },
    'system/deployments/k1/status': 403,
  });
  expect(await deployment.call('health')).toMatchObject({ code: 3, out: '' });
});

test('settings in other words are shown and sent back', async () => {
  await using deployment = await listen({
    'logs/settings': { settings: { logLevel: 'OFF', maxErrorReportsCount: 5 } },
    'logs/settings/edit': { success: 'true' },
  });
  expect((await deployment.call('logs settings')).out).toBe(
    'level                 OFF\nmaxErrorReportsCount  5\n',
  );
  expect(await deployment.call('logs settings --level FINE --yes')).toMatchObject({
    code: 0,
    out: 'logLevel: "OFF" → "FINE"\n',
  });
});
