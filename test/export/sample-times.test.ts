import { describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { containsTime, type Window, windowLength } from '../../src/export/decide/window.ts';
import type { ProbeTimes } from '../../src/export/run/sampling.ts';
import { sampleDensity, splitIntoWindows } from '../../src/export/run/sampling.ts';

/** Answers of a deployment that holds logs of these times. */
function lookAt(times: readonly number[]): ProbeTimes {
  return async (window, { num, order }) => {
    const found = times.filter((time) => containsTime(window, time)).sort((a, b) => a - b);
    return (order === 'asc' ? found : found.toReversed()).slice(0, num);
  };
}

async function estimated(times: readonly number[], window: Window) {
  const { intervals } = await sampleDensity(window, 500, lookAt(times));
  return intervals.reduce((sum, each) => sum + each.density * windowLength(each), 0);
}

const incident = [...incidentLogs()].map(({ time = 0 }) => time);
const [oldest = 0] = incident;
const newest = Math.max(...incident);
const year = 365 * 86_400_000;

describe('an estimate is near the truth', () => {
  test.each<[string, readonly number[], Window]>([
    ['over the very time of the logs', incident, { oldest, newest }],
    ['over a year before them', incident, { oldest: oldest - year, newest }],
    ['over a year behind them', incident, { oldest, newest: newest + year }],
    [
      'with a few logs long after them',
      [...incident, newest + year, newest + year + 60_000],
      { oldest: oldest - year, newest: newest + 2 * year },
    ],
    [
      'with a crowd in one millisecond',
      [...incident, ...Array.from({ length: 3000 }, () => newest + 1000)],
      { oldest, newest: newest + 2000 },
    ],
  ])('%s', async (_what, times, window) => {
    const logs = await estimated(times, window);
    expect(logs).toBeGreaterThan(times.length / 3);
    expect(logs).toBeLessThan(times.length * 3);
  });
});

test('the intervals leave no time out from the first log on, for any logs', async () => {
  for (const count of [500, 501, 700, 5000]) {
    const times = Array.from({ length: count }, (_, index) => 1000 + index * index);
    const window = { oldest: 0, newest: 1000 + count * count };
    const { intervals, exact } = await sampleDensity(window, 500, lookAt(times));
    expect(intervals[0]?.newest).toBe(window.newest);
    expect(intervals.at(-1)?.oldest).toBe(exact ? 0 : 1000);
    for (const [index, { newest: end }] of intervals.slice(1).entries())
      expect(end).toBe((intervals[index]?.oldest ?? 0) - 1);
  }
});

test('windows of so many logs each take up all of the time', () => {
  const intervals = [
    { oldest: 100, newest: 199, density: 0.1 },
    { oldest: 0, newest: 99, density: 0.5 },
  ];
  expect(splitIntoWindows(intervals, { perWindow: 20, max: 100 })).toEqual([
    { oldest: 80, newest: 199 },
    { oldest: 40, newest: 79 },
    { oldest: 0, newest: 39 },
  ]);
  expect(splitIntoWindows(intervals, { perWindow: 20, max: 1 })).toEqual([{ oldest: 80, newest: 199 }]);
  expect(splitIntoWindows([], { perWindow: 20, max: 1 })).toEqual([]);
});

test('a sample is exact for its own time, and between two of them their mean is assumed', async () => {
  const window = { oldest: 0, newest: 99 };
  const pairs = await sampleDensity(window, 2, lookAt([10, 11, 50, 51, 90, 91]));
  expect(pairs).toEqual({
    exact: false,
    least: 6,
    most: 12,
    intervals: [
      { oldest: 90, newest: 99, density: 2 / 10 },
      // One time for each sample says nothing about the times around it.
      { oldest: 87, newest: 89, density: 0 },
      { oldest: 50, newest: 86, density: 2 / 37 },
      { oldest: 47, newest: 49, density: 0 },
      { oldest: 10, newest: 46, density: 2 / 37 },
    ],
  });
  const even = Array.from({ length: 40 }, (_, index) => 1000 + index * 10 + (index % 4 === 0 ? 5 : 0));
  const fours = await sampleDensity({ oldest: 0, newest: 1500 }, 4, lookAt(even));
  expect(fours.intervals.slice(0, 3)).toEqual([
    { oldest: 1365, newest: 1500, density: 4 / 136 },
    { oldest: 1353, newest: 1364, density: (2 / 6 + 2 / 6) / 2 },
    { oldest: 1325, newest: 1352, density: 4 / 28 },
  ]);
  expect([fours.least, fours.most]).toEqual([49, 59]);
  for (const num of [40, 41])
    expect(await sampleDensity({ oldest: 0, newest: 1500 }, num, lookAt(even))).toEqual({
      exact: true,
      least: 40,
      most: 40,
      intervals: [{ oldest: 0, newest: 1500, density: 40 / 1501 }],
    });
});

describe('a deployment that is not what a sample assumes', () => {
  const times = Array.from({ length: 30_000 }, (_, index) => 1_000_000 + index * 1000);
  const window = { oldest: 0, newest: 40_000_000 };

  test.each<[string, (look: ProbeTimes) => ProbeTimes]>([
    [
      'sorts in one order only',
      (look) =>
        (asked, { num }) =>
          look(asked, { num, order: 'desc' }),
    ],
    [
      'returns fewer logs than are asked for',
      (look) =>
        (asked, { num, order }) =>
          look(asked, { num: Math.min(num, 100), order }),
    ],
  ])('%s', async (_what, behave) => {
    let calls = 0;
    const look = behave(lookAt(times));
    const sampled = await sampleDensity(window, 500, (...asked) => {
      calls += 1;
      return look(...asked);
    });
    expect(sampled.exact).toBe(false);
    expect(sampled.least).toBeLessThanOrEqual(30_000);
    expect(sampled.most).toBeGreaterThanOrEqual(30_000);
    expect(sampled.most).toBeLessThan(2 * sampled.least);
    expect(calls).toBeLessThan(40);
  });
});

test('of few logs all is known', async () => {
  const window = { oldest: 0, newest: 999 };
  expect(await sampleDensity(window, 3, lookAt([100, 100, 900]))).toEqual({
    exact: true,
    least: 3,
    most: 3,
    intervals: [{ oldest: 0, newest: 999, density: 0.003 }],
  });
  expect(await sampleDensity(window, 3, lookAt([]))).toMatchObject({ exact: true, least: 0, most: 0 });
});

test('of logs that are equally dense a tenth of what was not seen is doubtful', async () => {
  const times = Array.from({ length: 10_000 }, (_, index) => 5000 + index * 10);
  const { exact, intervals, least, most } = await sampleDensity(
    { oldest: 0, newest: 105_000 },
    100,
    lookAt(times),
  );
  expect(exact).toBe(false);
  // The newest logs, then eight places, with what lies between them.
  expect(intervals.length).toBe(18);
  for (const { density } of intervals.slice(1)) expect(Math.abs(density - 0.1)).toBeLessThan(0.003);
  const seen = 900;
  expect(Math.abs(least - (10_000 - 0.1 * (10_000 - seen)))).toBeLessThan(200);
  expect(Math.abs(most - (10_000 + 0.1 * (10_000 - seen)))).toBeLessThan(200);
});

test('of logs that are not the estimate is as doubtful as they are uneven', async () => {
  const dense = Array.from({ length: 9000 }, (_, index) => 100_000 + index * 10);
  const sparse = Array.from({ length: 1000 }, (_, index) => 10_000 + index * 90);
  const { least, most } = await sampleDensity(
    { oldest: 0, newest: 190_000 },
    100,
    lookAt([...sparse, ...dense]),
  );
  expect([least < 10_000, 10_000 < most]).toEqual([true, true]);
  expect((least + most) / 2).toBeGreaterThan(8500);
  expect((least + most) / 2).toBeLessThan(11_500);
  expect((most - least) / (most + least)).toBeGreaterThan(0.3);
  expect((most - least) / (most + least)).toBeLessThan(0.7);
});
