import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOtherRun, type UpgradeEvent, watchUpgrade } from '../../src/client/upgrades.ts';
import type { UpgradeStatus } from '../../src/protocol/upgrades.ts';
import { rounds } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { clientOf, deploymentOf } from './deployment.ts';

const old = { message: 'The deployment was upgraded.', code: 2012, when: 1_700_000_000_000 };
const first = { message: 'Upgrade process started.', code: 2010, when: 1_700_000_100_000 };
const last = { message: 'Upgrade process completed.', code: 2011, when: 1_700_000_200_000 };
const success = (...messages: object[]) => ({ state: 'success', code: 3, messages });
const running = (...messages: object[]) => ({ state: 'in_progress', code: 1, messages });
const odd = (state: string, ...messages: object[]) => ({ state, code: 7, messages });
const none = { state: 'no_upgrade', code: 0, messages: [] };
const before: UpgradeStatus = { state: 'success', code: 3, messages: [old] };

/** Watches a deployment that gives these states one after the other, the last one for ever. */
async function watched(states: readonly object[], given?: UpgradeStatus) {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const { fetch } = deploymentOf(
    (_, count) => new Response(JSON.stringify({ status: states[Math.min(count, states.length) - 1] })),
  );
  await using client = clientOf(fetch, { clock: { now: () => now, sleep } });
  const events: UpgradeEvent[] = [];
  const failure = await (async () => {
    for await (const event of watchUpgrade(client, { before: given })) events.push(event);
  })().catch((error: unknown) => error);
  return { events, kinds: events.map(({ kind }) => kind), failure, now };
}

describe('the state from before a start is not that of the upgrade', () => {
  test.each<[string, readonly object[]]>([
    ['running', [running(first)]],
    ['running with the older messages', [running(old, first)]],
    ['over at once', []],
  ])('it waits until the upgrade shows: %s', async (_, between) => {
    const { events, kinds, failure } = await watched(
      [success(old), success(old), ...between, success(first, last)],
      before,
    );
    expect(failure).toBeUndefined();
    expect(kinds.filter((kind) => kind === 'waiting')).toHaveLength(1);
    expect(events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))).toEqual([
      first,
      last,
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'ended', status: { state: 'success' }, wasUnderWay: true });
  });

  test.each<[string, UpgradeStatus, object]>([
    ['of an earlier success', before, success(old)],
    ['of an earlier success whose messages are gone', before, success()],
    ['of no upgrade', { ...none, messages: [] }, none],
    ['of no upgrade after a success', before, none],
    ['that nobody knows', { state: 'odd', code: 7, messages: [] }, odd('odd')],
  ])('one that stays, %s, is no success: watching fails after two minutes', async (_, given, stays) => {
    const { kinds, failure, now } = await watched([stays], given);
    expect(kinds).toEqual(['waiting']);
    expect(failure).toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining('still shows the state from before'),
    });
    expect(now).toBe(120_000);
  });

  test('an earlier failure is none of this one, and a later one is', async () => {
    const failed = { state: 'failed', code: 2, messages: [old] };
    const { kinds, events } = await watched(
      [failed, running(first), { ...failed, messages: [first, last] }],
      {
        ...failed,
      },
    );
    expect(kinds[0]).toBe('waiting');
    expect(events.at(-1)).toMatchObject({ kind: 'ended', status: { messages: [first, last] } });
  });

  test('no state is another run than itself, unless it runs', () => {
    const state = fc.record({
      state: fc.constantFrom('success', 'failed', 'no_upgrade', 'odd', 'in_progress'),
      code: fc.constantFrom(0, 1, 2, 3, 7, -1),
      messages: fc.array(
        fc.constantFrom<UpgradeStatus['messages'][number]>(old, first, { message: '', code: 0 }),
      ),
    });
    fc.assert(
      fc.property(state, state, (a, b) => {
        expect(isOtherRun(a, structuredClone(a))).toBe(a.state === 'in_progress' || isRunningByCode(a));
        if (a.messages.length === 0 && a.state === b.state && !isRunningByCode(a))
          expect(isOtherRun(a, b)).toBe(a.state === 'in_progress');
      }),
      { numRuns: rounds(1000) },
    );
  });
});

/** The codes of states that are known do not count. */
function isRunningByCode({ state, code }: UpgradeStatus): boolean {
  return state === 'odd' && code === 1;
}

describe('without a state from before', () => {
  test('an upgrade that was over before the first look was not under way', async () => {
    expect((await watched([success(old)])).events.at(-1)).toMatchObject({ wasUnderWay: false });
    expect((await watched([running(), success(old)])).events.at(-1)).toMatchObject({ wasUnderWay: true });
    expect((await watched([none])).kinds).toEqual(['ended']);
  });
});

describe('a state that is not known', () => {
  test('is reported once, and watching goes on', async () => {
    const { kinds, failure } = await watched([
      running(first),
      odd('FINALIZING', first),
      odd('FINALIZING', first, last),
      odd('COOLING_DOWN', first, last),
      success(first, last),
    ]);
    expect(failure).toBeUndefined();
    expect(kinds).toEqual([...['message', 'status', 'unknown', 'message', 'status', 'unknown', 'ended']]);
  });

  largeTest('is watched for an hour without a change, and no longer', async () => {
    const { kinds, failure, now } = await watched([running(first), odd('FINALIZING', first)]);
    expect(kinds).toEqual(['message', 'status', 'unknown']);
    expect(failure).toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining('"FINALIZING" (code 7)'),
    });
    expect(now).toBeGreaterThanOrEqual(3_600_000);
    expect(now).toBeLessThan(3_700_000);
  });

  test('a message in it is a change', async () => {
    const steps = Array.from({ length: 800 }, (_, at) =>
      odd('FINALIZING', { message: `${at}`, code: 1, when: 1 }),
    );
    const { now, failure } = await watched([...steps, success()]);
    expect(failure).toBeUndefined();
    expect(now).toBe(4_000_000);
  });
});
