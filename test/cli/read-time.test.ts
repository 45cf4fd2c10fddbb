import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { optionFlag, readTime, timeOption } from '../../src/cli/command-line/option.ts';
import { formatTimeToSecond } from '../../src/cli/output/member-lines.ts';
import { formatTime } from '../../src/cli/terminal/time-format.ts';
import { parseDate } from '../../src/language/meaning/values.ts';
import { rounds } from '../effort.ts';

const now = Date.parse('2025-03-12T10:20:30.400Z');
const first = (text: string) => readTime(text, { roundUp: false, now });
const last = (text: string) => readTime(text, { roundUp: true, now });
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

test.each([
  ['now', '2025-03-12T10:20:30.400Z'],
  ['now-7d', '2025-03-05T10:20:30.400Z'],
  ['now-1d/d', '2025-03-11T00:00:00.000Z'],
  ['today', '2025-03-12T00:00:00.000Z'],
  ['Yesterday', '2025-03-11T00:00:00.000Z'],
  ['tomorrow', '2025-03-13T00:00:00.000Z'],
  ['yesterday 08:00', '2025-03-11T08:00:00.000Z'],
  ['today 08:00+02:00', '2025-03-12T06:00:00.000Z'],
  ['2025', '2025-01-01T00:00:00.000Z'],
  ['2025-03', '2025-03-01T00:00:00.000Z'],
  ['2025-03-12', '2025-03-12T00:00:00.000Z'],
  ['2025-03-12 08:00', '2025-03-12T08:00:00.000Z'],
  [' 2025-03-12  08:00 ', '2025-03-12T08:00:00.000Z'],
  ['2025-03-12 08:00:01.5', '2025-03-12T08:00:01.500Z'],
  ['2025-03-12 08:00:01,005', '2025-03-12T08:00:01.005Z'],
  ['2025-03-12 08:00:01.123456789012', '2025-03-12T08:00:01.123Z'],
  ['2025-03-12 08:00 UTC', '2025-03-12T08:00:00.000Z'],
  ['2025-03-12 08:00:00.123 (UTC)', '2025-03-12T08:00:00.123Z'],
  ['2025-03-12t08:00:00z', '2025-03-12T08:00:00.000Z'],
  ['2025-03-12 08:00:00Z', '2025-03-12T08:00:00.000Z'],
  ['2025-03-12T08:00:00+02:00', '2025-03-12T06:00:00.000Z'],
  ['2025-03-12 08:00:00.25 -0330', '2025-03-12T11:30:00.250Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['1741767850123', '2025-03-12T08:24:10.123Z'],
  ['0', '1970-01-01T00:00:00.000Z'],
  ['-1000', '1969-12-31T23:59:59.000Z'],
])('the time "%s" is %s', (text, expected) => {
  expect(iso(first(text))).toBe(expected);
});

test.each([
  ['today', '2025-03-12T23:59:59.999Z'],
  ['yesterday', '2025-03-11T23:59:59.999Z'],
  ['2025-03-12', '2025-03-12T23:59:59.999Z'],
  ['2024-02', '2024-02-29T23:59:59.999Z'],
  ['2024', '2024-12-31T23:59:59.999Z'],
  ['2025-03-12 08', '2025-03-12T08:59:59.999Z'],
  ['2025-03-12 08:00', '2025-03-12T08:00:59.999Z'],
  ['2025-03-12 08:00:01.5', '2025-03-12T08:00:01.500Z'],
  ['now', '2025-03-12T10:20:30.400Z'],
])('the end of "%s" is %s', (text, expected) => {
  expect(iso(last(text))).toBe(expected);
});

test.each([
  ...['', ' ', 'soon', 'yesterdays', 'today-1d', '08:00', '2025-3-12', '2025-02-29', '2025-03-12 24:00'],
  ...['2025-03-12 8:00', '2025-03-12 08:60', '12.03.2025', 'now-', 'now-7', '1e3', '2025-03-12 08:00 CET'],
])('"%s" is no time', (text) => {
  expect(first(text)).toBeUndefined();
  expect(() => timeOption('TIME', '').read([text], optionFlag('from'))).toThrow(
    `--from must be a time such as 2025-03-12, "2025-03-12 08:30", 2025-03-12T08:30+02:00, today, yesterday, now-2h or milliseconds since 1970, got "${text}"`,
  );
});

/** Times of four-digit years, at midnight or month ends as often as within a day. */
const time = fc.oneof(
  fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 11, 31) }),
  fc
    .tuple(fc.integer({ min: -10_000, max: 40_000 }), fc.constantFrom(-1, 0, 1))
    .map(([days, shift]) => days * 86_400_000 + shift),
);

describe('a time that this program prints', () => {
  test('is read as itself', () => {
    fc.assert(
      fc.property(time, (each) => {
        expect(first(formatTime(each))).toBe(each);
        expect(last(formatTime(each))).toBe(each);
        expect(first(new Date(each).toISOString())).toBe(each);
        expect(first(formatTimeToSecond(each))).toBe(Math.floor(each / 1_000) * 1_000);
        // Histograms leave off what an interval does not need.
        for (const [cut, unit] of [
          [4, 1_000],
          [7, 60_000],
          [13, 86_400_000],
        ] as const) {
          const start = Math.floor(each / unit) * unit;
          expect(first(formatTime(each).slice(0, -cut))).toBe(start);
          expect(last(formatTime(each).slice(0, -cut))).toBe(start + unit - 1);
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  test('every date of the query language is read as there', () => {
    const text = fc.oneof(
      time.map((each) => new Date(each).toISOString()),
      time.map((each) => new Date(each).toISOString().slice(0, 10)),
      time.map(String),
      fc.constantFrom('now-1d/d', 'now/M', '2025-03-12||/M', '2025-03-12T08:30||+1h'),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (each, roundUp) => {
        expect(readTime(each, { roundUp, now })).toBe(parseDate(each, { roundUp, now }));
      }),
      { numRuns: rounds(300) },
    );
  });
});
