import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { editPropertyTemplate } from '../../src/client/properties.ts';
import {
  getUpgradeSettings,
  type StartStep,
  startRollback,
  startUpgrade,
} from '../../src/client/upgrades.ts';
import { template } from '../administration/a-template.ts';
import { clientOf, deploymentOf, type Seen } from './deployment.ts';

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const statusOf = (state: string, code: number, ...messages: object[]) =>
  json({ status: { state, code, messages } });
const over = { message: 'The deployment was upgraded.', code: 2012, when: 1_700_000_000_000 };
const begun = { message: 'Upgrade process started.', code: 2010, when: 1_700_000_100_000 };

/** A clock whose pauses take no time. */
function quickClock() {
  let now = 0;
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    now += milliseconds;
  };
  return { now: () => now, sleep };
}

/** A deployment whose latest upgrade succeeded, until a start arrives: then another one's is under way. */
function busyDeployment(answer: (seen: Seen) => Response | Promise<Response>) {
  let isRunning = false;
  return deploymentOf((seen) => {
    if (!/\/(upgrade|rollback)$/.test(seen.path)) {
      return isRunning ? statusOf('in_progress', 1, begun) : statusOf('success', 3, over);
    }
    isRunning = true;
    return answer(seen);
  });
}

const refusal = { code: 503, message: 'An upgrade is in progress.', details: [] };

describe('a start that is refused because another upgrade is under way has not started', () => {
  test.each<[string, () => Response]>([
    ['HTTP 503 and JSON', () => json({ error: refusal }, 503)],
    ['HTTP 200 and an error', () => json({ error: refusal })],
    ['an error without a code', () => json({ error: { message: 'Another upgrade is already running' } })],
    [
      '"status": "error"',
      () => json({ status: 'error', messages: ['An upgrade is in progress'], code: 500 }),
    ],
    [
      '"success": false',
      () => json({ success: false, message: 'The upgrade job is currently in progress.' }),
    ],
  ])('%s', async (_, answer) => {
    const { fetch, seen } = busyDeployment(answer);
    await using client = clientOf(fetch, { clock: quickClock() });
    await expect(startUpgrade(client, { id: 'rel_1_1' })).rejects.toMatchObject({
      code: 'UPGRADE_RUNNING',
      message: expect.stringContaining('The upgrade was not started: the deployment refused it'),
      inDoubt: false,
    });
    expect(seen.filter(({ path }) => path.endsWith('/upgrade'))).toHaveLength(1);
  });

  test.each(['Upgrade cannot start while a backup is running', 'The update is already installed'])(
    'but "%s" speaks of something else',
    async (message) => {
      const { fetch } = busyDeployment(() => json({ error: { code: 400, message } }));
      await using client = clientOf(fetch, { clock: quickClock() });
      await expect(startUpgrade(client, { id: 'rel_1_1' })).rejects.toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining(message),
      });
    },
  );
});

test('what is certainly turned down is not looked for', async () => {
  const { fetch, seen } = busyDeployment(() => json({ error: { code: 404, message: 'Not found.' } }, 404));
  await using client = clientOf(fetch, { clock: quickClock() });
  await expect(startRollback(client, { id: 'rel_1_1' })).rejects.toMatchObject({
    code: 'BAD_REPLY',
    message: expect.stringContaining('the operation requires version 10.9'),
    inDoubt: false,
  });
  expect(seen).toHaveLength(2);
});

describe('a lost answer', () => {
  test.each<[string, () => Response]>([
    ['a page of a gateway', () => new Response('<html><title>504</title></html>', { status: 504 })],
    ['JSON of a gateway', () => json({ message: 'Endpoint request timed out' }, 504)],
    ['a failure in the middle of the work', () => json({ error: { code: 500, message: 'Internal' } })],
  ])('%s: an upgrade that shows then is perhaps not this one', async (_, answer) => {
    const { fetch } = busyDeployment(answer);
    await using client = clientOf(fetch, { clock: quickClock() });
    const steps: StartStep['kind'][] = [];
    const onStep = ({ kind }: StartStep) => void steps.push(kind);
    const started = await startUpgrade(client, { id: 'rel_1_1' }, { onStep });
    expect(started).toMatchObject({ state: 'in_progress', isCertain: false, before: { state: 'success' } });
    expect(steps).toEqual(['sending', 'looking']);
  });

  test('where the looking is refused, that is in doubt as well', async () => {
    let isSent = false;
    const { fetch } = deploymentOf(({ path }) => {
      if (isSent) return json({ error: { code: 498, message: 'Invalid token' } });
      isSent = path.endsWith('/upgrade');
      return isSent ? new Response('', { status: 502 }) : statusOf('success', 3, over);
    });
    await using client = clientOf(fetch, { clock: quickClock() });
    await expect(startUpgrade(client, { id: 'rel_1_1' })).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
      inDoubt: true,
      message: expect.stringContaining('Whether the upgrade has started is not known'),
    });
  });

  test('where none shows within two minutes, that is in doubt', async () => {
    const { fetch } = deploymentOf(({ path }) =>
      path.endsWith('/upgrade') ? new Response('', { status: 502 }) : statusOf('success', 3, over),
    );
    const clock = quickClock();
    await using client = clientOf(fetch, { clock });
    await expect(startUpgrade(client, { id: 'rel_1_1' })).rejects.toMatchObject({
      code: 'SERVER_ERROR',
      inDoubt: true,
    });
    expect(clock.now()).toBe(120_000);
  });
});

test('an answer makes it certain, and the state from before is kept', async () => {
  const { fetch } = deploymentOf(({ path }) =>
    path.endsWith('/upgrade') ? statusOf('in_progress', 1, begun) : statusOf('success', 3, over),
  );
  await using client = clientOf(fetch);
  expect(await startUpgrade(client, { id: 'rel_1_1' })).toEqual({
    state: 'in_progress',
    code: 1,
    messages: [begun],
    before: { state: 'success', code: 3, messages: [over] },
    isCertain: true,
  });
});

test('an abort before the request sends nothing, one after it is reported with its step', async () => {
  const abort = new AbortController();
  const steps: string[] = [];
  const { fetch, seen } = deploymentOf(({ path }) => {
    if (!path.endsWith('/upgrade')) return statusOf('no_upgrade', 0);
    abort.abort('enough');
    return statusOf('in_progress', 1);
  });
  await using client = clientOf(fetch);
  const onStep = ({ kind }: StartStep) => void steps.push(kind);
  const start = () => startUpgrade(client, { id: 'rel_1_1' }, { signal: abort.signal, onStep });
  await expect(start()).rejects.toBe('enough');
  expect(steps).toEqual(['sending']);
  const before = seen.length;
  await expect(start()).rejects.toBe('enough');
  expect(steps).toEqual(['sending']);
  expect(seen.slice(before).some(({ path }) => path.endsWith('/upgrade'))).toBe(false);
});

describe('an identifier that cannot be is refused before anything is sent', () => {
  const calls: [string, (client: Client, id: string) => Promise<unknown>][] = [
    ['upgrade', (client, id) => startUpgrade(client, { id })],
    ['rollback', (client, id) => startRollback(client, { id })],
    ['settings', (client, id) => getUpgradeSettings(client, id)],
  ];
  test.each(calls)('%s', async (_, call) => {
    const { fetch, seen } = deploymentOf(() => statusOf('no_upgrade', 0));
    await using client = clientOf(fetch);
    for (const id of ['', ' ', 'rel_1_1 ', 'rel_1_1\n', 'a\u0000b']) {
      await expect(call(client, id)).rejects.toMatchObject({ code: 'REFUSED', arrived: false });
    }
    expect(seen).toEqual([]);
  });
});

test('a rollback is a form with the option and an object of settings', async () => {
  const { fetch, seen } = deploymentOf(({ path }) =>
    path.endsWith('/rollback') ? statusOf('in_progress', 1, begun) : statusOf('success', 3, over),
  );
  await using client = clientOf(fetch);
  await startRollback(client, { id: 'pat_345432_505' });
  await startRollback(client, { id: 'pat_345432_505', settings: { a: [1] } });
  const forms = seen.filter(({ path }) => path.endsWith('/rollback')).map(({ form }) => form);
  expect(forms).toEqual(
    ['{}', '{"a":[1]}'].map((rollbackSettings) => ({
      versionManifest: '{"id":"pat_345432_505"}',
      rollbackSettings,
      f: 'json',
      token: 'token-1',
    })),
  );
});

test.each<[string, () => Response, boolean]>([
  ['a page of a gateway', () => new Response('', { status: 502 }), true],
  ['JSON that is something else', () => json({ ok: 1 }), true],
  ['a refusal', () => json({ error: { code: 400, message: 'Invalid' } }), false],
  ['what is not there', () => json({ error: { code: 404, message: 'Not found' } }, 404), false],
])('the edit of a template that ends with %s', async (_, answer, inDoubt) => {
  const { fetch } = deploymentOf(answer);
  await using client = clientOf(fetch);
  await expect(editPropertyTemplate(client, template)).rejects.toMatchObject({
    inDoubt,
    message: inDoubt
      ? expect.stringContaining('may have been made')
      : expect.not.stringContaining('may have been made'),
  });
});
