import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CorrelatedEvent,
  type CorrelationHit,
  type CorrelationTest,
  compareEvents,
  correlate,
  joinHits,
} from '../../src/analysis/detect.ts';
import { rounds } from '../effort.ts';

const event = (time: number, id: number, more: Partial<CorrelatedEvent> = {}): CorrelatedEvent => ({
  time,
  id,
  case: 0,
  rule: 0,
  value: null,
  ...more,
});
const at = (...times: readonly number[]) => times.map((time, index) => event(time, index));

describe('a correlation', () => {
  test('counts events in windows that begin at any of them', () => {
    const count: CorrelationTest = { type: 'event_count', timespan: 10, rules: 1, limits: { gte: 3 } };
    expect(correlate(at(0, 9, 10, 11, 30), count)).toEqual([
      { from: 0, to: 2 },
      { from: 1, to: 3 },
    ]);
    expect(joinHits(correlate(at(0, 9, 10, 11, 30, 31, 32), count))).toEqual([
      { from: 0, to: 3 },
      { from: 4, to: 6 },
    ]);
  });

  test('finds silences, as long as the timespan or longer, where no event satisfies it', () => {
    const silence: CorrelationTest = { type: 'event_count', timespan: 10, rules: 1, limits: { lt: 1 } };
    expect(correlate(at(0, 10, 21), silence)).toEqual([{ from: 1, to: 2, isSilence: true }]);
  });

  test('with an upper limit is judged by all events that fit, not by some of them', () => {
    const exactly = (eq: number): CorrelationTest => ({
      type: 'event_count',
      timespan: 10,
      rules: 1,
      limits: { eq },
    });
    expect(correlate(at(0, 1, 2, 3, 4), exactly(3))).toEqual([]);
    expect(correlate(at(0, 1, 2, 3, 4), exactly(5))).toEqual([{ from: 0, to: 4 }]);
    expect(correlate(at(0, 5, 10, 15, 40), exactly(3))).toEqual([
      { from: 0, to: 2 },
      { from: 1, to: 3 },
    ]);
  });

  test('computes numbers of values, of each log once', () => {
    const values = (...list: readonly string[]) => list.map((value, at) => event(at, at, { value }));
    const holds = (
      type: CorrelationTest['type'],
      limits: CorrelationTest['limits'],
      list = ['1', '2', '9'],
    ) =>
      correlate(values(...list), {
        type,
        timespan: 10,
        rules: 1,
        percentile: 90,
        ...(limits && { limits }),
      }).at(-1)?.to;
    expect(holds('value_sum', { eq: 12 })).toBe(2);
    expect(holds('value_avg', { eq: 4 })).toBe(2);
    expect(holds('value_median', { eq: 2 })).toBe(2);
    // Rank 1.8 of 0 to 2.
    expect(holds('value_percentile', { gte: 7.59, lte: 7.61 })).toBe(2);
    // Texts and missing values are no zeroes, and nothing at all has no number.
    expect(holds('value_avg', { eq: 5 }, ['5', 'x', '', ' '])).toBe(3);
    expect(holds('value_sum', { eq: 0 }, ['x', ''])).toBeUndefined();
    const twice = [
      event(0, 1, { value: '5' }),
      event(0, 1, { value: '7', rule: 1 }),
      event(30, 2, { value: '1' }),
    ];
    const sum: CorrelationTest = { type: 'value_sum', timespan: 10, rules: 2, limits: { lte: 5 } };
    expect(correlate(twice, sum)).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 2 },
    ]);
    const median: CorrelationTest = { ...sum, type: 'value_median', limits: { lte: 1 } };
    expect(correlate(twice, median)).toEqual([{ from: 2, to: 2 }]);
    // What a large value left behind would hide the small ones.
    const large = [
      event(0, 1, { value: '1e20' }),
      event(50, 2, { value: '0.001' }),
      event(51, 3, { value: '0.002' }),
    ];
    const small: CorrelationTest = {
      type: 'value_sum',
      timespan: 10,
      rules: 1,
      limits: { gte: 0.0029, lte: 0.0031 },
    };
    expect(correlate(large, small)).toEqual([{ from: 1, to: 2 }]);
  });

  test('in order counts every log of its first rule that fits', () => {
    const ordered: CorrelationTest = { type: 'temporal_ordered', timespan: 10, rules: 2 };
    const many = [event(0, 1), event(4, 2), event(5, 3), event(9, 4, { rule: 1 }), event(11, 5, { rule: 1 })];
    expect(correlate(many, ordered)).toEqual([
      { from: 0, to: 3 },
      { from: 1, to: 4 },
    ]);
  });

  test('in order takes a log of its own for each rule', () => {
    const ordered: CorrelationTest = { type: 'temporal_ordered', timespan: 10, rules: 2 };
    const same = [event(0, 1), event(0, 1, { rule: 1 })];
    expect(correlate(same, ordered)).toEqual([]);
    expect(correlate([...same, event(5, 2, { rule: 1 })], ordered)).toEqual([{ from: 0, to: 2 }]);
  });

  /** Events of few times, ids and values, so that ties and repeated values occur. */
  const events = fc
    .array(
      fc.record({
        time: fc.nat(30),
        id: fc.nat(6),
        case: fc.nat(1),
        rule: fc.nat(2),
        value: fc.constantFrom('1', '2.5', '-4', 'c', null),
      }),
      { maxLength: 14 },
    )
    // A log has one time.
    .map((list) => list.map((each) => ({ ...each, id: 10 * each.time + each.id })).sort(compareEvents));
  const tests = fc.record({
    type: fc.constantFrom(
      'event_count' as const,
      'value_count' as const,
      'value_sum' as const,
      'value_avg' as const,
      'value_percentile' as const,
      'value_median' as const,
      'temporal' as const,
      'temporal_ordered' as const,
    ),
    timespan: fc.integer({ min: 1, max: 12 }),
    limits: fc.constantFrom({ gte: 2 }, { gt: 2, lte: 3 }, { eq: 1 }, { lt: 2 }, { lt: 1 }, { eq: 0 }),
  });

  test('holds where a slow reading of the definition says so', () => {
    fc.assert(
      fc.property(events, tests, (list, { type, timespan, limits }) => {
        const isOrdered = type === 'temporal_ordered';
        const test: CorrelationTest = {
          type,
          timespan,
          rules: 3,
          percentile: 75,
          ...(!isOrdered && type !== 'temporal' && { limits }),
        };
        const ends = correlate(list, test).filter(({ isSilence }) => !isSilence);
        expect(new Set(ends.map(({ to }) => list[to]))).toEqual(
          new Set(slowEnds(list, test).map((to) => list[to])),
        );
        const silent = correlate(list, test).filter(({ isSilence }) => isSilence);
        expect(silent.map(({ from }) => from)).toEqual(slowSilences(list, test));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test('is joined where hits share an event, and no event is lost', () => {
    fc.assert(
      fc.property(events, tests, (list, { type, timespan, limits }) => {
        const hits = correlate(list, { type, timespan, limits, rules: 3 });
        const covered = (ranges: readonly CorrelationHit[]) =>
          list.map((_, index) =>
            ranges.some(({ from, to, isSilence }) => !isSilence && from <= index && index <= to),
          );
        const joined = joinHits(hits);
        expect(covered(joined)).toEqual(covered(hits));
        const plain = joined.filter(({ isSilence }) => !isSilence);
        for (const [index, hit] of plain.entries())
          expect(hit.from).toBeGreaterThan(plain[index - 1]?.to ?? -1);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});

function accepts(count: number, { limits, rules }: CorrelationTest): boolean {
  if (!limits) return count === rules;
  const { gt = -99, gte = -99, lt = 99, lte = 99, eq = count } = limits;
  return gt < count && gte <= count && count < lt && count <= lte && count === eq;
}

/** The last events of each millisecond whose window satisfies the condition; of sequences, every last event. */
function slowEnds(events: readonly CorrelatedEvent[], test: CorrelationTest): readonly number[] {
  const keyOf = (each: CorrelatedEvent) => `${each.case} ${each.id}`;
  return events.flatMap((last, to) => {
    const window = events.filter(({ time }) => last.time - test.timespan <= time && time <= last.time);
    if (test.type === 'temporal_ordered') {
      if (last.rule !== 2) return [];
      const before = (a: CorrelatedEvent, b: CorrelatedEvent) =>
        keyOf(a) !== keyOf(b) && compareEvents(a, b) < 0;
      const found = window.some(
        (first) =>
          first.rule === 0 &&
          window.some((second) => second.rule === 1 && before(first, second) && before(second, last)),
      );
      return found ? [to] : [];
    }
    if (events[to + 1]?.time === last.time) return [];
    const { lt, lte, eq } = test.limits ?? {};
    const hasUpper = [lt, lte, eq].some((each) => each !== undefined);
    const latest = (window[0]?.time ?? 0) + test.timespan;
    if (hasUpper && events.some(({ time }, index) => to < index && time <= latest)) return [];
    if (numeric.test(test.type)) {
      const logs = new Map<string, number>();
      for (const each of window)
        if (/^-?[\d.]+$/.test(each.value ?? '') && !logs.has(keyOf(each)))
          logs.set(keyOf(each), Number(each.value));
      const number = slowNumber([...logs.values()], test.type);
      return number !== undefined && accepts(number, test) ? [to] : [];
    }
    const counted: readonly unknown[] =
      test.type === 'temporal'
        ? window.map(({ rule }) => rule)
        : test.type === 'value_count'
          ? window.flatMap(({ value }) => value ?? [])
          : window.map(keyOf);
    return accepts(new Set(counted).size, test) ? [to] : [];
  });
}

const numeric = /^value_(?!count)/;

/** By other rules than the code's: a percentile is where the values, joined by lines, reach it. */
function slowNumber(values: readonly number[], type: string): number | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, each) => total + each, 0);
  if (type === 'value_sum') return sum;
  if (type === 'value_avg') return sum / values.length;
  const sorted = values.toSorted((a, b) => a - b);
  const place = (type === 'value_median' ? 0.5 : 0.75) * (sorted.length - 1);
  const near = sorted.map((each, at) => each * Math.max(0, 1 - Math.abs(place - at)));
  return near.reduce((total, each) => total + each, 0);
}

function slowSilences(events: readonly CorrelatedEvent[], test: CorrelationTest): readonly number[] {
  if (test.type !== 'event_count' || !accepts(0, test)) return [];
  return events.flatMap(({ time }, index) => {
    const next = events[index + 1];
    return next && test.timespan < next.time - time ? [index] : [];
  });
}
