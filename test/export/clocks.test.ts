import { describe, expect, test } from 'vitest';
import { findExports } from '../../src/case/contents/exports.ts';
import { exportWindows, retryGaps } from '../../src/export/run/export-windows.ts';
import { orderSinceLast, readCoverage } from '../../src/export/run/open-export.ts';
import { servedLogs, startAwkward } from './awkward-export.ts';
import { counted, ordered, rules } from './awkward-server.ts';
import { textsOf } from './exporting-windows.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const logs = servedLogs(50);
const last = logs.at(-1)?.time ?? 0;
const rule = rules(ordered('as asked'), counted());

/** An export up to the present, by which all logs but the last ten are there. */
async function startAtPresent(date: (now: number, request: number) => number) {
  const now = (logs[39]?.time ?? 0) + 1000;
  const late = logs.map((log, index) => ({
    ...log,
    arrives: index < 40 ? log.time : Math.max(log.time, now + minute),
  }));
  return startAwkward({ logs: late, rule, now, date });
}

/** The end of the coverage of a case. */
async function endOf({ options: { into } }: Awaited<ReturnType<typeof startAwkward>>) {
  const [coverage] = await readCoverage(into);
  return coverage?.covered.filter(({ state }) => state === 'complete').at(-1)?.newest;
}

describe('the clock of a deployment', () => {
  test.each([
    ['is 25 minutes ahead', (now: number) => now + 25 * minute],
    ['is 25 minutes ahead once', (now: number, request: number) => now + (request === 2 ? 25 * minute : 0)],
    ['is two hours behind', (now: number) => now - 2 * hour],
    ['is two hours behind once', (now: number, request: number) => now - (request === 2 ? 2 * hour : 0)],
    ['is right', (now: number) => now],
  ])('loses no log that comes later: it %s', async (_, date) => {
    await using setting = await startAtPresent(date);
    const { options, server } = setting;
    const { clock } = server;
    const first = await setting.run({ newest: clock.now() + day });
    expect(first.complete).toBe(true);
    const end = await endOf(setting);
    expect(end).toBeLessThanOrEqual(Math.min(clock.now(), logs[39]?.time ?? 0));
    expect(await textsOf(options.into)).toHaveLength(40);
    await clock.sleep(last - clock.now() + hour);
    const more = await orderSinceLast(options.into, { now: options.client.earliestNow(), overlap: 600_000 });
    const second = await exportWindows({ ...options, ...more });
    expect([second.complete, second.logs]).toEqual([true, 10]);
    expect(await textsOf(options.into)).toHaveLength(50);
    const [stored] = await findExports(options.into);
    // The greatest lead of all replies; a second is lost where the header is rounded.
    const lead = Math.max(date(0, 2), date(0, 99));
    expect(Math.abs(Number(stored?.learnt.skew) - lead)).toBeLessThanOrEqual(2000);
  });

  test('cuts no time that was named: what is not over yet is a gap, and comes later', async () => {
    await using setting = await startAtPresent((now) => now);
    const { options, server } = setting;
    const to = last + minute;
    const first = await setting.run({ newest: to, to });
    expect(first).toMatchObject({ complete: false, logs: 40, newest: to });
    expect(first.gaps).toMatchObject([
      { kind: 'capped', newest: to, reason: expect.stringContaining('not over') },
    ]);
    await server.clock.sleep(to - server.clock.now() + hour);
    const second = await retryGaps(options);
    expect([second.complete, second.logs]).toEqual([true, 50]);
    expect(await textsOf(options.into)).toHaveLength(50);
  });

  test('calls no log late that a gap lacked because its time was not over', async () => {
    await using setting = await startAtPresent((now) => now);
    const { options, server, said } = setting;
    await setting.run({ newest: last + minute, to: last + minute });
    await server.clock.sleep(last - server.clock.now() + hour);
    const more = await orderSinceLast(options.into, { now: options.client.earliestNow() });
    await exportWindows({ ...options, ...more });
    expect(await textsOf(options.into)).toHaveLength(50);
    expect(said).not.toContainEqual(expect.stringContaining('came late'));
  });

  test('does not cut a named time where it is two hours behind', async () => {
    await using setting = await startAwkward({ logs, rule, now: last + hour, date: (now) => now - 2 * hour });
    const to = last + minute;
    const { complete, lost, gaps } = await setting.run({ newest: to, to });
    expect([complete, lost, gaps.length]).toEqual([false, 0, 1]);
  });

  test('is not believed where a case claims times that are not over', async () => {
    await using setting = await startAtPresent((now) => now);
    const { options, server, order, said } = setting;
    // This machine was two hours ahead as well.
    const real = server.clock.now();
    const ahead = { ...server.clock, now: () => server.clock.now() + 2 * hour };
    const client = { ...options.client, clock: ahead, earliestNow: ahead.now };
    await exportWindows({ ...options, client, order: order({ newest: real + hour }) });
    expect(await endOf(setting)).toBe(real + hour);
    await server.clock.sleep(2 * minute);
    const more = order({ newest: server.clock.now() + day });
    await exportWindows({ ...options, order: more });
    expect(await textsOf(options.into)).toHaveLength(50);
    expect(said).toContainEqual(expect.stringContaining('not over yet'));
    expect(await endOf(setting)).toBeLessThanOrEqual(server.clock.now());
  });
});

test('logs that come late are followed, and the next overlap is longer', async () => {
  const now = (logs[39]?.time ?? 0) + 1000;
  // One in three comes late, also of times before the overlap.
  const isLate = (index: number) => index < 40 && index % 3 === 0;
  const late = logs.map((log, index) => ({ ...log, arrives: isLate(index) ? now + minute : log.time }));
  await using setting = await startAwkward({ logs: late, rule, now });
  const { options, server, said } = setting;
  await setting.run({ newest: now + day });
  await server.clock.sleep(hour);
  const present = options.client.earliestNow();
  const more = await orderSinceLast(options.into, { now: present, overlap: 60_000 });
  await exportWindows({ ...options, ...more });
  expect(said).toContainEqual(expect.stringContaining('came late'));
  expect(await textsOf(options.into)).toHaveLength(50);
  const next = await orderSinceLast(options.into, { now: options.client.earliestNow() });
  expect(next.repeat.newest - next.repeat.oldest).toBeGreaterThanOrEqual(600_000);
});
