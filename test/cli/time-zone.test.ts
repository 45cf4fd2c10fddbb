import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketStarts, histogram } from '../../src/analysis/histogram.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { readTime } from '../../src/cli/command-line/option.ts';
import { formatSecond, formatTime } from '../../src/cli/terminal/time-format.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { parseTimeZone, type TimeZone, utcZone } from '../../src/records/time.ts';
import { rounds } from '../effort.ts';
import { run } from './run-in-process.ts';

const named = (name: string): TimeZone => parseTimeZone(name) ?? utcZone;
const berlin = named('Europe/Berlin');
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

/** Zones with changes by an hour, by half an hour, at midnight, by a day, and without any. */
const zone = fc
  .constantFrom(
    ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia'],
    ...['Asia/Kathmandu', '+05:20', '-03:30', 'UTC'],
  )
  .map(named);

/** Changes of these zones, in UTC. */
const changes = [
  ...['2025-03-30T01:00Z', '2025-10-26T01:00Z', '2025-03-09T07:00Z', '2025-11-02T06:00Z'],
  ...[
    '2025-04-05T15:00Z',
    '2025-10-04T15:30Z',
    '2025-09-07T04:00Z',
    '2025-04-06T03:00Z',
    '2011-12-30T10:00Z',
  ],
].map(Date.parse);

/** Times within a day of a change, many at full minutes, and any others. */
const time = fc.oneof(
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -1500, max: 1500 }), fc.constantFrom(-1, 0, 1))
    .map(([change, minutes, shift]) => change + minutes * 60_000 + shift),
  fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2099, 11) }),
);

describe('a time in Berlin', () => {
  const now = Date.parse('2025-03-30T10:20:30.400Z');

  test.each([
    ['2025-03-30', '2025-03-29T23:00:00.000Z', '2025-03-30T21:59:59.999Z'],
    ['2025-10-26', '2025-10-25T22:00:00.000Z', '2025-10-26T22:59:59.999Z'],
    ['2025-03', '2025-02-28T23:00:00.000Z', '2025-03-31T21:59:59.999Z'],
    ['2025', '2024-12-31T23:00:00.000Z', '2025-12-31T22:59:59.999Z'],
    ['today', '2025-03-29T23:00:00.000Z', '2025-03-30T21:59:59.999Z'],
    ['yesterday', '2025-03-28T23:00:00.000Z', '2025-03-29T22:59:59.999Z'],
    ['today 08:00', '2025-03-30T06:00:00.000Z', '2025-03-30T06:00:59.999Z'],
    // A day of the calendar, and a length.
    ['now-1d', '2025-03-29T11:20:30.400Z', '2025-03-29T11:20:30.400Z'],
    ['now-24h', '2025-03-29T10:20:30.400Z', '2025-03-29T10:20:30.400Z'],
    ['now/d', '2025-03-29T23:00:00.000Z', '2025-03-30T21:59:59.999Z'],
    ['now-12h/h', '2025-03-29T22:00:00.000Z', '2025-03-29T22:59:59.999Z'],
    // Skipped: the moment of the change.
    ['2025-03-30 02:30', '2025-03-30T01:00:00.000Z', '2025-03-30T00:59:59.999Z'],
    // Twice: from the first one, up to the second one.
    ['2025-10-26 02:30', '2025-10-26T00:30:00.000Z', '2025-10-26T01:30:59.999Z'],
    ['2025-03-30T02:30Z', '2025-03-30T02:30:00.000Z', '2025-03-30T02:30:59.999Z'],
    ['2025-10-26 02:30:00.000 +01:00', '2025-10-26T01:30:00.000Z', '2025-10-26T01:30:00.000Z'],
    ['1741767850123', '2025-03-12T08:24:10.123Z', '2025-03-12T08:24:10.123Z'],
  ])('"%s" begins at %s and ends at %s', (text, first, last) => {
    expect(iso(readTime(text, { roundUp: false, now, zone: berlin }))).toBe(first);
    expect(iso(readTime(text, { roundUp: true, now, zone: berlin }))).toBe(last);
  });

  test.each([
    [Date.parse('2025-03-30T00:59:59.999Z'), '2025-03-30 01:59:59.999 +01:00'],
    [Date.parse('2025-03-30T01:00:00Z'), '2025-03-30 03:00:00.000 +02:00'],
    [8.64e15, '+275760-09-13 00:00:00.000 +00:00'],
    [Date.parse('1900-06-01T00:00:00Z'), '1900-06-01 01:00:00.000 +01:00'],
  ])('%d is shown as %s', (at, text) => {
    expect(formatTime(at, berlin)).toBe(text);
  });
});

test('a time shown in any zone is read as itself', () => {
  fc.assert(
    fc.property(time, zone, fc.boolean(), (at, shownIn, roundUp) => {
      expect(readTime(formatTime(at, shownIn), { roundUp, now: 0, zone: shownIn })).toBe(at);
      const second = Math.floor(at / 1000) * 1000;
      expect(readTime(formatSecond(at, shownIn), { roundUp: false, now: 0, zone: shownIn })).toBe(second);
    }),
    { numRuns: rounds(500) },
  );
});

test('a range selects exactly the logs that are shown with a time in it', () => {
  const text = (at: number, shownIn: TimeZone) => formatTime(at, shownIn).slice(0, 16);
  fc.assert(
    fc.property(time, time, zone, (limit, at, shownIn) => {
      // The wall clock of UTC is any reading, skipped ones included.
      const reading = text(limit, utcZone);
      const from = readTime(reading, { roundUp: false, now: 0, zone: shownIn }) ?? 0;
      const to = readTime(reading, { roundUp: true, now: 0, zone: shownIn }) ?? 0;
      // In the hour that occurs twice, both times of the reading are in the range.
      if (at < from) expect(text(at, shownIn) < reading || isRepeated(at, shownIn)).toBe(true);
      else if (text(at, shownIn) < reading) expect(isRepeated(at, shownIn)).toBe(true);
      if (text(at, shownIn) === reading) expect(from <= at && at <= to).toBe(true);
    }),
    { numRuns: rounds(1000) },
  );
});

/** True within a day of a moment at which clocks are set back. */
function isRepeated(at: number, { offsetAt }: TimeZone): boolean {
  return offsetAt(at + 86_400_000) < offsetAt(at - 86_400_000);
}

const [hour, day] = [3_600_000, 86_400_000];

test('days and hours of a histogram follow the clocks', () => {
  const span = { first: Date.parse('2025-10-25T12:00Z'), last: Date.parse('2025-10-27T12:00Z') };
  expect(bucketStarts({ ...span, every: day }, berlin).map((start) => formatTime(start, berlin))).toEqual([
    '2025-10-25 00:00:00.000 +02:00',
    '2025-10-26 00:00:00.000 +02:00',
    '2025-10-27 00:00:00.000 +01:00',
    '2025-10-28 00:00:00.000 +01:00',
  ]);
  const night = { first: Date.parse('2025-10-25T23:30Z'), last: Date.parse('2025-10-26T02:30Z') };
  expect(bucketStarts({ ...night, every: hour }, berlin).map((start) => formatSecond(start, berlin))).toEqual(
    [
      ...['2025-10-26 01:00:00 +02:00', '2025-10-26 02:00:00 +02:00', '2025-10-26 02:00:00 +01:00'],
      ...['2025-10-26 03:00:00 +01:00', '2025-10-26 04:00:00 +01:00'],
    ],
  );
});

test('the counts of a histogram in a zone are those of its intervals', async () => {
  const lengths = fc.constantFrom(60_000, hour / 4, hour / 2, hour, 2 * hour, 6 * hour, day, 7 * day);
  await fc.assert(
    fc.asyncProperty(
      fc.array(time, { minLength: 1, maxLength: 6 }),
      zone,
      lengths,
      async (times, { name }, every) => {
        fc.pre((Math.max(...times) - Math.min(...times)) / every < 5000);
        await using into = await openCase(':memory:', { access: 'write' });
        await addLogs(
          into,
          times.map((at) => ({ time: at })),
          { part: 'all' },
        );
        const { buckets } = await histogram([into], matchAllFilter, { every, zone: name });
        const starts = buckets.map(({ start }) => start);
        const counts = starts.map((start, index) => {
          const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
          return times.filter((at) => start <= at && at < end).length;
        });
        expect(buckets.map(({ count }) => count)).toEqual(counts);
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        expect(starts[0]).toBeLessThanOrEqual(Math.min(...times));
        if (every === day)
          for (const start of starts)
            expect(formatTime(start - 1, named(name)).slice(0, 10)).not.toBe(
              formatTime(start, named(name)).slice(0, 10),
            );
      },
    ),
    { numRuns: rounds(40) },
  );
});

describe('--zone of commands', () => {
  let folder = '';
  let path = '';
  const logs = [
    { time: Date.parse('2025-03-29T22:59:59.999Z'), logLevel: 'INFO', msg: 'saturday' },
    { time: Date.parse('2025-03-29T23:00:00Z'), logLevel: 'SEVERE', msg: 'sunday', logCode: 9003 },
    { time: Date.parse('2025-03-30T01:00:00Z'), logLevel: 'SEVERE', msg: 'summer time', logCode: 9003 },
    { time: Date.parse('2025-03-30T22:00:00Z'), logLevel: 'INFO', msg: 'monday' },
  ];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zone-test-'));
    path = join(folder, 'case.duckdb');
    await writeFile(join(folder, 'logs.ndjson'), logs.map((log) => `${JSON.stringify(log)}\n`).join(''));
    await run(['import', join(folder, 'logs.ndjson'), '--into', path]);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const inBerlin = ['--zone', 'Europe/Berlin'];

  test('shows times with their offset, and reads a day of the zone', async () => {
    const { out, code } = await run([
      'search',
      '*:*',
      path,
      '--from',
      '2025-03-30',
      '--to',
      '2025-03-30',
      ...inBerlin,
    ]);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.slice(0, 34).trimEnd())).toEqual([
      'id  time (Europe/Berlin)',
      ' 3  2025-03-30 03:00:00.000 +02:00',
      ' 2  2025-03-30 00:00:00.000 +01:00',
      '',
    ]);
    expect((await run(['search', '*:*', path, '--from', '2025-03-30', '--to', '2025-03-30'])).out).toContain(
      'monday',
    );
  });

  test('draws days of 23 hours', async () => {
    const { out } = await run(['histogram', path, '--every', '1d', ...inBerlin]);
    expect(out.split('\n').map((line) => line.replace(/ +█.*/, ''))).toEqual([
      'time (Europe/Berlin)  logs',
      '2025-03-29               1',
      '2025-03-30               2',
      '2025-03-31               1',
      '',
    ]);
  });

  test.each([
    [['show', '3'], 'time      2025-03-30 03:00:00.000 +02:00\n'],
    [['overview'], '2025-03-29 23:59:59 +01:00 to 2025-03-31 00:00:00 +02:00\n'],
    [['overview'], 'first severe (Europe/Berlin)'],
    [['search', 'sunday', '--markdown'], '| time (Europe/Berlin) |'],
    [['top', 'logLevel', '--from', '2025-03-31'], '1  100.0 %  INFO'],
    [['diff', '2025-03-29..2025-03-30', '2025-03-30..2025-03-31'], ''],
  ])('%j', async (words, expected) => {
    const { out, code } = await run([...words, path, ...inBerlin]);
    expect(out).toContain(expected);
    expect(code).toBe(0);
  });

  test('compares the days of the zone', async () => {
    const { err } = await run([
      'diff',
      '2025-03-29..2025-03-30',
      '2025-03-30..2025-03-31',
      path,
      ...inBerlin,
    ]);
    expect(err).toContain('1 log before, 2 after');
  });

  test('leaves data for programs in UTC', async () => {
    const { out } = await run(['search', 'summer', path, '--csv', ...inBerlin]);
    expect(out).toContain('2025-03-30T01:00:00.000Z');
  });

  test('is the zone of this machine with "local"', async () => {
    const { out } = await run(['search', 'summer', path, '--zone', 'local']);
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(out).toContain(`time (${own})`);
  });

  test.each(['Mars', '', '+25:00', 'UTC us'])('refuses "%s"', async (name) => {
    const { code, err } = await run(['search', '*:*', path, '--zone', name]);
    expect(code).toBe(2);
    expect(err).toBe(
      `error: --zone must be local, UTC, an offset from -18:00 to +18:00 such as +02:00, or a name such as Europe/Berlin, got "${name}"\n`,
    );
  });

  test('comes from the configuration too', async () => {
    const configured = join(folder, 'config');
    await mkdir(join(configured, 'logquarry'), { recursive: true });
    await writeFile(join(configured, 'logquarry', 'config.json'), '{"search": {"zone": "+05:20"}}');
    const { out } = await run(['search', 'summer', path], { environment: { XDG_CONFIG_HOME: configured } });
    expect(out).toContain('2025-03-30 06:20:00.000 +05:20');
  });

  test('reads logs without a zone by --log-zone only', async () => {
    const file = join(folder, 'local.ndjson');
    await writeFile(file, '{"time":"2025-03-12 09:00:00","msg":"a"}\n');
    const shown = await run(['search', 'a', file, '--log-zone', 'Europe/Berlin', '--zone', '+03:00']);
    expect(shown.out).toContain('2025-03-12 11:00:00.000 +03:00');
    const assumed = await run(['search', 'a', file, ...inBerlin]);
    expect(assumed.out).toContain('2025-03-12 10:00:00.000 +01:00');
    expect(assumed.err).toContain('names no zone and was read as UTC; --log-zone sets another.');
  });
});
