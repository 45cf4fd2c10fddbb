import { describe, expect, test } from 'vitest';
import { type FoundSilences, findSilences, silencesOf } from '../../src/analysis/find-silences.ts';
import { createRandom } from '../../src/emulator/incident/random.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { addIncident, type DrawnLogs, silenceOptions, toSlots } from '../bench/investigate/generators.js';
import { drawHeldOut, heldOutKinds } from '../bench/investigate/held-out.js';
import { rounds } from '../effort.ts';
import { storyLogs } from '../emulator/story-logs.ts';
import { largeTest } from '../large-test.ts';
import { withCases } from './with-cases.ts';

const [minute, hour] = [60_000, 3_600_000];

const silencesOfLogs = (
  logs: readonly Log[] | readonly (readonly Log[])[],
  options: object = {},
): Promise<FoundSilences> =>
  withCases(
    Array.isArray(logs[0]) ? (logs as readonly (readonly Log[])[]) : [logs as readonly Log[]],
    (cases) => findSilences(cases, { filter: matchAllFilter, requested: [], ...options }),
  );

const noon = Date.UTC(2025, 2, 11, 12);
const without = (logs: readonly Log[], isOut: (log: Log & { time: number }) => boolean) =>
  logs.filter((log) => log.time === undefined || !isOut({ ...log, time: log.time }));

test('days with a rhythm have no silence, of any seed', async () => {
  let found = 0;
  const count = rounds(100, 3);
  for (let seed = 1; seed <= count; seed++)
    if (0 < (await silencesOfLogs([...storyLogs('quiet', { seed, count: 3000 })])).silences.length) found++;
  expect(found).toBeLessThanOrEqual(Math.floor(count * 0.05));
});

test('a source that stops at noon and goes on later is silent for just that time', async () => {
  const isOut = ({ source, time }: Log & { time: number }) =>
    source === 'Rest Catalog' && noon < time && time < noon + 2 * hour;
  const all = [...storyLogs('quiet', { count: 6000 })];
  const rest = without(all, isOut);
  const { silences, sources } = await silencesOfLogs(rest);
  const own = rest.filter(({ source }) => source === 'Rest Catalog').map(({ time = 0 }) => time);
  expect(silences).toMatchObject([
    {
      source: 'Rest Catalog',
      from: Math.max(...own.filter((time) => time <= noon)),
      to: Math.min(...own.filter((time) => noon + 2 * hour <= time)),
      isOpen: false,
    },
  ]);
  expect(silences[0]?.p).toBeLessThan(0.01);
  const lost = all.length - rest.length;
  expect(silences[0]?.expected).toBeGreaterThan(lost / 3);
  expect(silences[0]?.expected).toBeLessThan(lost * 3);
  expect(sources).toBe(new Set(all.map(({ source }) => source)).size);
});

test('a source that never logs again is silent to the end', async () => {
  const isOut = ({ source, time }: Log & { time: number }) => source === 'Sharing' && noon < time;
  const { silences } = await silencesOfLogs(without([...storyLogs('quiet', { count: 6000 })], isOut));
  expect(silences).toMatchObject([{ source: 'Sharing', isOpen: true }]);
});

largeTest('a time without any log is one silence of all sources', async () => {
  const isOut = ({ time }: Log & { time: number }) => noon < time && time < noon + hour;
  const { silences } = await silencesOfLogs(without([...storyLogs('quiet', { count: 10_000 })], isOut));
  expect(silences).toHaveLength(1);
  expect(silences[0]).not.toHaveProperty('source');
  expect(silences[0]?.to).toBeGreaterThanOrEqual(noon + hour);
});

largeTest('what was never exported is no silence, and listed as such', async () => {
  const all = [...storyLogs('quiet', { count: 10_000 })];
  const [first = 0, last = 0] = [all[0]?.time, all.at(-1)?.time];
  const rest = without(all, ({ time }) => noon <= time && time < noon + hour);
  const requested = [
    { oldest: first, newest: noon - 1, state: 'complete' },
    { oldest: noon + hour, newest: last, state: 'complete' },
  ];
  const { silences, notExported } = await silencesOfLogs(rest, { requested });
  expect(silences).toEqual([]);
  expect(notExported).toEqual([{ oldest: noon, newest: noon + hour - 1, state: 'never' }]);
});

/** A job that runs in the first hours of each day only, for some days. */
function nightly(days: number, seed: number): Log[] {
  const random = createRandom(seed);
  return Array.from({ length: days * 24 * 60 }, (_, index) => index * minute).flatMap((offset) => [
    { time: noon + offset, source: 'Web', msg: 'a' },
    ...((offset / hour) % 24 < 3 && random.chance(0.5)
      ? [{ time: noon + offset, source: 'Job', msg: 'b' }]
      : []),
  ]);
}

test('a job that runs at the same hours every day is not silent in between', async () => {
  expect((await silencesOfLogs(nightly(4, 1))).silences).toEqual([]);
  const missed = without(nightly(4, 1), ({ source, time }) => {
    const day = (time - noon) / (24 * hour);
    return source === 'Job' && 2 <= day && day < 3;
  });
  const { silences } = await silencesOfLogs(missed);
  expect(silences.map(({ source }) => source)).toEqual(['Job']);
});

/** An office service from eight to eighteen o'clock beside one that runs all day. */
function officeHours(days: number): Log[] {
  const midnight = noon - 12 * hour;
  return Array.from({ length: days * 24 * 60 }, (_, index) => index * minute).flatMap((offset) => [
    { time: midnight + offset, source: 'Web', msg: 'a' },
    ...(8 <= (offset / hour) % 24 && (offset / hour) % 24 < 18
      ? [{ time: midnight + offset, source: 'Office', msg: 'b' }]
      : []),
  ]);
}

test('a service that rests at night looks silent in a single day, which says that no day compares', async () => {
  const { silences } = await silencesOfLogs(officeHours(1));
  expect(silences.map(({ source, otherDays }) => [source, otherDays])).toEqual([['Office', 0]]);
  expect((await silencesOfLogs(officeHours(2))).silences).toEqual([]);
});

largeTest('several cases answer as one', async () => {
  const isOut = ({ source, time }: Log & { time: number }) =>
    source === 'Rest Catalog' && noon < time && time < noon + 2 * hour;
  const logs = without([...storyLogs('quiet', { count: 6000 })], isOut);
  const parted = [logs.filter((_, index) => index % 3 === 0), logs.filter((_, index) => index % 3 !== 0)];
  expect(await silencesOfLogs(parted)).toEqual(await silencesOfLogs(logs));
});

test('no log, one log and logs without a time have no silence', async () => {
  for (const logs of [[], [{ msg: 'a' }], [{ time: 5, source: 'a' }], [{ time: -8e15 }, { time: 8e15 }]])
    expect((await silencesOfLogs([logs])).silences).toEqual([]);
});

describe('a lull', () => {
  /** A log of a source every so many seconds for two days, but for those that are left out. */
  const every = (seconds: number, source: string, isOut: (minutes: number, index: number) => boolean) =>
    Array.from({ length: (2 * 86_400) / seconds }, (_, index) => ({
      time: noon + index * seconds * 1000,
      source,
      msg: 'a',
      isOut: isOut((index * seconds) / 60, index),
    })).flatMap(({ isOut: isLeftOut, ...log }) => (isLeftOut ? [] : [log]));
  const ninety = (minutes: number, index: number) => 1500 <= minutes && minutes < 1590 && index % 10 !== 0;

  test('of a source to a tenth of its logs is found with its times and counts', async () => {
    const { lulls, silences } = await silencesOfLogs([
      ...every(10, 'Web', ninety),
      ...every(10, 'Maps', () => false),
    ]);
    expect(silences).toEqual([]);
    expect(lulls).toMatchObject([{ source: 'Web', isOpen: false, count: 53, otherDays: 1 }]);
    const [{ from, to, expected } = { from: 0, to: 0, expected: 0 }] = lulls;
    expect(Math.abs(from - noon - 1500 * minute)).toBeLessThan(5 * minute);
    expect(Math.abs(to - noon - 1590 * minute)).toBeLessThan(5 * minute);
    expect(expected).toBeGreaterThan(400);
    expect(expected).toBeLessThan(700);
  });

  test('of all sources is one of all, and one to the end is open', async () => {
    const { lulls } = await silencesOfLogs([...every(10, 'Web', ninety), ...every(10, 'Maps', ninety)]);
    expect(lulls.map(({ source, isOpen }) => [source, isOpen])).toEqual([[undefined, false]]);
    const last = (minutes: number, index: number) => 2700 <= minutes && index % 10 !== 0;
    const { lulls: open } = await silencesOfLogs(every(10, 'Web', last));
    expect(open.map(({ source, isOpen }) => [source, isOpen])).toEqual([[undefined, true]]);
  });

  test('is no half of the logs, no night of each day, and no time without any log', async () => {
    const half = (minutes: number, index: number) => 1500 <= minutes && minutes < 1590 && index % 2 === 0;
    const night = (minutes: number, index: number) =>
      300 <= minutes % 1440 && minutes % 1440 < 700 && index % 10 !== 0;
    const none = (minutes: number) => 1500 <= minutes && minutes < 1590;
    expect((await silencesOfLogs(every(10, 'Web', half))).lulls).toEqual([]);
    expect((await silencesOfLogs(every(10, 'Web', night))).lulls).toEqual([]);
    const { silences, lulls } = await silencesOfLogs(every(10, 'Web', none));
    expect([silences.length, lulls.length]).toEqual([1, 0]);
  });
});

test('a service of working days is not silent on weekends', async () => {
  const monday = noon - 36 * hour;
  const days = Array.from({ length: 28 }, (_, day) => day).filter((day) => day % 7 < 5);
  const logs = days.flatMap((day) =>
    Array.from({ length: 200 }, (_, at) => ({
      time: monday + day * 24 * hour + 8 * hour + at * 3 * minute,
      source: 'Office',
      msg: 'a',
    })),
  );
  const found = await silencesOfLogs(logs);
  expect([found.silences, found.lulls]).toEqual([[], []]);
});

describe.each(heldOutKinds)('logs that are %s', (quiet) => {
  const seeds = (full: number, first: number) =>
    Array.from({ length: rounds(full, 3) }, (_, index) => first + index);
  const found = (drawn: DrawnLogs) => silencesOf(toSlots(drawn), silenceOptions(drawn));

  test('have no silence and no lull while nothing happens', () => {
    const all = seeds(100, 90_000);
    const alarms = all.filter((seed) => {
      const { silences, lulls } = found(drawHeldOut(quiet, seed));
      return 0 < silences.length + lulls.length;
    });
    expect(alarms.length).toBeLessThanOrEqual(Math.floor(all.length / 100));
  });

  test('show a silence of a tenth of the time at any onset', () => {
    const all = seeds(50, 95_000);
    const lost = all.filter((seed) => {
      const drawn = drawHeldOut(quiet, seed);
      const { start } = addIncident('silence', drawn, { length: drawn.minutes / 10, size: 0 });
      const { silences } = found(drawn);
      return !silences.some(({ from }) => Math.abs(from / 60_000 - start) <= drawn.minutes / 100);
    });
    expect(lost.length).toBeLessThanOrEqual(Math.ceil(all.length / 50));
  });
});
