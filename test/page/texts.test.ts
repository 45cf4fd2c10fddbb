import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../../src/cli/command-line/command-line.ts';
import { commands } from '../../src/cli/command-table.ts';
import { checkQuery, offlineOptions } from '../../src/lint/check-query.ts';
import { commandOf, shellWord } from '../../src/page/format/command.ts';
import { formatDuration, formatTime, offsetOf, parseTime } from '../../src/page/format/times.ts';
import { visible } from '../../src/page/format/visible.ts';
import { paint } from '../../src/page/query/paint.ts';
import { ticksOf } from '../../src/page/search/ticks.ts';
import { firstState, views } from '../../src/page/state/page-state.ts';
import { rounds } from '../effort.ts';

test('the painted pieces of a query are its text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.stringMatching(/^[a:()"\\ANDOR *[\]TO]{0,20}$/),
      ),
      (text) => {
        const { findings } = checkQuery(text, offlineOptions);
        expect(
          paint(text, findings)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      },
    ),
    { numRuns: rounds(1000) },
  );
});

test('a finding at the end of the text is marked', () => {
  const text = 'msg:a AND';
  const marked = paint(text, checkQuery(text, offlineOptions).findings).filter(({ look }) =>
    look.includes('q-error'),
  );
  expect(marked.length).toBeGreaterThan(0);
});

describe('times', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Tokyo', 'Australia/Lord_Howe'];

  test('are read back as they are written, but for the hour that a clock shows twice', () => {
    const time = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(time, fc.constantFrom(...zones), (each, zone) => {
        const written = formatTime(each, zone);
        const read = parseTime(written, zone) ?? Number.NaN;
        expect(formatTime(read, zone)).toBe(written);
        expect(Math.abs(read - each)).toBeLessThanOrEqual(3_600_000);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('have the offset of their day', () => {
    expect(offsetOf(Date.UTC(2025, 0, 1), 'Europe/Berlin')).toBe('+01:00');
    expect(offsetOf(Date.UTC(2025, 6, 1), 'Europe/Berlin')).toBe('+02:00');
  });

  test.each([
    ['2025-03-12', Date.UTC(2025, 2, 12)],
    ['2025-03-12 08:24:10.5', Date.UTC(2025, 2, 12, 8, 24, 10, 500)],
    ['2025-03-12T08:24+02:00', Date.UTC(2025, 2, 12, 6, 24)],
    ['yesterday', undefined],
    ['2025-13-01', undefined],
  ])('%s is %j', (text, time) => expect(parseTime(text, 'UTC')).toBe(time));

  test.each([
    [5, '5 ms'],
    [1_500, '1.50 s'],
    [90_000, '1 min 30 s'],
    [7_200_000, '2 h'],
    [90_000_000, '1 d 1 h'],
  ])('%i ms are %s', (length, text) => expect(formatDuration(length)).toBe(text));

  test('have ticks within the axis, on the clock of the zone', () => {
    const [from, to] = [Date.UTC(2025, 2, 12, 3, 7), Date.UTC(2025, 2, 13, 9, 1)];
    const ticks = ticksOf({ from, to, zone: 'Asia/Kolkata' }, 12);
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks.every(({ time }) => from <= time && time <= to)).toBe(true);
    expect(ticks.map(({ label }) => label)).toContain('12:00');
  });
});

test('hidden characters are shown as escapes, and nothing else is changed', () => {
  expect(visible('a\u202eb\u200b\u0000\ud800\u{e0041}')).toBe(
    'a\\u{202e}b\\u{200b}\\u{0}\\u{d800}\\u{e0041}',
  );
  expect(visible('tab\tline\n“ü” 日本 👩‍🚒'.replaceAll('\u200d', ''))).toBe('tab\tline\n“ü” 日本 👩🚒');
});

test('a word for a shell is one word', () => {
  expect(shellWord("it's $(rm)")).toBe(`'it'\\''s $(rm)'`);
  expect(shellWord('a.duckdb')).toBe('a.duckdb');
});

test.each(views)('the command of the view %s can be called', (view) => {
  const command = commandOf(
    {
      ...firstState,
      view,
      q: 'msg:timeout',
      from: 0,
      to: 1000,
      request: 'r1',
      sql: 'SELECT',
      before: '2025-01-01~2025-01-02',
    },
    ['incident.duckdb'],
  );
  const words = [...command.matchAll(/'[^']*'|\S+/g)].map(([word]) => word.replaceAll("'", ''));
  expect(words[0]).toBe('logquarry');
  const called = readCommandLine(words.slice(1), commands, 80);
  // A command of a group, such as "note list", has a name of two words.
  const name = 'command' in called ? called.command.spec.name : '';
  expect([name !== '', command.startsWith(`logquarry ${name} `)]).toEqual([true, true]);
});
