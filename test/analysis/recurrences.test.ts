import { describe, expect, test } from 'vitest';
import type { SubjectSeries } from '../../src/analysis/collect-series.ts';
import { studentTail } from '../../src/analysis/find-episodes.ts';
import { findRecurrences } from '../../src/analysis/find-recurrences.ts';
import { type Investigation, investigate } from '../../src/analysis/investigate.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import { withCases } from './with-cases.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** A Monday. */
const begin = Date.UTC(2025, 2, 10);

const investigated = (logs: readonly Log[]): Promise<Investigation> =>
  withCases([logs], (cases) => investigate(cases, { filter: matchAllFilter, requested: [] }));

/** A congruential generator with the constants of Knuth's MMIX, as fractions. */
function fractions(seed: number): () => number {
  let state = BigInt(seed) * 2862933555777941757n + 3037000493n;
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return (Number(state >> 11n) + 0.5) / 2 ** 53;
  };
}

/** Office hours of some days: requests, and few mistakes of users. */
function office(days: number, next: () => number): Log[] {
  return Array.from({ length: days * 200 }, (_, at): Log => {
    const time = begin + Math.floor(at / 200) * day + 8 * hour + next() * 10 * hour;
    return at % 9 === 0
      ? {
          time,
          logLevel: 'WARNING',
          logCode: 7000 + (at % 3),
          source: 'Portal',
          msg: `Mistake of kind ${'abc'[at % 3]}.`,
        }
      : { time, logLevel: 'FINE', logCode: 9000, source: 'Maps.MapServer', msg: 'Request was handled.' };
  });
}

const job = (time: number, next: () => number): Log[] =>
  Array.from({ length: 12 }, (_, at) => ({
    time: time + at * 40_000 + next() * 9000,
    logLevel: 'WARNING',
    logCode: 4321,
    source: 'Backup',
    msg: 'Backup skips an open file.',
  }));

const ofJob = ({ recurring }: Investigation) =>
  recurring.find(({ subject }) => subject.type === 'code' && subject.code === '4321');

describe('what recurs', () => {
  test.each([4, 7, 20, 28])('nightly in %i days is said so, and is no change', async (days) => {
    for (let seed = 1; seed <= rounds(10, 2); seed++) {
      const next = fractions(seed);
      const nights = Array.from({ length: days }, (_, at) =>
        job(begin + at * day + 2 * hour + next() * 5 * minute, next),
      );
      const found = await investigated([...office(days, next), ...nights.flat()]);
      expect(ofJob(found)).toMatchObject({ every: 'day', times: days, of: days, count: 12 * days });
      const { begin: last = 0, logs } = ofJob(found) ?? {};
      expect(logs).toMatchObject({ count: 12 * days });
      expect(last - begin - (days - 1) * day).toBeGreaterThanOrEqual(2 * hour);
      expect(last - begin - (days - 1) * day).toBeLessThan(2 * hour + 6 * minute);
      expect(found.changes).toEqual([]);
    }
  });

  test('is no act of administration before a failure of the day', async () => {
    const next = fractions(9);
    const nights = Array.from({ length: 14 }, (_, at) => job(begin + at * day + 2 * hour, next)).flat();
    const failures = Array.from({ length: 150 }, (_, at) => ({
      time: begin + 12 * day + 14 * hour + at * minute,
      logLevel: 'SEVERE',
      logCode: 8252,
      source: 'Maps.MapServer',
      msg: 'The store does not answer.',
    }));
    const restart = { time: begin + 12 * day + 13 * hour, logLevel: 'INFO', logCode: 4100, msg: 'Stopped.' };
    const { main, before } = await investigated([...office(14, next), ...nights, ...failures, restart]);
    expect(main?.subject).toMatchObject({ code: '8252' });
    expect(before.map(({ code }) => code)).toEqual(['4100']);
  });

  test('at midnight, on both sides of it, or an hour earlier after a change of the clocks, is one', async () => {
    const next = fractions(5);
    const at = (index: number) => begin + index * day + (index < 10 ? 0 : -hour) - 3 * minute;
    const nights = Array.from({ length: 19 }, (_, index) => job(at(index + 1), next));
    const found = await investigated([...office(20, next), ...nights.flat()]);
    expect(ofJob(found)?.times).toBeGreaterThanOrEqual(18);
  });

  test('on working days alone, or each week, is said so', async () => {
    const next = fractions(6);
    const working = Array.from({ length: 28 }, (_, at) => at).filter((at) => at % 7 < 5);
    const nights = working.flatMap((at) => job(begin + at * day + 2 * hour, next));
    expect(ofJob(await investigated([...office(28, next), ...nights]))).toMatchObject({
      every: 'day',
      times: 20,
      of: 28,
    });
  });

  test.each([4, 8, 16])('each Sunday in %i weeks is said so, and is no change', async (weeks) => {
    for (let seed = 1; seed <= rounds(6, 1); seed++) {
      const next = fractions(300 + seed);
      const sundays = Array.from({ length: weeks }, (_, week) =>
        job(begin + (7 * week + 6) * day + 3 * hour + next() * 5 * minute, next),
      );
      const found = await investigated([...office(7 * weeks, next), ...sundays.flat()]);
      expect(ofJob(found)).toMatchObject({ every: 'week', times: weeks, of: weeks, count: 12 * weeks });
      const { begin: last = 0, last: interval = { from: 0, to: 0 } } = ofJob(found) ?? {};
      expect(last - begin - (7 * weeks - 1) * day).toBeGreaterThanOrEqual(3 * hour);
      expect(last - begin - (7 * weeks - 1) * day).toBeLessThan(3 * hour + 6 * minute);
      expect(interval.from).toBeLessThanOrEqual(last);
      expect(interval.to).toBeGreaterThan(last);
      expect(found.changes).toEqual([]);
    }
  });

  test('each Sunday but one is said so; on half of the Sundays it does not recur', async () => {
    const next = fractions(8);
    const sundays = (weeks: readonly number[]) =>
      weeks.flatMap((week) => job(begin + (7 * week + 6) * day + 3 * hour, next));
    const [without, half] = [
      [0, 1, 2, 3, 5, 6, 7],
      [0, 2, 4, 7],
    ];
    const found = await investigated([...office(56, next), ...sundays(without)]);
    expect(ofJob(found)).toMatchObject({ every: 'week', times: 7, of: 8 });
    expect(ofJob(await investigated([...office(56, next), ...sundays(half)]))).toBeUndefined();
  });

  test('is neither what comes at any time, nor the working day, nor what came twice', async () => {
    for (let seed = 1; seed <= rounds(40, 4); seed++) {
      const next = fractions(100 + seed);
      const days = 5 + Math.floor(next() * 20);
      const anyTime = Array.from({ length: days }, () => job(begin + next() * days * day, next)).flat();
      const { recurring } = await investigated([...office(days, next), ...anyTime]);
      expect(recurring).toEqual([]);
    }
    const next = fractions(7);
    const twice = [3, 4].flatMap((at) => job(begin + at * day + 2 * hour, next));
    expect(ofJob(await investigated([...office(14, next), ...twice]))).toBeUndefined();
  });
});

describe('what grows over days', () => {
  const growing = (days: number, perDay: (at: number) => number, next: () => number): Log[] =>
    Array.from({ length: days }, (_, at) =>
      Array.from({ length: Math.round(perDay(at)) }, () => ({
        time: begin + at * day + next() * day,
        logLevel: 'SEVERE',
        logCode: 8252,
        source: 'Maps.MapServer',
        msg: 'The pool has no free connection.',
      })),
    ).flat();

  test('is found although no time differs from the next', async () => {
    const lost: number[] = [];
    const seeds = Array.from({ length: rounds(40, 4) }, (_, at) => at + 1);
    for (const seed of seeds) {
      const next = fractions(seed);
      const days = 8 + (seed % 14);
      const found = await investigated([
        ...office(days, next),
        ...growing(days, (at) => 4 + (30 * at) / days, next),
      ]);
      const { main } = found;
      if (!(main?.kind === 'more' && main.subject.type === 'code' && main.subject.code === '8252'))
        lost.push(seed);
    }
    expect(lost.length, lost.join()).toBeLessThanOrEqual(Math.ceil(seeds.length / 20));
  });

  /** Requests of a service that takes this many seconds, and half of that or more of it. */
  const requests = (days: number, secondsOf: (at: number) => number, next: () => number): Log[] =>
    Array.from({ length: days * 120 }, (_, index): Log => {
      const at = Math.floor(index / 120);
      return {
        time: begin + at * day + next() * day,
        logLevel: 'FINE',
        logCode: 100_004,
        source: 'Roads.MapServer',
        methodName: 'Export',
        msg: 'Export Map Image: size=256,256',
        elapsed: secondsOf(at) * (0.5 + next()),
      };
    });
  const latencies = ({ changes }: Investigation) =>
    changes.filter(({ subject }) => subject.type === 'latency');

  test('is found of the time that requests take, with its medians', async () => {
    const lost: number[] = [];
    const seeds = Array.from({ length: rounds(20, 3) }, (_, at) => at + 1);
    for (const seed of seeds) {
      const next = fractions(400 + seed);
      const days = 8 + (seed % 14);
      const found = await investigated([
        ...office(days, next),
        ...requests(days, (at) => 0.4 * 6 ** (at / days), next),
      ]);
      const [latency] = latencies(found);
      if (latency?.kind !== 'slower' || latency.subject.type !== 'latency') lost.push(seed);
      else {
        const { medianBefore, medianAfter, source } = latency.subject;
        expect(source).toBe('Roads.MapServer');
        expect(medianBefore).toBeLessThan(medianAfter);
      }
    }
    expect(lost.length, lost.join()).toBeLessThanOrEqual(Math.ceil(seeds.length / 20));
  });

  test('is no latency that stays, or that is longer on weekends', async () => {
    for (let seed = 1; seed <= rounds(20, 2); seed++) {
      const next = fractions(500 + seed);
      // The second weekend shows that the first one was no change.
      const days = 14 + (seed % 14);
      const same = requests(days, (at) => (5 <= at % 7 ? 0.8 : 0.5) + 0.05 * next(), next);
      expect(latencies(await investigated([...office(days, next), ...same]))).toEqual([]);
    }
  });

  test('is nothing where a rate stays, or only weekends differ', async () => {
    for (let seed = 1; seed <= rounds(40, 4); seed++) {
      const next = fractions(200 + seed);
      const days = 6 + (seed % 20);
      const same = growing(days, (at) => (5 <= at % 7 ? 6 : 16) + 5 * (next() - 0.5), next);
      expect((await investigated([...office(days, next), ...same])).changes).toEqual([]);
    }
  });
});

test.each([
  // The values that tables of Student's distribution give for 5 %, 1 % and 0.1 % on both sides.
  ...[[12.706, 1, 0.05] as const, [4.303, 2, 0.05] as const, [3.182, 3, 0.05] as const],
  ...[[4.604, 4, 0.01] as const, [4.032, 5, 0.01] as const, [3.707, 6, 0.01] as const],
  ...[[5.408, 7, 0.001] as const, [5.041, 8, 0.001] as const, [3.85, 20, 0.001] as const],
])('the tail of Student beyond %f of %i degrees of freedom is %f', (value, freedom, p) => {
  expect(studentTail(value, freedom) / p).toBeCloseTo(1, 2);
  expect(studentTail(1000 * value, freedom)).toBeLessThan(p);
  expect(studentTail(0, freedom)).toBe(1);
});

describe('short and strange cases', () => {
  const seriesOf = (counts: ArrayLike<number>): SubjectSeries => ({
    subject: { type: 'value', field: 'source', value: 'Backup' },
    counts,
    exposure: new Float64Array(counts.length).fill(1),
  });

  // A week of such intervals is more than memory holds: the search must not fold by it.
  test.each([1, 10, 100, 1000])('of 250 intervals of %i ms end, and nothing recurs', (length) => {
    const series = Array.from({ length: 300 }, () => seriesOf(new Float64Array(250).fill(1)));
    const buckets = { start: begin, length, count: 250 };
    expect(findRecurrences({ buckets, series }, 0.01)).toEqual([]);
  });

  test('of no interval and no series end', () => {
    const buckets = { start: begin, length: hour, count: 0 };
    expect(findRecurrences({ buckets, series: [seriesOf([])] }, 0.01)).toEqual([]);
    expect(findRecurrences({ buckets: { ...buckets, count: 100 }, series: [] }, 0.01)).toEqual([]);
  });

  const seconds = (length: number) =>
    Array.from(
      { length: 60 },
      (_, at): Log => ({
        time: begin + Math.floor((at * length) / 60),
        logLevel: at % 3 === 0 ? 'SEVERE' : 'FINE',
        logCode: 9000 + (at % 3),
        source: `source ${at % 2}`,
        msg: `Request ${at} was handled.`,
      }),
    );
  test.each([
    ['no log', [], 0],
    ['one log', [{ time: begin, logCode: 1, msg: 'a' }], 1],
    ['one log without a time', [{ logCode: 1, msg: 'a' }], 1],
    ['logs of one time', seconds(0), 60],
    ['logs of three milliseconds', seconds(3), 60],
    ['logs of three seconds', seconds(3000), 60],
    ['logs of a minute', seconds(60_000), 60],
    ['the earliest and the latest time', [{ time: -8.64e15 }, { time: 8.64e15 }], 2],
    ['times at 2^53', [{ time: begin }, { time: 2 ** 53 - 1 }, { time: -(2 ** 53) + 1 }], 3],
  ] as const)('with %s end, and nothing recurs', async (_, logs: readonly Log[], count) => {
    expect(await investigated(logs)).toMatchObject({ logs: count, recurring: [], changes: [] });
  });
});
