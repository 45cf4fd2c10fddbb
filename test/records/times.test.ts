import { describe, expect, test } from 'vitest';
import { parseZone, readLogTime, utcClocks, type Zone } from '../../src/records/time.ts';

const morning = '2025-03-12T08:00:00.000Z';
const read = (value: unknown, zone: Zone = utcClocks) => {
  const found = readLogTime(value, zone);
  if (found === undefined || found === 'DATE_ORDER') return found;
  return [new Date(found.time).toISOString(), found.remark];
};

describe('times as other programs write them', () => {
  test.each([
    ['12.03.2025 08:00:00', morning, 'NO_ZONE'],
    ['12.3.2025, 8:00', morning, 'NO_ZONE'],
    ['12.03.2025 08:00:00,25', '2025-03-12T08:00:00.025Z', 'NO_ZONE'],
    ['3/13/2025 8:00:00 PM', '2025-03-13T20:00:00.000Z', 'NO_ZONE'],
    ['3/13/2025, 12:00:00.000 AM', '2025-03-13T00:00:00.000Z', 'NO_ZONE'],
    ['13/03/2025 08:00', '2025-03-13T08:00:00.000Z', 'NO_ZONE'],
    ['3/3/2025 08:00', '2025-03-03T08:00:00.000Z', 'NO_ZONE'],
    ['Mar 12, 2025 @ 08:00:00.000', morning, 'NO_ZONE'],
    ['March 12, 2025, 8:00 a.m.', morning, 'NO_ZONE'],
    ['/Date(1741766400000)/', morning, undefined],
    ['\\/Date(1741766400000+0100)\\/', morning, undefined],
    ['20250312T080000Z', morning, undefined],
    ['20250312T080000.000+0000', morning, undefined],
    ['20250312 0800', morning, 'NO_ZONE'],
    ['2025-03-12T09:00:00+01:00[Europe/Berlin]', morning, undefined],
    ['2025-03-12T09:00:00[Europe/Berlin]', morning, undefined],
    ['2025-03-12 09:00:00 Europe/Berlin', morning, undefined],
    ['2025-03-12 09:00:00 CET', morning, undefined],
    ['2025-03-12 08:00:00 UTC', morning, undefined],
    ['2025/03/12 8:00:00', morning, 'NO_ZONE'],
    ['12/Mar/2025:08:00:00 +0000', morning, undefined],
    ['12-Mar-2025 08:00:00.000', morning, 'NO_ZONE'],
    ['Wed, 12 Mar 2025 08:00:00 GMT', morning, undefined],
    ['Wed Mar 12 08:00:00 UTC 2025', morning, undefined],
    ['20250312080000', morning, 'ASSUMED_TIME'],
    [20250312080000, morning, 'ASSUMED_TIME'],
    ['20250312', '2025-03-12T00:00:00.000Z', 'ASSUMED_TIME'],
    ['20250312080000123', '2025-03-12T08:00:00.123Z', 'ASSUMED_TIME'],
    ['45728.333333333336', morning, 'ASSUMED_TIME'],
    ['45728,3333333333', morning, 'ASSUMED_TIME'],
    ['1.7417664E+12', morning, 'ASSUMED_TIME'],
    ['1,7417664E+12', morning, 'ASSUMED_TIME'],
    ['1741766400', morning, 'TIME_UNIT'],
    ['1741766400000000', morning, 'TIME_UNIT'],
    ['1741766400000000000', morning, 'TIME_UNIT'],
  ])('%s', (written, time, remark) => {
    expect(read(written)).toEqual([time, remark]);
  });

  test.each([
    ...[
      '31.02.2025 08:00',
      '13/13/2025',
      '3/13/2025 13:00 PM',
      '3/13/2025 0:00 AM',
      'Foo 12, 2025',
      '12.03.25',
    ],
    ...['2025-03-12 09:00:00 Nowhere/City', 'Wed Mar 12 08:00:00 2', '12:00:00', `1${' '.repeat(99)}x`],
  ])('%s is no time', (written) => {
    expect(read(written)).toBeUndefined();
  });
});

test('day and month that can be exchanged are asked for', () => {
  expect(read('03/04/2025 08:00')).toBe('DATE_ORDER');
  expect(read('03/04/2025 08:00', parseZone('UTC dmy'))).toEqual(['2025-04-03T08:00:00.000Z', 'NO_ZONE']);
  expect(read('03/04/2025 08:00', parseZone('UTC mdy'))).toEqual(['2025-03-04T08:00:00.000Z', 'NO_ZONE']);
  expect(read('3/4/2025 8:00:00 PM', parseZone('Europe/Berlin mdy'))).toEqual([
    '2025-03-04T19:00:00.000Z',
    'NO_ZONE',
  ]);
});

test('a unit that was given counts more than what digits look like', () => {
  expect(read('20250312080000', parseZone('UTC us'))).toEqual(['1970-08-23T09:05:12.080Z', undefined]);
  expect(read(45728.5, parseZone('UTC s'))).toEqual(['1970-01-01T12:42:08.500Z', undefined]);
});
