import { expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { run } from './run-in-process.ts';

const sample = 'samples/incident.ndjson';
const days = ['2025-03-11..2025-03-12', '2025-03-12..2025-03-13'];

/** The numbers of logs of both sides. */
async function sizes(...words: string[]): Promise<readonly (string | undefined)[]> {
  const { err } = await run(['diff', ...words]);
  return (/^([\d,]+) logs? before, ([\d,]+) after/.exec(err) ?? []).slice(1);
}

test.each(
  sampled(
    [
      [['--level', 'severe']],
      [['--source', 'Rest Catalog']],
      [['--code', '9003,9029']],
      [['--search', 'msg:service', '--user', 'svc-dashboard']],
    ],
    1,
  ),
)('compares the logs of both sides that %j selects', async (filters) => {
  const count = async (from: string, to: string) => {
    const [query = '*:*'] = filters.filter((_, index) => filters[index - 1] === '--search');
    const rest = filters.filter((each, index) => each !== '--search' && filters[index - 1] !== '--search');
    const words = ['search', `(${query}) AND time:["${from}" TO "${to}"}`, sample, '--count', ...rest];
    return (await run(words)).out.trim();
  };
  const ends = [
    ['2025-03-11', '2025-03-11T10:00'],
    ['2025-03-12', '2025-03-12T10:00'],
  ] as const;
  const expected = await Promise.all(ends.map(([from, to]) => count(from, to)));
  expect(await sizes(...ends.map((each) => each.join('..')), sample, ...filters)).toEqual(expected);
  expect(Number(expected[0]) + Number(expected[1])).toBeGreaterThan(0);
});

test('filters two sources too', async () => {
  expect(await sizes(sample, sample, '--level', 'SEVERE')).toEqual(['9', '9']);
});

test('reads the standard input for one side only', async () => {
  const { code, err } = await run(['diff', '-', '-'], { input: '{"msg":"a"}' });
  expect([code, err]).toEqual([2, expect.stringContaining('"-" can be given once')]);
});

test('cuts an interval to the time of the logs, says so, and refuses one without any', async () => {
  const line = (at: number, msg: string) =>
    JSON.stringify({ time: Date.UTC(2025, 2, 11, 12) + at * 60_000, logLevel: 'INFO', msg });
  // Ten logs an hour from noon on for a day and a half: the rate stays, although the first day is a half one.
  const input = Array.from({ length: 360 }, (_, at) => line(6 * at, 'Request was handled.'))
    .concat(Array.from({ length: 36 }, (_, at) => line(60 * at, 'Hourly.')))
    .join('\n');
  const { code, err, out } = await run(['diff', ...days, '-', '--json'], { input });
  expect(code).toBe(0);
  // Of the second day, the hours of the first one.
  expect(JSON.parse(out)).toMatchObject({
    before: 132,
    after: 132,
    groups: [],
    sameHours: {
      side: 'after',
      parts: [{ oldest: Date.UTC(2025, 2, 12, 12), newest: Date.UTC(2025, 2, 12, 23, 54) }],
    },
  });
  expect(err).toBe(
    'The interval BEFORE is cut to the time of the logs, for the rates: 2025-03-11 12:00:00.000 to 2025-03-11 23:59:59.999.\n' +
      'The interval AFTER is cut to the time of the logs, for the rates: 2025-03-12 00:00:00.000 to 2025-03-12 23:54:00.000.\n' +
      'Of AFTER, only the hours of BEFORE are compared, those of 1 day (2025-03-12 12:00:00.000 to 2025-03-12 23:54:00.000): other hours have other logs.\n',
  );
  const outside = await run(['diff', '2025-03-01..2025-03-02', '2025-03-12..2025-03-13', '-'], { input });
  expect([outside.code, outside.out]).toEqual([1, '']);
  expect(outside.err).toMatch(/The interval BEFORE is outside of all logs, which are from 2025-03-11 12:00/);
});

test('an afternoon is compared with the afternoons of the days before, not with their nights', async () => {
  const line = (hour: number, msg: string) =>
    JSON.stringify({ time: Date.UTC(2025, 2, 3) + hour * 3_600_000, logLevel: 'INFO', msg });
  // Users from 8 to 18 o'clock, a backup at 2; on the last day one thing more.
  const hours = Array.from({ length: 8 * 24 }, (_, hour) => hour);
  const input = hours
    .flatMap((hour) => {
      const ofDay = hour % 24;
      if (ofDay === 2) return Array.from({ length: 50 }, () => line(hour, 'Backup was written.'));
      if (ofDay < 8 || 18 <= ofDay) return [line(hour, 'Health was checked.')];
      return Array.from({ length: 20 }, (_, at) => line(hour + at / 20, 'Request was handled.'));
    })
    .concat(Array.from({ length: 30 }, (_, at) => line(7 * 24 + 14 + at / 30, 'Disk is full.')))
    .join('\n');
  const intervals = ['2025-03-03..2025-03-10', '2025-03-10T13:00..2025-03-10T17:00'];
  for (const [sides, side] of [
    [intervals, 'before'],
    [intervals.toReversed(), 'after'],
  ] as const) {
    const { code, out, err } = await run(['diff', ...sides, '-', '--json'], { input });
    expect(code).toBe(0);
    const { groups, sameHours } = JSON.parse(out);
    expect([sameHours.side, sameHours.parts.length]).toEqual([side, 7]);
    const named = groups.map(
      ({ differences: [first] }: { differences: { value: string }[] }) => first?.value,
    );
    expect(named).toEqual(['Disk is full.']);
    expect(err).toContain('only the hours of');
  }
  // Hours that no other day holds are compared as they are.
  const sameDay = ['2025-03-10T09:00..2025-03-10T13:00', '2025-03-10T13:00..2025-03-10T17:00'];
  const { out, err } = await run(['diff', ...sameDay, '-', '--json'], { input });
  expect(JSON.parse(out)).toMatchObject({ before: 80, after: 110 });
  expect(`${out}${err}`).not.toMatch(/sameHours|only the hours/);
});
