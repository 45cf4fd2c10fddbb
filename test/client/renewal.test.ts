import { describe, expect, test } from 'vitest';
import { type Client, openClient } from '../../src/client/client.ts';
import { openUpload, readJob } from '../../src/client/exports.ts';
import { type Clock, spaceOut } from '../../src/client/retry.ts';
import { toFailureBody } from '../../src/protocol/reply.ts';
import { deploymentOf, emptyZip, gis, noPause } from './deployment.ts';

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

describe('a result whose address is a permission', () => {
  const upload = `${gis.root}/uploads/i1`;

  /** A client of a deployment whose results answer as their path and token say, after one call that succeeded. */
  async function opening(answer: (path: string, token: string | undefined) => Response) {
    const clock = hurriedClock();
    let issued = 0;
    const { fetch, seen } = deploymentOf(({ path, form }) => {
      if (path.endsWith('/generateToken')) {
        issued += 1;
        return Response.json({ token: `token-${issued}`, expires: clock.now() + 60 * minute });
      }
      return path.includes('/uploads/')
        ? answer(path, form.token)
        : Response.json({ jobid: 'j1', status: 'EXECUTING' });
    });
    const credentials = { kind: 'password', username: 'ada', password: 'secret words' } as const;
    const client = openClient({ addresses: gis, transport: fetch, clock, retry: noPause, credentials });
    await readJob(client, jobsUrl);
    const started = clock.now();
    return {
      open: () => openUpload(client, { upload, signal: new AbortController().signal }),
      waited: () => clock.now() - started,
      tokens: () => seen.filter(({ path }) => path.includes('/uploads/')).map(({ form }) => form.token),
      issued: () => issued,
    };
  }

  const refusal = () => Response.json(toFailureBody({ code: 498, message: 'Invalid token.', details: [] }));
  const missing = () => Response.json(toFailureBody({ code: 404, message: 'Not found.', details: [] }));
  const zip = () => new Response(emptyZip);

  test('is tried without a token at once after the first refusal', async () => {
    const { open, tokens, issued, waited } = await opening((_, token) => (token ? refusal() : zip()));
    expect(await open()).toMatchObject({ address: `${upload}/download` });
    expect([tokens(), issued(), waited()]).toEqual([['token-1', undefined], 1, 0]);
  });

  test('is tried without one also where nothing is at the address of the bytes', async () => {
    const { open, waited } = await opening((path, token) =>
      path.endsWith('/download') ? missing() : token ? refusal() : zip(),
    );
    expect(await open()).toMatchObject({ address: upload });
    expect(waited()).toBe(0);
  });

  test('is read with a new token where the first was merely too old', async () => {
    const { open, tokens } = await opening((_, token) => (token === 'token-2' ? zip() : refusal()));
    expect(await open()).toMatchObject({ address: `${upload}/download` });
    expect(tokens()).toEqual(['token-1', undefined, 'token-1', 'token-2']);
  });

  test('is waited for while a deployment that restarts refuses all', async () => {
    const { open } = await opening((_, token) => (token === 'token-6' ? zip() : refusal()));
    expect(await open()).toMatchObject({ address: `${upload}/download` });
  });

  test('that refuses everything ends with the refusal', async () => {
    const { open } = await opening(refusal);
    await expect(open()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });
});
