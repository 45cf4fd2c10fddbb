import { describe, expect, test } from 'vitest';
import { type Client, openClient } from '../../src/client/client.ts';
import { readJob } from '../../src/client/exports.ts';
import { type Clock, spaceOut } from '../../src/client/retry.ts';
import { toFailureBody } from '../../src/protocol/reply.ts';
import { deploymentOf, gis, noPause } from './deployment.ts';

const jobsUrl = `${gis.root}/jobs/j1`;
const minute = 60_000;

/** A clock on which waiting moves the time on and takes none. */
function hurriedClock(): Clock {
  let time = 1e12;
  return {
    now: () => time,
    sleep: async (milliseconds) => {
      await new Promise((resolve) => setImmediate(resolve));
      time += milliseconds;
    },
  };
}

/** A deployment with numbered tokens that answers a call as the number of its token says, and a client of it. */
function refusing(
  accepts: (token: number, call: number) => boolean,
  { minutes = 60, supplied = false } = {},
) {
  const clock = hurriedClock();
  let [issued, calls] = [0, 0];
  const issue = () => {
    issued += 1;
    return `token-${issued}`;
  };
  const { fetch, seen } = deploymentOf(({ path, form }) => {
    if (path.endsWith('/generateToken'))
      return Response.json({ token: issue(), expires: clock.now() + minutes * minute });
    calls += 1;
    const isAccepted = accepts(Number(form.token?.slice('token-'.length)), calls);
    const refusal = toFailureBody({ code: 498, message: 'Invalid token.', details: [] });
    return Response.json(isAccepted ? { jobid: 'j1', status: 'EXECUTING' } : refusal);
  });
  const supply = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return issue();
  };
  const client: Client = openClient({
    addresses: gis,
    transport: fetch,
    clock,
    retry: noPause,
    credentials: supplied
      ? { kind: 'supplied', supply }
      : { kind: 'password', username: 'ada', password: 'secret words' },
  });
  return { client, clock, seen, issued: () => issued };
}

test('a deployment that refuses every third call is asked as long as it takes', async () => {
  const { client } = refusing((_token, call) => call % 3 !== 0);
  for (let call = 0; call < 100; call += 1)
    expect(await readJob(client, jobsUrl)).toMatchObject({ jobid: 'j1' });
});

test('several refusals in a row are no end, once a token has been accepted', async () => {
  const { client, issued } = refusing((token, call) => call === 1 || 7 < token);
  await readJob(client, jobsUrl);
  expect(await readJob(client, jobsUrl)).toMatchObject({ jobid: 'j1' });
  expect(issued()).toBe(8);
});

test.each([false, true])('parallel calls share each renewal, of a supplied token: %s', async (supplied) => {
  const { client, issued } = refusing((token) => token === 3, { supplied });
  await Promise.all(Array.from({ length: 10 }, () => readJob(client, jobsUrl)));
  expect(issued()).toBe(3);
});

test('tokens that live a second cost a sign-in a second at most', async () => {
  const { client, clock, issued } = refusing(() => true, { minutes: 1 / 60 });
  const started = clock.now();
  for (let call = 0; call < 200; call += 1) {
    await readJob(client, jobsUrl);
    await clock.sleep(400);
  }
  expect(issued()).toBeGreaterThan(60);
  expect(issued()).toBeLessThanOrEqual(10 + (clock.now() - started) / 1000);
});

describe('a deployment that refuses every token', () => {
  test('from the start on is believed after three', async () => {
    const { client, clock, issued } = refusing(() => false);
    const started = clock.now();
    await expect(readJob(client, jobsUrl)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(issued()).toBe(3);
    expect(clock.now() - started).toBeLessThan(10_000);
  });

  test('from some time on is believed after some minutes, for one caller and for many', async () => {
    const { client, clock, issued } = refusing((_token, call) => call === 1);
    await readJob(client, jobsUrl);
    const started = clock.now();
    const failures = await Promise.all(
      Array.from({ length: 4 }, () => readJob(client, jobsUrl).catch((error: unknown) => error)),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject({
        code: 'TOKEN_EXPIRED',
        message: expect.stringContaining('the deployment does not accept the token (498: Invalid token.)'),
      });
    }
    expect(clock.now() - started).toBeGreaterThan(minute);
    expect(clock.now() - started).toBeLessThan(15 * minute);
    expect(issued()).toBeLessThan(60);
  });
});

test('turns are evenly spaced, in the order of who waits, with a burst after a quiet time', async () => {
  const clock = hurriedClock();
  const turn = spaceOut({ perSecond: 4, burst: 3, clock });
  const starts: number[] = [];
  const started = clock.now();
  for (let call = 0; call < 6; call += 1) {
    await turn();
    starts.push(clock.now() - started);
  }
  expect(starts).toEqual([0, 0, 0, 250, 500, 750]);
});
