import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binomialTail, findClockOffsets } from '../../src/analysis/find-clock-offsets.ts';
import { investigate, trueOnsetOf } from '../../src/analysis/investigate.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import { withCases } from './with-cases.ts';

const begin = Date.UTC(2025, 2, 11, 9);

type Numbers = () => number;

/** Numbers from 0 to 1 of a seed: a Weyl sequence whose steps are hashed. */
function numbersOf(seed: number): Numbers {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
}

/** Milliseconds that a service takes: most a fraction of a second, few much longer. */
const usual = (next: Numbers) => 20 * Math.exp(2.5 * next() + (next() < 0.02 ? 5 * next() : 0));

interface Traffic {
  readonly seed: number;
  readonly requests: number;
  readonly services: number;
  /** Milliseconds that each clock is ahead, by its name; the gateway is `gate`. */
  readonly ahead?: Readonly<Record<string, number>>;
  readonly takes?: (next: Numbers, service: number, request: number) => number;
  readonly isMeasured?: boolean;
  readonly hosts?: boolean;
}

/** Requests that a gateway takes, one or two services answer, and the gateway ends. */
function trafficOf(of: Traffic): Log[] {
  const next = numbersOf(of.seed);
  const { takes = usual } = of;
  return Array.from({ length: of.requests }, (_, index): Log[] => {
    const start = begin + index * 4000 + Math.floor(next() * 4000);
    const requestID = `r-${of.seed}-${index}`;
    const logs: Log[] = [];
    const add = (name: string, time: number, more: Log = {}) =>
      logs.push({
        logLevel: 'FINE',
        requestID,
        ...(of.hosts ? { machine: name, source: 'pod' } : { source: name }),
        ...more,
        time: Math.round(time + (of.ahead?.[name] ?? 0)),
      });
    add('gate', start, { msg: 'Request arrives.' });
    let time = start + 5 + 20 * next();
    const calls = next() < 0.3 ? 2 : 1;
    for (let call = 0; call < calls; call++) {
      const service = (index + call) % of.services;
      const took = takes(next, service, index);
      if (next() < 0.7) add(`service ${service}`, time, { msg: 'Service begins.' });
      time += took;
      add(`service ${service}`, time, {
        msg: 'Service has answered.',
        ...(of.isMeasured && { elapsed: took / 1000 }),
      });
    }
    if (next() < 0.8) add('gate', time + 10 * next(), { msg: 'Request ends.' });
    return logs;
  }).flat();
}

const offsetsIn = (...logs: readonly (readonly Log[])[]) =>
  withCases(logs, (cases) => findClockOffsets(cases, { filter: matchAllFilter, logs: logs.flat().length }));

describe('a clock that is off', () => {
  test('is named with its offset and its requests, whatever its sign and size, in one case or two', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.nat(1e9),
          requests: fc.integer({ min: 60, max: 200 }),
          services: fc.integer({ min: 2, max: 5 }),
          isMeasured: fc.boolean(),
          size: fc.double({ min: 4, max: 8, noNaN: true }),
          isBehind: fc.boolean(),
          isSplit: fc.boolean(),
        }),
        async ({ size, isBehind, isSplit, ...of }) => {
          // From about eight seconds to a day.
          const offset = Math.round(10 ** size * (size < 4.5 ? 0.8 : 1) * (isBehind ? -1 : 1));
          const name = `service ${of.seed % of.services}`;
          const logs = trafficOf({ ...of, ahead: { [name]: offset } });
          const isOfName = ({ source }: Log) => source === name;
          const found = isSplit
            ? await offsetsIn(
                logs.filter(isOfName),
                logs.filter((log) => !isOfName(log)),
              )
            : await offsetsIn(logs);
          expect(found).toMatchObject([{ field: 'source', value: name, isMutual: false }]);
          const [{ ahead, requests, of: all } = { ahead: 0, requests: 0, of: 0 }] = found;
          expect(Math.abs(ahead - offset)).toBeLessThan(1000);
          const shared = new Set(logs.filter(isOfName).map(({ requestID }) => requestID)).size;
          expect(requests).toBeLessThanOrEqual(all);
          expect(all).toBeGreaterThanOrEqual(shared);
        },
      ),
      { numRuns: rounds(60, 6) },
    );
  });

  test('of the gateway is the one that differs from all services', async () => {
    const found = await offsetsIn(
      trafficOf({ seed: 7, requests: 120, services: 4, ahead: { gate: -420_000 } }),
    );
    expect(found).toMatchObject([{ value: 'gate', isMutual: false }]);
    expect(Math.abs((found[0]?.ahead ?? 0) + 420_000)).toBeLessThan(1000);
  });

  test('of one of only two sources is named, but not which of them is wrong', async () => {
    const found = await offsetsIn(trafficOf({ seed: 8, requests: 60, services: 1, ahead: { gate: 60_000 } }));
    expect(found).toMatchObject([{ isMutual: true }]);
    expect(Math.abs(Math.abs(found[0]?.ahead ?? 0) - 60_000)).toBeLessThan(1000);
  });

  test('of a host is named where sources are on several', async () => {
    const found = await offsetsIn(
      trafficOf({ seed: 9, requests: 120, services: 3, hosts: true, ahead: { 'service 1': 3_600_000 } }),
    );
    expect(found).toMatchObject([{ field: 'machine', value: 'service 1' }]);
  });
});

describe('clocks that agree', () => {
  const slow = (seconds: number, when: (service: number, request: number) => boolean) => {
    return (next: Numbers, service: number, request: number) =>
      when(service, request) ? 1000 * seconds : usual(next);
  };
  const kinds: Readonly<Record<string, Partial<Traffic>>> = {
    'usual calls': {},
    'one slow call': { takes: slow(300, (_, request) => request === 30) },
    'a source whose calls all take a varying minute': {
      takes: (next, service) => (service === 1 ? 60_000 * -Math.log(next()) : usual(next)),
    },
    'a source whose calls all take much the same time, as measured': {
      takes: (next, service) => (service === 1 ? 40_000 + 500 * next() : usual(next)),
      isMeasured: true,
    },
    'timeouts of just 30 s in half of the calls': {
      takes: slow(30, (service, request) => service === 1 && request % 4 === 1),
    },
  };
  test.each(Object.entries(kinds))('are not named with %s', async (_, kind) => {
    for (let seed = 1; seed <= rounds(25, 3); seed++)
      expect(await offsetsIn(trafficOf({ seed, requests: 120, services: 3, ...kind }))).toEqual([]);
  });

  test('are not named by failures alone, all after the same timeout', async () => {
    const logs = Array.from({ length: 100 }, (_, index): Log[] => [
      { time: begin + index * 50_000, source: 'gate', requestID: `r${index}`, logLevel: 'FINE' },
      { time: begin + index * 50_000 + 30_004, source: 'proxy', requestID: `r${index}`, logLevel: 'SEVERE' },
    ]).flat();
    expect(await offsetsIn(logs)).toEqual([]);
  });

  test.each([
    ['no log', []],
    ['one log', [{ time: begin, source: 'a', requestID: 'r' }]],
    [
      'logs of one time',
      Array.from({ length: 40 }, (_, at) => ({ time: begin, source: `s${at % 3}`, requestID: `r${at % 9}` })),
    ],
    ['no requests', trafficOf({ seed: 1, requests: 40, services: 2 }).map(({ requestID, ...log }) => log)],
    [
      'times at the edge of what can be said',
      [
        { time: -8e15, source: 'a', requestID: 'r' },
        { time: 8e15, source: 'b', requestID: 'r' },
      ],
    ],
  ] as const)('are not named with %s', async (_, logs: readonly Log[]) => {
    expect(await offsetsIn(logs)).toEqual([]);
  });
});

describe('lead times', () => {
  const minute = 60_000;
  /** Failures of the gateway from 13:07; those of a service a minute later by a correct clock. */
  const failures = (name: string, ahead: number, first: number): Log[] =>
    Array.from({ length: 100 }, (_, at) => ({
      time: first + at * minute + ahead,
      source: name,
      logLevel: name === 'gate' ? 'SEVERE' : 'WARNING',
      logCode: name === 'gate' ? 8252 : 7615,
      msg: name === 'gate' ? 'The service does not answer.' : 'No instance is free.',
    }));
  const first = begin + 247 * minute;

  test.each([0, -7 * minute, 20 * minute, -3 * 60 * minute])(
    'do not come from a clock that is %i ms ahead',
    async (ahead) => {
      const traffic = trafficOf({
        seed: 3,
        requests: 6000,
        services: 3,
        ahead: { 'service 1': ahead },
      });
      const logs = [
        ...traffic,
        ...failures('gate', 0, first),
        ...failures('service 1', ahead, first + minute),
      ];
      const { main, firstSign, clocks } = await withCases([logs], (cases) =>
        investigate(cases, { filter: matchAllFilter, requested: [] }),
      );
      expect(clocks.map(({ value }) => value)).toEqual(ahead === 0 ? [] : ['service 1']);
      expect(main?.subject).toMatchObject({ code: '8252' });
      expect(main && trueOnsetOf(main)).toBe(first);
      expect(firstSign).toBeUndefined();
    },
  );
});

test('binomial tails are sums of exact terms', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
  for (const [k, n, p] of [
    [0, 5, 0.3],
    [5, 5, 0.3],
    [3, 10, 1 / 3],
    [9, 12, 0.5],
    [1, 1, 0.9],
  ] as const) {
    let sum = 0;
    for (let at = k; at <= n; at++) sum += choose(n, at) * p ** at * (1 - p) ** (n - at);
    expect(binomialTail(k, n, p)).toBeCloseTo(sum, 12);
  }
});
