import fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodAt, periodKinds, periodNamed, periodsIn } from '../../src/collect/periods.ts';
import { caseName, periodOfCase } from '../../src/collect/store.ts';

test('a period is named by its day, its week or its month', () => {
  const time = Date.parse('2026-11-29T23:59:59.999Z');
  expect(periodKinds.map((kind) => periodAt(time, kind).name)).toEqual(['2026-11-29', '2026-W48', '2026-11']);
  expect(periodAt(time + 1, 'week').name).toBe('2026-W49');
  expect(periodAt(Date.parse('2027-01-03T00:00:00Z'), 'week').name).toBe('2026-W53');
});

test('every time is in one period, which is read from its name', () => {
  const time = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') });
  fc.assert(
    fc.property(time, fc.constantFrom(...periodKinds), (time, kind) => {
      const period = periodAt(time, kind);
      expect(periodNamed(period.name)).toEqual(period);
      expect(period.oldest <= time && time <= period.newest).toBe(true);
      expect(periodAt(period.newest + 1, kind).oldest).toBe(period.newest + 1);
      expect(periodOfCase('gis', caseName('gis', period))).toEqual(period);
    }),
  );
});

test('the periods of an interval are all of it, in order', () => {
  const from = Date.parse('2026-11-28T12:00:00Z');
  const names = periodsIn({ oldest: from, newest: from + 2 * 86_400_000 }, 'day').map(({ name }) => name);
  expect(names).toEqual(['2026-11-28', '2026-11-29', '2026-11-30']);
});

test.each(['2026-13-01', '2026-02-30', '2026-W54', '2026-W00', '2026-11-29.wal', '26-11-29', ''])(
  '"%s" names no period',
  (name) => {
    expect(periodNamed(name)).toBeUndefined();
    expect(periodOfCase('gis', `gis-${name}.duckdb`)).toBeUndefined();
  },
);

test('a case of another source is none', () => {
  expect(periodOfCase('gis', 'gis-west-2026-11-29.duckdb')).toBeUndefined();
});
