import { expect, test } from 'vitest';
import { type FoundSilences, findSilences } from '../../src/analysis/find-silences.ts';
import { createRandom } from '../../src/emulator/incident/random.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import { storyLogs } from '../emulator/story-logs.ts';
import { largeTest } from '../large-test.ts';
import { withCases } from './with-cases.ts';

const [minute, hour] = [60_000, 3_600_000];

const silencesOf = (
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
    if (0 < (await silencesOf([...storyLogs('quiet', { seed, count: 3000 })])).silences.length) found++;
  expect(found).toBeLessThanOrEqual(Math.floor(count * 0.05));
});

test('a source that stops at noon and goes on later is silent for just that time', async () => {
  const isOut = ({ source, time }: Log & { time: number }) =>
    source === 'Rest Catalog' && noon < time && time < noon + 2 * hour;
  const all = [...storyLogs('quiet', { count: 6000 })];
  const rest = without(all, isOut);
  const { silences, sources } = await silencesOf(rest);
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
  const { silences } = await silencesOf(without([...storyLogs('quiet', { count: 6000 })], isOut));
  expect(silences).toMatchObject([{ source: 'Sharing', isOpen: true }]);
});

largeTest('a time without any log is one silence of all sources', async () => {
  const isOut = ({ time }: Log & { time: number }) => noon < time && time < noon + hour;
  const { silences } = await silencesOf(without([...storyLogs('quiet', { count: 10_000 })], isOut));
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
  const { silences, notExported } = await silencesOf(rest, { requested });
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
  expect((await silencesOf(nightly(4, 1))).silences).toEqual([]);
  const missed = without(nightly(4, 1), ({ source, time }) => {
    const day = (time - noon) / (24 * hour);
    return source === 'Job' && 2 <= day && day < 3;
  });
  const { silences } = await silencesOf(missed);
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
  const { silences } = await silencesOf(officeHours(1));
  expect(silences.map(({ source, otherDays }) => [source, otherDays])).toEqual([['Office', 0]]);
  expect((await silencesOf(officeHours(2))).silences).toEqual([]);
});

largeTest('several cases answer as one', async () => {
  const isOut = ({ source, time }: Log & { time: number }) =>
    source === 'Rest Catalog' && noon < time && time < noon + 2 * hour;
  const logs = without([...storyLogs('quiet', { count: 6000 })], isOut);
  const parted = [logs.filter((_, index) => index % 3 === 0), logs.filter((_, index) => index % 3 !== 0)];
  expect(await silencesOf(parted)).toEqual(await silencesOf(logs));
});

test('no log, one log and logs without a time have no silence', async () => {
  for (const logs of [[], [{ msg: 'a' }], [{ time: 5, source: 'a' }], [{ time: -8e15 }, { time: 8e15 }]])
    expect((await silencesOf([logs])).silences).toEqual([]);
});
