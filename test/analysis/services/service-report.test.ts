import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ServiceGroup,
  type ServiceReport,
  serviceReport,
} from '../../../src/analysis/service-report.ts';
import { openCase } from '../../../src/case/file/case.ts';
import { addFile } from '../../../src/case/loading/add-files.ts';
import { countSources } from '../../../src/case/searching/count-logs.ts';
import { matchAllFilter } from '../../../src/language/meaning/filter.ts';
import type { Log } from '../../../src/records/log.ts';
import { parseTimeZone } from '../../../src/records/time.ts';
import { rounds } from '../../effort.ts';
import { filterOf, withCases } from '../with-cases.ts';

const filter = matchAllFilter;
const hour = 3_600_000;

const reportOf = (logs: readonly (readonly Log[])[], options = {}) =>
  withCases(logs, (cases) => serviceReport(cases, { filter, ...options }));

const groupOf = ({ groups }: ServiceReport, service: string): ServiceGroup | undefined =>
  groups.find(({ key }) => key.service === service);

describe('a service report', () => {
  const logs: readonly Log[] = [
    { time: 1000, source: 'A', logCode: 100004, logLevel: 'FINE', requestID: 'r1', elapsed: 1 },
    { time: 1010, source: 'Rest', logCode: 9999, logLevel: 'FINE', requestID: 'r1', elapsed: 1.2 },
    { time: 2000, source: 'Rest', logCode: 9999, logLevel: 'FINE', requestID: 'r2', elapsed: 4 },
    { time: 2500, source: 'Rest', logCode: 9999, logLevel: 'FINE', elapsed: 6 },
    { time: 3000, source: 'A', logCode: 100004, logLevel: 'FINE', requestID: 'r3', elapsed: 3 },
    { time: 3100, source: 'A', logCode: 9003, logLevel: 'SEVERE', requestID: 'r4', msg: 'Error' },
    { time: 3200, source: 'Admin', logCode: 1180, logLevel: 'FINE', elapsed: 100 },
    { source: 'A', logCode: 9000, logLevel: 'warning', msg: 'Bad' },
  ];

  test('counts a request once: its full time only where no service logged its own', async () => {
    const report = await reportOf([logs]);
    expect(report.total).toMatchObject({
      logs: 8,
      requests: 4,
      errors: 1,
      warnings: 1,
      first: 1000,
      last: 3200,
    });
    expect(report.total.elapsed).toMatchObject({ sum: 14, min: 1, max: 6, p50: 3.5, mean: 3.5 });
    expect(report.groups.map(({ key }) => key.service)).toEqual(['Rest', 'A', 'Admin']);
    expect(groupOf(report, 'A')).toMatchObject({ requests: 2, errors: 1, share: 0.5, sumShare: 4 / 14 });
    expect(groupOf(report, 'Admin')).not.toHaveProperty('elapsed');
    expect(report.background).toBe(1);
    expect(report.slowest.map(({ took, request }) => [took, request])).toEqual([
      [6, undefined],
      [4, 'r2'],
      [3, 'r3'],
      [1, 'r1'],
    ]);
    expect(report.responses.filter(({ count }) => 0 < count)).toEqual([
      { from: 1, to: 3, count: 1 },
      { from: 3, to: 10, count: 3 },
    ]);
    expect(report.errors).toMatchObject([
      { level: 'SEVERE', code: 9003, count: 1, first: 3100, last: 3100, source: 'A', message: 'Error' },
      { level: 'WARNING', code: 9000, count: 1, first: undefined, last: undefined },
    ]);
    // r2 began 4 s before its log, in the minute before the epoch.
    expect(report.arrivals).toEqual({
      of: 'measured',
      requests: 4,
      perMinute: 2,
      busiest: { start: -60_000, count: 2 },
    });
  });

  test('one request is one request, whatever was measured in it', async () => {
    const of = (requestID: string) => ({ requestID, source: 'A', time: 1 });
    const steps: readonly Log[] = [
      { ...of('r1'), logCode: 10021, logLevel: 'VERBOSE', elapsed: 0.4 },
      { ...of('r1'), logCode: 10138, logLevel: 'INFO', elapsed: 9 },
      { ...of('r1'), logCode: 10011, logLevel: 'FINE', elapsed: 0.7 },
      { ...of('r1'), logCode: 100004, logLevel: 'FINE', elapsed: 0.8 },
      { ...of('r1'), logCode: 100004, logLevel: 'FINE', elapsed: 1.8 },
      { ...of('r1'), logCode: 7615, msg: "Wait time for 'A' service request is 500 milliseconds." },
      { ...of('r1'), logCode: 9526, logLevel: 'FINE', source: 'Soap', elapsed: 2 },
      { ...of('r2'), logCode: 10011, logLevel: 'FINE', elapsed: 0.5 },
      { ...of('r2'), logCode: 10021, logLevel: 'FINE', elapsed: 0.25 },
      { ...of('r3'), logCode: 9999, logLevel: 'FINE', elapsed: 4 },
      { ...of('r3'), logCode: 10021, logLevel: 'FINE', elapsed: 5 },
    ];
    const { total, slowest } = await reportOf([steps]);
    expect(total.requests).toBe(3);
    expect(slowest.map(({ request, took }) => [request, took])).toEqual([
      ['r3', 4],
      ['r1', 1.8],
      ['r2', 0.5],
    ]);
  });

  test('keeps a time beyond all calendars in the statistics, and out of the arrivals', async () => {
    const report = await reportOf([
      [
        { time: 1e12, source: 'A', logCode: 100004, logLevel: 'FINE', requestID: 'a', elapsed: 1e13 },
        { time: 1e12, source: 'A', logCode: 100004, logLevel: 'FINE', requestID: 'b', elapsed: 1e300 },
        { time: 1e12, source: 'A', logCode: 100004, logLevel: 'FINE', requestID: 'c', elapsed: 1 },
      ],
    ]);
    expect(report.total.elapsed).toMatchObject({ count: 3, max: 1e300 });
    expect(report.arrivals).toMatchObject({
      requests: 1,
      busiest: { start: Math.floor((1e12 - 1000) / 60_000) * 60_000 },
    });
  });

  test('has no times where none was measured, and the arrivals by their logs', async () => {
    const arrived = { logCode: 9029, logLevel: 'INFO', source: 'Rest' };
    const report = await reportOf([
      [
        { ...arrived, time: 0 },
        { ...arrived, time: 30_000, elapsed: 0 },
        { ...arrived, time: 180_000, requestID: 'a', elapsed: -1 },
        { time: 1, requestID: 'a', elapsed: 0 },
      ],
    ]);
    expect(report.total).toEqual({ logs: 4, requests: 0, errors: 0, warnings: 0, first: 0, last: 180_000 });
    expect(report.groups[0]).not.toHaveProperty('share');
    expect([report.responses, report.slowest]).toEqual([[], []]);
    expect(report.arrivals).toEqual({
      of: 'logged',
      requests: 3,
      perMinute: 0.75,
      busiest: { start: 0, count: 2 },
    });
  });

  test('of no logs is empty', async () => {
    expect(await reportOf([[]])).toEqual({
      by: ['service'],
      groups: [],
      background: 0,
      responses: [],
      slowest: [],
      errors: [],
      total: { logs: 0, requests: 0, errors: 0, warnings: 0 },
    });
  });

  test('takes waits from their messages, jobs without a time from theirs', async () => {
    const wait = { logCode: 7615, source: 'A', requestID: 'r', time: 0 };
    const report = await reportOf([
      [
        { ...wait, elapsed: 0.25, msg: "Wait time for 'A' service request is 250 milliseconds." },
        { ...wait, msg: "Wait time for 'A' service request is 1250,5 milliseconds." },
        { ...wait, msg: "Wait time for 'A' service request is 0 milliseconds." },
        { ...wait, elapsed: 2, msg: 'Die Wartezeit beträgt 2000 Millisekunden.' },
        { ...wait, msg: 'nothing' },
        { logCode: 7718, source: 'A', msg: "Job 'j1' completed. Elapsed time '1500' ms." },
        { logCode: 7718, source: 'A', elapsed: 7, msg: "Job 'j1' completed. Elapsed time '1500' ms." },
        { logCode: 7718, source: 'A', msg: 'Job completed.' },
      ],
    ]);
    expect(report.total.wait).toMatchObject({
      count: 4,
      min: 0,
      max: 2,
      mean: expect.closeTo(3.5005 / 4, 9),
    });
    expect(report.total.elapsed).toMatchObject({ count: 2, sum: 8.5 });
  });

  test('groups by several keys, hours in order of time, logs without one last', async () => {
    const at = (time: number, elapsed: number): Log => ({ time, source: 'A', requestID: `${time}`, elapsed });
    const { groups } = await reportOf(
      [[at(2 * hour, 9), at(-1, 1), at(-hour, 2)], [{ source: 'A', requestID: 'x', elapsed: 50 }]],
      { by: ['hour', 'service'] },
    );
    expect(groups.map(({ key, requests }) => [key.hour, key.service, requests])).toEqual([
      [-hour, 'A', 2],
      [2 * hour, 'A', 1],
      [undefined, 'A', 1],
    ]);
  });

  test('begins days and hours by the clocks of a zone', async () => {
    const zone = parseTimeZone('Europe/Berlin');
    const at = (time: string): Log => ({ time: Date.parse(time), requestID: time, elapsed: 1 });
    // Clocks were set forward at 01:00Z: the second day has 23 hours.
    const logs = [
      '2025-03-29T22:59:59Z',
      '2025-03-29T23:00:00Z',
      '2025-03-30T21:59:59Z',
      '2025-03-30T22:00:00Z',
    ];
    const startsOf = async (key: 'day' | 'hour' | 'minute') => {
      const { groups } = await reportOf([logs.map(at)], { by: [key], zone });
      return groups.map((group) => [
        new Date(Number(group.key[key])).toISOString().slice(8, 16),
        group.requests,
      ]);
    };
    expect(await startsOf('day')).toEqual([
      ['28T23:00', 1],
      ['29T23:00', 2],
      ['30T22:00', 1],
    ]);
    expect(await startsOf('hour')).toEqual([
      ['29T22:00', 1],
      ['29T23:00', 1],
      ['30T21:00', 1],
      ['30T22:00', 1],
    ]);
    expect((await startsOf('minute')).at(0)).toEqual(['29T22:59', 1]);
    const kathmandu = await reportOf([[at('2025-01-01T00:20:00Z')]], {
      by: ['hour'],
      zone: parseTimeZone('Asia/Kathmandu'),
    });
    expect(kathmandu.groups.map(({ key }) => key.hour)).toEqual([Date.parse('2025-01-01T00:15:00Z')]);
  });

  test('selects by the filter', async () => {
    const report = await reportOf([logs], { filter: filterOf('source:Rest AND logCode:9999') });
    // The times of services are not selected, so that all full times count.
    expect(report.total).toMatchObject({ logs: 3, requests: 3 });
  });

  test('reads milliseconds of code 9999 at level INFO, whatever the format', async () => {
    const members = { code: 9999, source: 'Rest', time: 1 };
    const json = [
      { ...members, logLevel: 'INFO', elapsed: 1250 },
      { ...members, logLevel: 'FINE', elapsed: 2 },
    ];
    const xml =
      '<Msg time="2022-05-22T10:11:12,65" type="INFO" code="9999" source="Rest" elapsed="1250">a</Msg>\n' +
      '<Msg time="2022-05-22T10:11:12,65" type="FINE" code="9999" source="Rest" elapsed="2">a</Msg>';
    for (const text of [json.map((each) => JSON.stringify(each)).join('\n'), xml]) {
      await using into = await openCase(':memory:', { access: 'write' });
      await addFile(into, { name: 'logs', bytes: new TextEncoder().encode(text) });
      const { total } = await serviceReport([into], { filter });
      expect(total.elapsed).toMatchObject({ count: 2, min: 1.25, max: 2 });
      // The table of sources in a report has the same unit.
      const sources = await countSources(into, filter, { limit: 1 });
      expect(sources.values).toMatchObject([{ measured: 2, median: 1.625, longest: 2 }]);
    }
  });
});

/** Times at the edges: none, zero, tiny, equal, huge. */
const elapsed = fc.oneof(
  fc.constantFrom(undefined, 0, 0.001, 3, 60, 1e-9, 1e9),
  fc.double({ min: 0, max: 100, noNaN: true }),
);
const log: fc.Arbitrary<Log> = fc
  .record({
    time: fc.option(fc.integer({ min: -2 * hour, max: 2 * hour }), { nil: undefined }),
    source: fc.constantFrom(undefined, 'A', 'B', "C'; DROP"),
    username: fc.constantFrom(undefined, 'ann', 'bob'),
    logLevel: fc.constantFrom('SEVERE', 'WARNING', 'FINE', undefined),
    logCode: fc.constantFrom(100004, 9999, 9526, 10011, 10138, 7615, 7718, 1180, undefined),
    requestID: fc.constantFrom(undefined, 'r1', 'r2', 'r3'),
    elapsed,
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));

/** The times of requests by the rules of the report, computed without SQL: a request has the log of the last pass that finds one. */
function measuredOf(cases: readonly (readonly Log[])[]): readonly (readonly [Log, number])[] {
  return cases.flatMap((logs) => {
    const timed = logs.filter((each) => 0 < (each.elapsed ?? 0) && each.logCode !== 7615);
    const of = new Map<string, Log>();
    for (const codes of [undefined, [7718], [9999, 9526], [100004]]) {
      const found = new Map<string, Log>();
      for (const each of timed) {
        const { requestID, elapsed = 0, logCode = 0 } = each;
        if (requestID === undefined || (codes && !codes.includes(Number(logCode)))) continue;
        if ((found.get(requestID)?.elapsed ?? 0) < elapsed) found.set(requestID, each);
      }
      for (const [requestID, each] of found) of.set(requestID, each);
    }
    const single = timed.filter(
      ({ requestID, logCode = 0 }) =>
        requestID === undefined && [100004, 9999, 9526, 7718].includes(Number(logCode)),
    );
    return [...of.values(), ...single].map((each) => [each, each.elapsed ?? 0] as const);
  });
}

/** A percentile by counting: the smallest values that are interpolated, as R does by default. */
function percentileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = 1 + (sorted.length - 1) * share;
  const lower = Math.trunc(rank);
  const [low, high] = [sorted[lower - 1] ?? 0, sorted[Math.min(lower, sorted.length - 1)] ?? 0];
  return (1 - (rank - lower)) * low + (rank - lower) * high;
}

test('agrees with a computation over the logs, and its groups add up to the total', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(log, { maxLength: 25 }), { minLength: 1, maxLength: 2 }), (logs) =>
      withCases(logs, async (cases) => {
        const report = await serviceReport(cases, { filter, by: ['service', 'user'], slowest: 5 });
        const all = logs.flat();
        const measured = measuredOf(logs);
        const sum = (of: (group: ServiceGroup) => number) =>
          report.groups.reduce((n, each) => n + of(each), 0);
        expect(sum((each) => each.logs)).toBe(all.length);
        expect(report.total.logs).toBe(all.length);
        expect(sum((each) => each.errors)).toBe(all.filter((each) => each.logLevel === 'SEVERE').length);
        expect(sum((each) => each.requests)).toBe(measured.length);
        const ids = logs.map((each) => new Set(each.flatMap(({ requestID }) => requestID ?? [])).size);
        const withoutId = all.filter(({ requestID }) => requestID === undefined).length;
        expect(report.total.requests).toBeLessThanOrEqual(ids.reduce((a, b) => a + b, 0) + withoutId);
        expect(report.responses.reduce((n, { count }) => n + count, 0)).toBe(measured.length);
        expect(report.errors.reduce((n, { count }) => n + count, 0)).toBe(
          report.total.errors + report.total.warnings,
        );
        expect(report.slowest.map(({ took }) => took)).toEqual(
          measured
            .map(([, took]) => took)
            .sort((a, b) => b - a)
            .slice(0, 5),
        );
        for (const group of report.groups) {
          const { service, user } = group.key;
          const own = measured
            .filter(([{ source, username }]) => source === service && username === user)
            .map(([, took]) => took);
          expect(group.requests).toBe(own.length);
          if (!group.elapsed) continue;
          const mean = own.reduce((n, took) => n + took, 0) / own.length;
          const expected = {
            min: Math.min(...own),
            max: Math.max(...own),
            mean,
            sum: mean * own.length,
            p50: percentileOf(own, 0.5),
            p75: percentileOf(own, 0.75),
            p90: percentileOf(own, 0.9),
            p95: percentileOf(own, 0.95),
            p99: percentileOf(own, 0.99),
            ...(1 < own.length && {
              deviation: Math.sqrt(own.reduce((n, took) => n + (took - mean) ** 2 / (own.length - 1), 0)),
            }),
          };
          expect(Object.keys(group.elapsed).sort()).toEqual(['count', ...Object.keys(expected)].sort());
          for (const [name, value] of Object.entries(expected)) {
            const found = group.elapsed[name as keyof typeof expected];
            expect(Math.abs((found ?? Number.NaN) - value)).toBeLessThanOrEqual(
              1e-9 * Math.max(1, mean, value),
            );
          }
        }
      }),
    ),
    { numRuns: rounds(60, 6) },
  );
});
