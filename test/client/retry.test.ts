import { describe, expect, test } from 'vitest';
import { ClientError } from '../../src/client/errors.ts';
import { submitExport } from '../../src/client/exports.ts';
import { type Clock, retry } from '../../src/client/retry.ts';
import { type Transport, withLayers } from '../../src/client/transport.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { clientOf, deploymentOf } from './deployment.ts';

type Outcome = number | ClientError | { readonly status: number; readonly retryAfter: string };

/** A transport with these outcomes, one after the other, and a clock that notes how long it was asked to wait. */
function outcomes(...list: readonly Outcome[]) {
  const slept: number[] = [];
  const clock: Clock = {
    now: () => Date.parse('2024-05-01T12:00:00Z'),
    sleep: async (ms) => void slept.push(ms),
  };
  const left = [...list];
  const bodies: string[] = [];
  const transport: Transport = async (request) => {
    bodies.push(await request.text());
    const outcome = left.shift() ?? 200;
    if (outcome instanceof ClientError) throw outcome;
    if (typeof outcome === 'number') return new Response('answer', { status: outcome });
    return new Response('', { status: outcome.status, headers: { 'retry-after': outcome.retryAfter } });
  };
  return { transport, clock, slept, bodies };
}

const refused = new ClientError('UNREACHABLE', 'refused', { arrived: false });
const reset = new ClientError('UNREACHABLE', 'reset');
const slow = new ClientError('TIMED_OUT', 'slow');
const untrusted = new ClientError('UNTRUSTED', 'self-signed', { arrived: false });
const noHost = new ClientError('UNREACHABLE', 'no host', {
  arrived: false,
  cause: Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }),
});

async function check(requests: 'read' | 'change' | 'submit', list: readonly Outcome[]) {
  const { transport, clock, slept, bodies } = outcomes(...list);
  const send = withLayers(transport, retry({ requests, clock, random: () => 0 }));
  const result = await send(new Request('https://h/', { method: 'POST', body: 'a=b' })).then(
    ({ status }) => status,
    (error) => error,
  );
  expect(bodies).toEqual(bodies.map(() => 'a=b'));
  return { result, sent: bodies.length, slept };
}

describe('a request that only reads', () => {
  test.each<[string, readonly Outcome[], unknown, number]>([
    ['a reset', [reset], 200, 2],
    ['a time-out', [slow], 200, 2],
    ['a refused connection', [refused, refused], 200, 3],
    ['an overload', [503, 502, 504], 200, 4],
    ['an overload that lasts', [503, 503, 503, 503, 503], 503, 4],
    ['resets that last', [reset, reset, reset, reset], reset, 4],
    ['a name that does not exist', [noHost], noHost, 1],
    ['a certificate that is not trusted', [untrusted], untrusted, 1],
    ['a refusal', [400], 400, 1],
  ])('after %s', async (_what, list, result, sent) => {
    expect(await check('read', list)).toMatchObject({ result, sent });
  });
});

describe('a request that changes something', () => {
  test.each<[string, readonly Outcome[], unknown, number]>([
    ['a connection that was never made', [refused], 200, 2],
    ['too many requests', [429], 200, 2],
    ['a reset', [reset], reset, 1],
    ['a time-out', [slow], slow, 1],
    ['a failure of the deployment', [500], 500, 1],
    ['an overload', [503], 503, 1],
  ])('after %s', async (_what, list, result, sent) => {
    expect(await check('change', list)).toMatchObject({ result, sent });
  });
});

describe('a request that submits a job', () => {
  const full = { status: 503, retryAfter: '2' };
  test.each<[string, readonly Outcome[], unknown, number]>([
    ['a full queue', Array(20).fill(full), 200, 21],
    ['a full queue that is rather a limit of requests', Array(20).fill({ ...full, status: 429 }), 200, 21],
    ['a full queue and a reset', [full, reset], reset, 2],
    ['a proxy that says no more', [503], 503, 1],
    ['too many requests without an end', [429, 429, 429, 429, 429], 429, 4],
    ['a gateway that asks to come again', [{ ...full, status: 502 }], 502, 1],
  ])('after %s', async (_what, list, result, sent) => {
    expect(await check('submit', list)).toMatchObject({ result, sent });
  });

  test.each(['2', '0', 'Wed, 01 May 2024 11:00:00 GMT'])(
    'gives up after ten minutes of a full queue with Retry-After: %s',
    async (retryAfter) => {
      const { result, sent } = await check('submit', Array(1000).fill({ status: 503, retryAfter }));
      expect([result, sent]).toEqual([503, retryAfter === '2' ? 301 : 601]);
    },
  );
});

test('the pauses grow, and chance shortens them by up to a half', async () => {
  expect((await check('read', [503, 503, 503])).slept).toEqual([250, 500, 1000]);
  const { transport, clock, slept } = outcomes(503);
  await withLayers(transport, retry({ requests: 'read', clock, random: () => 1 }))(new Request('https://h/'));
  expect(slept).toEqual([125]);
});

test.each([
  ['7', [7000]],
  ['0', [0]],
  ['Wed, 01 May 2024 12:00:09 GMT', [9000]],
  ['Wed, 01 May 2024 11:00:00 GMT', [0]],
  ['whenever', [250]],
])('Retry-After: %s is obeyed', async (retryAfter, slept) => {
  expect(await check('change', [{ status: 429, retryAfter }])).toMatchObject({ result: 200, slept });
});

test('a Retry-After that is too long is not waited for', async () => {
  expect(await check('read', [{ status: 503, retryAfter: '3600' }])).toEqual({
    result: 503,
    sent: 1,
    slept: [],
  });
});

test('a bug is not repeated', async () => {
  const bug = new TypeError('undefined is not a function');
  const send = withLayers(() => Promise.reject(bug), retry({ requests: 'read' }));
  await expect(send(new Request('https://h/'))).rejects.toBe(bug);
});

test('an abort ends the pause', async () => {
  const reason = new Error('interrupted');
  const abort = new AbortController();
  const send = withLayers(
    async () => new Response('', { status: 503, headers: { 'retry-after': '50' } }),
    retry({ requests: 'read' }),
  );
  setTimeout(() => abort.abort(reason), 20);
  await expect(send(new Request('https://h/', { signal: abort.signal }))).rejects.toBe(reason);
});

test('an export is submitted once, and an answer that never came leaves the doubt in the message', async () => {
  const { fetch, seen } = deploymentOf(() => {
    throw new ClientError('UNREACHABLE', 'The connection to "gis.example.com" broke');
  });
  await expect(submitExport(clientOf(fetch), newestLogsRequest)).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message:
      'The connection to "gis.example.com" broke. The export may have been started all the same, but its job is not known',
  });
  expect(seen).toHaveLength(1);
});
