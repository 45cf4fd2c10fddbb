import { describe, expect, test } from 'vitest';
import { readJob } from '../../src/client/exports.ts';
import type { Clock } from '../../src/client/retry.ts';
import type { PasswordCredentials } from '../../src/client/sign-in.ts';
import { toFailureBody } from '../../src/protocol/reply.ts';
import { clientOf, deploymentOf, gis, type Seen } from './deployment.ts';

const ada: PasswordCredentials = { kind: 'password', username: 'ada', password: 'p4ss & word' };
const tokenPath = '/arcgis/sharing/rest/generateToken';
const job = { jobid: 'j1', status: 'EXECUTING' };
const jobsUrl = `${gis.root}/jobs/j1`;

/** A clock that stands still until it is told. */
function stoppedClock(start: number): Clock & { time: number } {
  const clock = { time: start, now: () => clock.time, sleep: async () => {} };
  return clock;
}

/** A deployment whose tokens are numbered and live an hour; `accepts` says which it takes. */
function issuing({ clock, accepts = () => true }: { clock: Clock; accepts?: (token: string) => boolean }) {
  let issued = 0;
  return deploymentOf(({ path, form }) => {
    if (path === tokenPath) {
      issued += 1;
      return Response.json({ token: `token-${issued}`, expires: clock.now() + 3_600_000, ssl: false });
    }
    const refusal = toFailureBody({ code: 498, message: 'Invalid token.', details: [] });
    return Response.json(accepts(form.token ?? '') ? job : refusal);
  });
}

const isLogin = (seen: Seen) => seen.path === tokenPath;
const tokensOf = (seen: readonly Seen[]) => seen.filter((one) => !isLogin(one)).map((one) => one.form.token);

describe('the login', () => {
  test('sends all parameters and binds the token to a referer, which every request then carries', async () => {
    const clock = stoppedClock(1e12);
    const { fetch, seen } = issuing({ clock });
    await readJob(clientOf(fetch, { credentials: ada, clock }), jobsUrl);
    expect(seen.map(({ path, form, search }) => ({ path, form, search }))).toEqual([
      {
        path: tokenPath,
        search: '',
        form: {
          username: 'ada',
          password: 'p4ss & word',
          client: 'referer',
          referer: gis.root,
          ip: '',
          expiration: '60',
          f: 'json',
        },
      },
      { path: '/arcgis/admin/jobs/j1', search: '', form: { f: 'json', token: 'token-1' } },
    ]);
    expect(seen.map(({ headers }) => headers.get('referer'))).toEqual([gis.root, gis.root]);
  });

  test('can bind the token to the address of the caller instead', async () => {
    const clock = stoppedClock(1e12);
    const { fetch, seen } = issuing({ clock });
    const credentials = { ...ada, client: 'requestip', minutes: 360 } as const;
    await readJob(clientOf(fetch, { credentials, clock }), jobsUrl);
    expect(seen[0]?.form).toMatchObject({ client: 'requestip', referer: '', expiration: '360' });
    expect(seen.map(({ headers }) => headers.get('referer'))).toEqual([null, null]);
  });

  const refusedBody = toFailureBody({
    code: 400,
    message: 'Unable to generate token.',
    details: ['Invalid username or password specified.'],
  });

  test.each([
    ['an error with HTTP status 200', Response.json(refusedBody)],
    ['an error with HTTP status 401', Response.json(refusedBody, { status: 401 })],
    ['a page with HTTP status 403', new Response('<html><title>No</title></html>', { status: 403 })],
  ])('refused by %s says so, and is not tried again', async (_how, response) => {
    const { fetch, seen } = deploymentOf(() => response.clone());
    await expect(clientOf(fetch, { credentials: ada }).signIn()).rejects.toMatchObject({
      code: 'REFUSED_LOGIN',
      message: expect.stringMatching(
        /^The user "ada" could not be signed in: .*(Invalid username or password|HTTP 403).*: check the user and the password$/,
      ),
    });
    expect(seen).toHaveLength(1);
  });

  test.each([
    [
      'a page',
      '<!doctype html><title>Welcome</title>',
      'BAD_REPLY',
      'answered with a web page ("Welcome") instead of JSON',
    ],
    [
      'JSON without a token',
      '{"token":"","secretive":"xyz"}',
      'BAD_REPLY',
      'answered with JSON that holds no token',
    ],
  ])('answered by %s', async (_what, body, code, message) => {
    const { fetch } = deploymentOf(() => new Response(body));
    const error = await clientOf(fetch, { credentials: ada })
      .signIn()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(error.message).not.toContain('xyz');
  });
});

describe('the token', () => {
  test('is kept until shortly before it expires', async () => {
    const clock = stoppedClock(1e12);
    const { fetch, seen } = issuing({ clock });
    const client = clientOf(fetch, { credentials: ada, clock });
    await client.signIn();
    for (const minutes of [0, 58, 1.5]) {
      clock.time += minutes * 60_000;
      await readJob(client, jobsUrl);
    }
    expect(tokensOf(seen)).toEqual(['token-1', 'token-1', 'token-2']);
  });

  test('is timed by the clock of the deployment where that differs', async () => {
    const clock = stoppedClock(1e12);
    const deployment = 1e12 - 5 * 3_600_000;
    const { fetch, seen } = deploymentOf(({ path }) =>
      path === tokenPath
        ? Response.json(
            { token: 'token-1', expires: deployment + 3_600_000 },
            { headers: { date: new Date(deployment).toUTCString() } },
          )
        : Response.json(job),
    );
    const client = clientOf(fetch, { credentials: ada, clock });
    await readJob(client, jobsUrl);
    await readJob(client, jobsUrl);
    expect(seen.filter(isLogin)).toHaveLength(1);
  });

  test('is renewed once when it is refused, and the request sent again', async () => {
    const clock = stoppedClock(1e12);
    const { fetch, seen } = issuing({ clock, accepts: (token) => token !== 'token-1' });
    expect(await readJob(clientOf(fetch, { credentials: ada, clock }), jobsUrl)).toMatchObject(job);
    expect(tokensOf(seen)).toEqual(['token-1', 'token-2']);
  });

  test('is renewed once for all that ask at the same time', async () => {
    const clock = stoppedClock(1e12);
    const { fetch, seen } = issuing({ clock, accepts: (token) => token !== 'token-1' });
    const client = clientOf(fetch, { credentials: ada, clock });
    await Promise.all(Array.from({ length: 10 }, () => readJob(client, jobsUrl)));
    expect(seen.filter(isLogin)).toHaveLength(2);
  });

  test('that is refused even when new is a clear error', async () => {
    const clock = stoppedClock(1e12);
    const { fetch, seen } = issuing({ clock, accepts: () => false });
    await expect(readJob(clientOf(fetch, { credentials: ada, clock }), jobsUrl)).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
      message:
        'The job could not be read: the deployment does not accept the token (498: Invalid token.): sign in again, or pass a token that is still valid',
    });
    expect(tokensOf(seen)).toEqual(['token-1', 'token-2', 'token-3']);
  });

  test.each([
    ['in the body', Response.json(toFailureBody({ code: 499, message: 'Token Required.', details: [] }))],
    ['by its status', new Response('', { status: 401 })],
  ])('that a caller brought along and is refused %s cannot be renewed', async (_how, response) => {
    const { fetch, seen } = deploymentOf(() => response.clone());
    await expect(readJob(clientOf(fetch), jobsUrl)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(seen).toHaveLength(1);
  });

  test('goes to no other origin', async () => {
    const { fetch, seen } = deploymentOf(() => Response.json(job));
    await readJob(clientOf(fetch), 'https://elsewhere.example.com/status/j1');
    expect(seen.map(({ method, form, search }) => ({ method, form, search }))).toEqual([
      { method: 'GET', form: {}, search: '?f=json' },
    ]);
    expect(seen[0]?.headers.get('authorization')).toBeNull();
  });

  test('travels in a header where a resource takes no POST', async () => {
    const { fetch, seen } = deploymentOf(({ method }) =>
      method === 'GET' ? Response.json(job) : new Response('', { status: 405 }),
    );
    expect(await readJob(clientOf(fetch), jobsUrl)).toMatchObject(job);
    expect(seen[1]?.search).toBe('?f=json');
    expect(seen[1]?.headers.get('authorization')).toBe('Bearer token-1');
  });

  test('of a sign-in that hangs does not hold up an abort', async () => {
    const { fetch } = deploymentOf(() => new Promise(() => {}));
    const reason = new Error('interrupted');
    const client = clientOf(fetch, { credentials: ada });
    await expect(readJob(client, jobsUrl, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 10);
    await expect(readJob(client, jobsUrl, { signal: abort.signal })).rejects.toBe(reason);
  });

  test('of a sign-in that fails after an abort troubles nobody', async () => {
    const abort = new AbortController();
    const reason = new Error('interrupted');
    const { fetch } = deploymentOf(() => {
      abort.abort(reason);
      return new Response('no token here');
    });
    const call = readJob(clientOf(fetch, { credentials: ada }), jobsUrl, { signal: abort.signal });
    await expect(call).rejects.toBe(reason);
    // Vitest fails when a rejection is left unhandled.
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
