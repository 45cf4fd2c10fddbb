import { expect, test } from 'vitest';
import { createSignInDelay } from '../../src/emulator/access.ts';
import { admin, host, post, postJson, startDeployment } from './calls.ts';

const by = { username: 'ann', address: '10.0.0.7' };

/** Delays on a clock that waiting moves on. */
function startDelay() {
  let time = 0;
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
    time += milliseconds;
  };
  const delay = createSignInDelay({ now: () => time, sleep });
  const fail = (attempt = by) => delay.attempt(attempt, () => undefined);
  const succeed = (attempt = by) => delay.attempt(attempt, () => 'a user');
  return {
    delay,
    slept,
    fail,
    succeed,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test('people who mistype do not wait, and those who guess wait longer each time, up to four seconds', async () => {
  const { slept, fail } = startDelay();
  for (let count = 0; count < 10; count += 1) await fail();
  expect(slept).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test('the right password waits no longer than the wrong ones, and ends the delay', async () => {
  const { slept, fail, succeed } = startDelay();
  for (let count = 0; count < 10; count += 1) await fail();
  slept.length = 0;
  expect(await succeed()).toBe('a user');
  expect(slept).toEqual([4000]);
  await succeed();
  await fail();
  expect(slept).toEqual([4000]);
});

test('failures of one user or address do not delay others', async () => {
  const { slept, fail, succeed } = startDelay();
  for (let count = 0; count < 10; count += 1) await fail();
  slept.length = 0;
  await succeed({ ...by, username: 'bob' });
  await succeed({ ...by, address: '10.0.0.8' });
  expect(slept).toEqual([]);
});

test('many names from one address are delayed as well', async () => {
  const { slept, fail } = startDelay();
  for (let count = 0; count < 26; count += 1) await fail({ ...by, username: `nobody ${count}` });
  expect(slept).toEqual([250, 500, 1000, 2000, 4000, 4000]);
});

test('failures are forgotten after a quarter of an hour', async () => {
  const { slept, fail, wait } = startDelay();
  for (let count = 0; count < 10; count += 1) await fail();
  wait(15 * 60_000);
  slept.length = 0;
  await fail();
  expect(slept).toEqual([]);
});

test('attempts at the same time are checked one after the other, and few of them wait', async () => {
  const pending: (() => void)[] = [];
  const delay = createSignInDelay({
    now: () => 0,
    sleep: () => new Promise<void>((resolve) => pending.push(resolve)),
  });
  let checked = 0;
  const attempt = () =>
    delay.attempt(by, () => {
      checked += 1;
      return undefined;
    });
  for (let count = 0; count < 3; count += 1) await attempt();
  const attempts = Array.from({ length: 8 }, attempt);
  expect(await Promise.all(attempts.slice(5))).toEqual(['too many', 'too many', 'too many']);
  for (let turn = 1; turn <= 5; turn += 1) {
    await expect.poll(() => pending.length, { interval: 1 }).toBe(turn);
    expect(checked).toBe(2 + turn);
    pending[turn - 1]?.();
  }
  expect(await Promise.all(attempts.slice(0, 5))).toEqual(Array(5).fill(undefined));
});

test('memory does not grow with the names, however long they are', async () => {
  const { fail, delay } = startDelay();
  const many = 20_000;
  const held = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = held();
  for (let count = 0; count < many; count += 1)
    await fail({ username: `${count} ${'x'.repeat(5000)}`, address: `10.0.${count % 200}.1` });
  // All of the names would take 100 MB.
  expect(held() - before).toBeLessThan(40_000_000);
  delay.expire();
});

test('a deployment delays the sign-in of its page and of its token service alike, and lets the right password in', async () => {
  await using deployment = await startDeployment();
  const wrong = { ...admin, password: 'wrong', client: 'requestip' };
  for (let count = 0; count < 2; count += 1) await post(deployment, '/gis/admin/login', wrong);
  await post(deployment, '/gis/sharing/rest/generateToken', wrong);
  const started = performance.now();
  expect(
    await postJson(deployment, '/gis/sharing/rest/generateToken', { ...admin, client: 'requestip' }),
  ).toMatchObject({ token: expect.any(String) });
  expect(performance.now() - started).toBeGreaterThanOrEqual(240);
});

test('a sign-in beyond those that wait is refused with 429 and the time to come again', async () => {
  await using deployment = await startDeployment();
  const form = new URLSearchParams({ ...admin, password: 'wrong', client: 'requestip', f: 'json' });
  const send = () =>
    deployment.fetch(new Request(`${host}/gis/sharing/rest/generateToken`, { method: 'POST', body: form }));
  for (let count = 0; count < 3; count += 1) await send();
  const replies = await Promise.all(Array.from({ length: 7 }, send).slice(5));
  expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [429, '5'],
    [429, '5'],
  ]);
});
