import { expect, test } from 'vitest';
import { largeTest } from '../large-test.ts';
import { day, hour, minute, simulate, steadyLogs, textsOf, textsOfStore } from './simulated-deployment.ts';

const monday = Date.parse('2026-11-23T00:00:00Z');

largeTest('some days with late logs and restarts are there once, in the case of their time', async () => {
  await using simulated = await simulate({
    start: monday + 2 * hour,
    entries: steadyLogs(monday - 30 * hour, { count: 400, step: 15 * minute }),
    exports: { late: { share: 0.25, milliseconds: 20 * minute } },
    source: { backfill: '2d' },
  });
  for (let turn = 0; turn < 9; turn += 1) {
    await simulated.turn({ restarted: turn % 4 === 3 });
    simulated.time += 7 * hour;
  }
  const status = await simulated.status();
  expect(status.gaps).toEqual([]);
  expect(status.lost).toEqual([]);
  expect(status.backfill).toEqual([]);
  const times = { oldest: status.coveredFrom ?? 0, newest: status.coveredTo ?? 0 };
  // What came late by the last turn alone is due with the next one.
  const settled = { ...times, newest: times.newest - 20 * minute };
  const { names, texts } = await textsOfStore(simulated.store, settled);
  expect(texts).toEqual(await textsOf(simulated.logs, settled));
  expect(names).toContain('gis-2026-11-23.duckdb');
  expect(status.counts.late).toBeGreaterThan(0);
  expect(simulated.said.join('\n')).toContain('indexed and sealed');
});

test('a deployment that was away is asked for what it had meanwhile', async () => {
  await using simulated = await simulate({
    start: monday,
    entries: steadyLogs(monday - day, { count: 150, step: 30 * minute }),
    source: { backfill: '1h' },
  });
  await simulated.turn();
  simulated.isUp = false;
  simulated.time += 2 * day;
  await expect(simulated.turn()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(await simulated.status()).toMatchObject({ isReady: false, failures: { UNREACHABLE: 1 } });
  simulated.isUp = true;
  await simulated.turn({ restarted: true });
  const status = await simulated.status();
  expect(status).toMatchObject({ isReady: true, gaps: [], lost: [], backfill: [] });
  const times = { oldest: monday - hour, newest: status.coveredTo ?? 0 };
  expect(times.newest).toBeGreaterThan(monday + 2 * day - 2 * minute);
  expect((await textsOfStore(simulated.store, times)).texts).toEqual(await textsOf(simulated.logs, times));
});

largeTest(
  'what the deployment deleted before it was collected is named as lost, and so is a lower retention',
  async () => {
    await using simulated = await simulate({
      start: monday,
      entries: steadyLogs(monday - hour, { count: 400, step: 30 * minute }),
      source: { backfill: '1h' },
    });
    await simulated.turn();
    const before = await simulated.status();
    await simulated.keepDays(2);
    simulated.time += 5 * day;
    await simulated.forget(2);
    await simulated.turn();
    const status = await simulated.status();
    expect(status.lost).toEqual([
      { oldest: (before.coveredTo ?? 0) + 1, newest: expect.closeTo(simulated.time - 2 * day, -5) },
    ]);
    expect(status).toMatchObject({
      isReady: true,
      gaps: [],
      backfill: [],
      lowered: [{ what: 'retention', to: '2 d' }],
    });
    expect(simulated.said.filter((line) => line.includes('LOST: '))).toHaveLength(1);
    // What is there, and only that, is claimed.
    const kept = { oldest: simulated.time - 2 * day + minute, newest: status.coveredTo ?? 0 };
    expect((await textsOfStore(simulated.store, kept)).texts).toEqual(await textsOf(simulated.logs, kept));
  },
);

test('cases are deleted by age and are not asked for again, and nothing is written to a disk that is almost full', async () => {
  const settings = {
    start: monday,
    entries: steadyLogs(monday - hour, { count: 100, step: hour }),
    source: { backfill: '1h' },
  };
  await using simulated = await simulate({ ...settings, rest: { retention: { age: '1d' } } });
  await simulated.turn();
  simulated.time += 3 * day;
  await simulated.turn();
  await simulated.turn({ restarted: true });
  const { names } = await textsOfStore(simulated.store, { oldest: 0, newest: 0 });
  expect(names).toEqual(['gis-2026-11-25.duckdb']);
  const deleted = simulated.said.filter((line) => line.includes('deleted'));
  expect(deleted).toEqual([
    expect.stringMatching(/^gis: deleted "gis-2026-11-22.duckdb" \(by age, \d+ logs\)$/),
  ]);
  expect(await simulated.status()).toMatchObject({ gaps: [], lost: [], backfill: [] });

  await using full = await simulate({ ...settings, rest: { minimumFree: '999999TB' } });
  await expect(full.turn()).rejects.toMatchObject({ code: 'DISK_LOW' });
  expect(await full.status()).toMatchObject({ cases: 0, lastFailure: { code: 'DISK_LOW' } });
});

test('what a turn did not get is asked for again by the next one', async () => {
  await using simulated = await simulate({
    start: monday,
    entries: steadyLogs(monday - hour, { count: 100, step: minute }),
    source: { backfill: '1h' },
    faults: [{ on: 'exportLogs', effect: 'endJob', state: 'FAILED', messages: ['No memory'], times: 3 }],
  });
  await expect(simulated.turn()).rejects.toMatchObject({ code: 'JOB_FAILED' });
  expect(await simulated.status()).toMatchObject({ isReady: false, lastFailure: { code: 'JOB_FAILED' } });
  simulated.time += hour;
  await simulated.turn({ restarted: true });
  const status = await simulated.status();
  expect(status).toMatchObject({ gaps: [], lost: [], backfill: [] });
  const times = { oldest: monday - hour, newest: status.coveredTo ?? 0 };
  expect((await textsOfStore(simulated.store, times)).texts).toEqual(await textsOf(simulated.logs, times));
});
