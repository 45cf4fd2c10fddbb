import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import { readCommandLine } from '../../src/cli/configuration/run-args.ts';
import { languageService, offlineOptions } from '../../src/language/index.ts';
import {
  commandOf,
  formatDuration,
  formatStart,
  formatTime,
  offsetOf,
  parseTime,
  shellWord,
  ticksOf,
  visible,
} from '../../src/page/format.ts';
import { firstState, pageViews } from '../../src/page/page-state.ts';
import { paintQuery, workingFixes } from '../../src/page/query-text.ts';
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
        expect(
          paintQuery(languageService(text, offlineOptions))
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      },
    ),
    { numRuns: rounds(1000) },
  );
});

test('a fix is offered only if it removes its finding', () => {
  const text = 'levle:a';
  const [finding] = languageService(text, offlineOptions).findings();
  if (!finding) throw new Error('There is no finding');
  const useless = { title: 'Add a space', edits: [{ from: text.length, to: text.length, insert: ' ' }] };
  const given = { ...finding, fixes: [useless, ...finding.fixes] };
  const check = (changed: string) => languageService(changed, offlineOptions).findings();
  const fixes = workingFixes(given, { text, findings: () => [given] }, check);
  expect(fixes.map(({ title }) => title)).toEqual(finding.fixes.map(({ title }) => title));
});

test('a finding at the end of the text is marked', () => {
  const text = 'msg:a AND';
  const marked = paintQuery(languageService(text, offlineOptions)).filter(({ look }) =>
    look.includes('q-error'),
  );
  expect(marked.length).toBeGreaterThan(0);
});

describe('times', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Tokyo', 'Australia/Lord_Howe'];

  test('are read back as they are written, also in the hour that a clock shows twice', () => {
    const time = fc.oneof(
      fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) }),
      // Nights of October, in which clocks of Europe are set back.
      fc
        .tuple(fc.integer({ min: 2000, max: 2035 }), fc.integer({ min: 24, max: 31 }), fc.nat(6 * 3_600_000))
        .map(([year, day, after]) => Date.UTC(year, 9, day, 23) + after),
    );
    fc.assert(
      fc.property(time, fc.constantFrom(...zones), fc.boolean(), (each, zone, isEnd) => {
        expect(parseTime(formatTime(each, zone), zone, isEnd)).toBe(each);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('of the beginning of an interval have no parts that are zero', () => {
    const starts = [0, 5000, 60_000, 500].map((after) =>
      formatStart(Date.UTC(2025, 2, 12, 8) + after, 'UTC'),
    );
    expect(starts).toEqual([
      '2025-03-12 08:00',
      '2025-03-12 08:00:05',
      '2025-03-12 08:01',
      '2025-03-12 08:00:00.500',
    ]);
  });

  test('have the offset of their day', () => {
    expect(offsetOf(Date.UTC(2025, 0, 1), 'Europe/Berlin')).toBe('+01:00');
    expect(offsetOf(Date.UTC(2025, 6, 1), 'Europe/Berlin')).toBe('+02:00');
  });

  test.each([
    ['2025-03-12', Date.UTC(2025, 2, 12)],
    ['2025-03-12 08:24:10.5', Date.UTC(2025, 2, 12, 8, 24, 10, 500)],
    ['2025-03-12T08:24+02:00', Date.UTC(2025, 2, 12, 6, 24)],
    ['-1000', -1000],
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

  test.each([
    // The hour occurs twice: the beginning of an interval is the first one, its end the second.
    ['2025-10-26 02:30', false, Date.UTC(2025, 9, 26, 0, 30)],
    ['2025-10-26 02:30', true, Date.UTC(2025, 9, 26, 1, 30, 59, 999)],
    ['2025-10-26 02:30 +02:00', true, Date.UTC(2025, 9, 26, 0, 30, 59, 999)],
    // The hour is skipped: the moment of the change.
    ['2025-03-30 02:30', false, Date.UTC(2025, 2, 30, 1)],
    ['2025-03-30', true, Date.UTC(2025, 2, 30, 21, 59, 59, 999)],
    ['2025-10-26', true, Date.UTC(2025, 9, 26, 22, 59, 59, 999)],
    ['2025-10', false, Date.UTC(2025, 8, 30, 22)],
  ])('%s, as an end %s, in Berlin', (text, isEnd, time) =>
    expect(parseTime(text, 'Europe/Berlin', isEnd)).toBe(time),
  );

  test('before now are read', () => {
    const age = Date.now() - (parseTime('now-2h', 'Europe/Berlin') ?? 0);
    expect(age).toBeGreaterThanOrEqual(7_200_000);
    expect(age).toBeLessThan(7_260_000);
  });

  test.each([
    [
      'days',
      Date.UTC(2025, 9, 24),
      Date.UTC(2025, 9, 29),
      6,
      ['2025-10-25', '2025-10-26', '2025-10-27', '2025-10-28', '2025-10-29'],
    ],
    [
      'the night of spring',
      Date.UTC(2025, 2, 29, 22),
      Date.UTC(2025, 2, 30, 5),
      9,
      ['23:00', '03-30', '01:00', '03:00', '04:00', '05:00', '06:00', '07:00'],
    ],
    [
      'the night of autumn',
      Date.UTC(2025, 9, 25, 22),
      Date.UTC(2025, 9, 26, 3),
      9,
      ['10-26', '01:00', '02:00', '02:00', '03:00', '04:00'],
    ],
    [
      'two-hour steps',
      Date.UTC(2025, 9, 25, 20),
      Date.UTC(2025, 9, 26, 7),
      7,
      ['22:00', '10-26', '02:00', '04:00', '06:00', '08:00'],
    ],
  ] as const)('have ticks on full %s of the clock, where it is changed', (_, from, to, most, labels) => {
    const ticks = ticksOf({ from, to, zone: 'Europe/Berlin' }, most);
    expect(ticks.map(({ label }) => label)).toEqual(labels);
  });

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

test.each(pageViews)('the command of the view %s can be called', (view) => {
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
    { paths: ['incident.duckdb'], span: { first: 0, last: 1000 } },
  );
  const words = [...command.matchAll(/'[^']*'|\S+/g)].map(([word]) => word.replaceAll("'", ''));
  expect(words[0]).toBe('logquarry');
  const called = readCommandLine(words.slice(1), commands, 80);
  // A command of a group, such as "note list", has a name of two words.
  const name = 'command' in called ? called.command.spec.name : '';
  expect([name !== '', command.startsWith(`logquarry ${name} `)]).toEqual([true, true]);
});
