import { describe, expect, test } from 'vitest';
import { parseZone, toTime } from '../../src/records/time.ts';
import { toLog } from '../../src/records/to-log.ts';

function inZone(name: string, reading: string): string | undefined {
  const time = toTime(reading, parseZone(name));
  return time === undefined ? undefined : new Date(time).toISOString();
}

describe('the time that a clock without a zone meant', () => {
  test.each([
    ['UTC', '2022-05-22T10:00:00', '2022-05-22T10:00:00.000Z'],
    ['+02:00', '2022-05-22T10:00:00', '2022-05-22T08:00:00.000Z'],
    ['-0330', '2022-05-22T10:00:00', '2022-05-22T13:30:00.000Z'],
    ['Europe/Berlin', '2022-05-22T10:00:00', '2022-05-22T08:00:00.000Z'],
    ['Europe/Berlin', '2022-01-22T10:00:00', '2022-01-22T09:00:00.000Z'],
    // Clocks were set forward from 2:00 to 3:00.
    ['Europe/Berlin', '2022-03-27T01:59:59', '2022-03-27T00:59:59.000Z'],
    ['Europe/Berlin', '2022-03-27T03:00:00', '2022-03-27T01:00:00.000Z'],
    ['Europe/Berlin', '2022-03-27T02:30:00', '2022-03-27T01:30:00.000Z'],
    // Clocks were set back from 3:00 to 2:00: 2:30 came twice.
    ['Europe/Berlin', '2022-10-30T02:30:00', '2022-10-30T00:30:00.000Z'],
    ['Europe/Berlin', '2022-10-30T03:00:00', '2022-10-30T02:00:00.000Z'],
    ['Asia/Kathmandu', '2022-05-22T10:00:00,65', '2022-05-22T04:15:00.065Z'],
    ['America/Los_Angeles', '2022-11-06T01:30:00', '2022-11-06T08:30:00.000Z'],
    ['Europe/Berlin', '2022-05-22T10:00:00Z', '2022-05-22T10:00:00.000Z'],
    ['Europe/Berlin', '1653213600000', '2022-05-22T10:00:00.000Z'],
    ['Europe/Berlin', '0000-01-01T00:00:00', '-000001-12-31T23:00:00.000Z'],
    ['Europe/Berlin', '9999-12-31T23:00:00', '9999-12-31T22:00:00.000Z'],
  ])('%s, %s', (name, reading, time) => {
    expect(inZone(name, reading)).toBe(time);
  });

  test.each([
    'nowhere',
    'Europe/Nowhere',
    '',
    '+2',
    '../etc',
    '+99:99',
    '+18:01',
    '-19',
    '+01:60',
    'UTC h',
    'UTC ',
  ])('there is no zone "%s"', (name) => {
    expect(parseZone(name)).toBeUndefined();
  });

  test('every minute of a year is read back as the clock showed it', () => {
    const zone = parseZone('Europe/Berlin');
    const shown = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    for (let reading = Date.UTC(2022, 0); reading < Date.UTC(2023, 0); reading += 17 * 60_000) {
      const iso = new Date(reading).toISOString();
      // The hour that was left out is shown by no clock.
      if (iso.startsWith('2022-03-27T02')) continue;
      expect(shown.format(zone?.(reading))).toBe(iso.slice(0, 19).replace('T', ' '));
    }
  });
});

test('that a zone was assumed is remarked', () => {
  expect(toLog({ time: '2022-05-22T10:00:00', msg: 'a' }).remarks).toEqual([
    { code: 'NO_ZONE', field: 'time' },
  ]);
  for (const time of ['2022-05-22T10:00:00Z', 1, '1', '2022-05-22T10:00+02:00'])
    expect(toLog({ time, msg: 'a' }).remarks).toBeUndefined();
});

test('a time whose offset no clock has is no time', () => {
  expect(toLog({ time: '2022-05-22T10:00:00+99:99', msg: 'a' })).toEqual({
    log: { msg: 'a' },
    extra: { time: '2022-05-22T10:00:00+99:99' },
    remarks: [{ code: 'WRONG_TYPE', field: 'time' }],
  });
  expect(toLog({ time: '2022-05-22T10:00:00-18:00' }).log.time).toBe(Date.UTC(2022, 4, 23, 4));
});

describe('times that are numbers', () => {
  const time = Date.UTC(2025, 2, 12, 8, 0, 0, 123);

  test.each([
    ['UTC s', 1741766400.123],
    ['UTC s', '1741766400.123'],
    ['UTC ms', 1741766400123],
    ['Europe/Berlin us', 1741766400123999],
    ['+02:00 ns', Number('1741766400123000000')],
    ['UTC ns', '1741766400123999999'],
  ])('are read in the unit of "%s", and nothing is assumed: %j', (name, written) => {
    expect(toLog({ time: written }, parseZone(name))).toEqual({ log: { time } });
  });

  test('are remarked on where they cannot be milliseconds and no unit is given', () => {
    const remarks = [{ code: 'TIME_UNIT', field: 'time' }];
    expect(toLog({ time: 1741766400 })).toEqual({ log: { time: Date.UTC(2025, 2, 12, 8) }, remarks });
    expect(toLog({ time: 1741766400123456 })).toEqual({ log: { time: 1741766400123 }, remarks });
    expect(toLog({ time: 1741766400123 }).remarks).toBeUndefined();
    expect(toLog({ time: '2025-03-12T09:00:00.123' }, parseZone('Europe/Berlin us')).log.time).toBe(time);
  });
});
