import { describe, expect, test } from 'vitest';
import { fieldAliases } from '../../src/records/log.ts';
import { toTime } from '../../src/records/time.ts';
import { toLog } from '../../src/records/to-log.ts';

const withoutPrototype = (members: object) => Object.assign(Object.create(null), members);

test.each<[string, Record<string, unknown>, ReturnType<typeof toLog>]>([
  [
    'the names of the interface',
    { time: 5, logCode: 9003, msg: 'a' },
    { log: { time: 5, logCode: 9003, msg: 'a' } },
  ],
  [
    'the names of the classic log line',
    { time: '5', type: 'INFO', code: '9029', user: 'maria', requestID: 'r', text: 'x' },
    {
      log: { time: 5, logLevel: 'INFO', logCode: 9029, username: 'maria', requestID: 'r' },
      extra: withoutPrototype({ text: 'x' }),
    },
  ],
  [
    'any case and joint',
    { 'Log-Level': 'INFO', REQUEST_ID: 'r', message: 'a' },
    { log: { logLevel: 'INFO', requestID: 'r', msg: 'a' } },
  ],
  ['empty values', { msg: '', user: null, code: '', elapsed: '', thread: '' }, { log: {} }],
  [
    'numbers as text',
    { logCode: ' 9003 ', elapsed: '1.5', process: 12 },
    { log: { logCode: 9003, elapsed: 1.5, process: '12' } },
  ],
  ['a decimal comma', { elapsed: '0,25' }, { log: { elapsed: 0.25 } }],
  ['a list of lines', { stackTraces: ['a', 'b'] }, { log: { stackTraces: 'a\nb' } }],
  [
    'values that do not fit',
    { logCode: 'none', elapsed: 'long', time: 'noon', msg: { a: 1 } },
    {
      log: {},
      extra: withoutPrototype({ logCode: 'none', elapsed: 'long', time: 'noon', msg: { a: 1 } }),
      remarks: [
        { code: 'WRONG_TYPE', field: 'logCode' },
        { code: 'WRONG_TYPE', field: 'elapsed' },
        { code: 'WRONG_TYPE', field: 'time' },
        { code: 'WRONG_TYPE', field: 'msg' },
      ],
    },
  ],
  [
    'two keys for one field: the surer one gives it, wherever it stands',
    { type: 'log', logLevel: 'INFO', level: 'FINE' },
    {
      log: { logLevel: 'INFO' },
      extra: withoutPrototype({ type: 'log', level: 'FINE' }),
      remarks: [{ code: 'SECOND_VALUE', field: 'logLevel' }],
    },
  ],
  [
    'a text that lost characters',
    { msg: 'Gr\ufffd\ufffde', source: 'half \ud83d of a pair', logCode: 7 },
    {
      log: { msg: 'Gr\ufffd\ufffde', source: 'half \ufffd of a pair', logCode: 7 },
      remarks: [
        { code: 'LOST_CHARACTERS', field: 'msg' },
        { code: 'LOST_CHARACTERS', field: 'source' },
      ],
    },
  ],
  [
    'a surer key whose value does not fit leaves the field to the other',
    { timestamp: 7, time: 'noon' },
    {
      log: { time: 7 },
      extra: withoutPrototype({ time: 'noon' }),
      remarks: [{ code: 'WRONG_TYPE', field: 'time' }],
    },
  ],
  [
    'a log as it is written with where it was found',
    { id: 7, part: 1, entry: 'a', log: { time: 7, msg: 'x' }, extra: { pod: 'p' } },
    { log: { time: 7, msg: 'x' }, extra: { id: 7, part: 1, entry: 'a', extra: { pod: 'p' } } },
  ],
  ['a log that stands in its record alone', { log: { msg: 'x' } }, { log: { msg: 'x' } }],
  [
    'what is no field of a log within a record stays where it stood',
    { log: { message: 'x', pod: 'p', code: '1,5' }, stream: 'out' },
    {
      log: { msg: 'x' },
      extra: { stream: 'out', log: withoutPrototype({ pod: 'p', code: '1,5' }) },
      remarks: [{ code: 'WRONG_TYPE', field: 'logCode' }],
    },
  ],
  [
    'a record that has a field of a log itself',
    { message: 'x', log: { message: 'y' } },
    { log: { msg: 'x' }, extra: withoutPrototype({ log: { message: 'y' } }) },
  ],
  [
    'a whole number beyond 2^53, as a text or as a number that prints as it was written',
    { logCode: ' 9007199254740993', code: 2 ** 53 },
    {
      log: { logCode: 2n ** 53n + 1n },
      extra: withoutPrototype({ code: 2 ** 53 }),
      remarks: [{ code: 'SECOND_VALUE', field: 'logCode' }],
    },
  ],
  [
    'a whole number of more than 64 bits',
    { logCode: 2 ** 63 },
    {
      log: {},
      extra: withoutPrototype({ logCode: 2 ** 63 }),
      remarks: [{ code: 'WRONG_TYPE', field: 'logCode' }],
    },
  ],
])('%s', (_, record, expected) => {
  expect(toLog(record)).toEqual(expected);
});

test.each(['', null])('an elapsed of %j is absent', (elapsed) => {
  expect(toLog({ msg: 'a', elapsed })).toEqual({ log: { msg: 'a' } });
});

test.each(['0', '0.0', '0,0', 0])('an elapsed of %j is kept as zero', (elapsed) => {
  expect(toLog({ msg: 'a', elapsed })).toEqual({ log: { msg: 'a', elapsed: 0 } });
});

test('a key "__proto__" is kept like any other', () => {
  const { extra } = toLog(JSON.parse('{"msg":"a","__proto__":{"x":1}}'));
  expect(JSON.stringify(extra)).toBe('{"__proto__":{"x":1}}');
});

test('no key stands for two fields', () => {
  const keys = Object.values(fieldAliases)
    .flat()
    .map((key) => key.toLowerCase());
  expect(new Set(keys).size).toBe(keys.length);
});

describe('times', () => {
  test.each<[unknown, string | undefined]>([
    [1704448800123, '2024-01-05T10:00:00.123Z'],
    ['1704448800123', '2024-01-05T10:00:00.123Z'],
    [1704448800123.9, '2024-01-05T10:00:00.123Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    ['2024-01-05T10:00:00Z', '2024-01-05T10:00:00.000Z'],
    ['2024-01-05T10:00:00', '2024-01-05T10:00:00.000Z'],
    ['2024-01-05 10:00', '2024-01-05T10:00:00.000Z'],
    ['2024-01-05', '2024-01-05T00:00:00.000Z'],
    ['2024-01-05T10:00:00.5+02:00', '2024-01-05T08:00:00.500Z'],
    ['2024-01-05T10:00:00-0530', '2024-01-05T15:30:00.000Z'],
    ['2024-01-05T10:00:00.123456789Z', '2024-01-05T10:00:00.123Z'],
    ['2022-05-22T10:11:12,65', '2022-05-22T10:11:12.065Z'],
    ['2022-05-22T10:11:12,650', '2022-05-22T10:11:12.650Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2024-02-30T10:00:00', undefined],
    ['2023-02-29', undefined],
    ['2024-13-01', undefined],
    ['2024-01-05T24:00:00', undefined],
    ['2024-01-05T10:60:00', undefined],
    ['2024-01-05T10:00:61', undefined],
    ['yesterday', undefined],
    ['', undefined],
    [1e300, undefined],
    [Number.NaN, undefined],
    [true, undefined],
    [{}, undefined],
  ])('%j', (value, expected) => {
    const time = toTime(value);
    expect(time === undefined ? undefined : new Date(time).toISOString()).toBe(expected);
  });
});

test('a record of the audit stream has its actor as user, and its own source', () => {
  const record = {
    timeStamp: 1747203091000,
    eventId: 'e',
    event: 'ROLE_UPDATE',
    status: 'Failure',
    actor: 'mira',
    message: '',
  };
  expect(toLog({ ...record, resource: '/admin/roles' })).toEqual({
    log: { time: 1747203091000, source: 'Audit', username: 'mira', methodName: 'ROLE_UPDATE' },
    extra: withoutPrototype({ eventId: 'e', status: 'Failure', resource: '/admin/roles' }),
  });
});

describe('levels of other systems', () => {
  test.each([
    ...['ERROR', 'err', 'FATAL', 'Critical', 'emerg', 'PANIC', 60, 50, '3', 40_000].map((level) => [
      level,
      'SEVERE',
    ]),
    ...['WARN', 'wrn', '[warning]', 40, 4, 30_000].map((level) => [level, 'WARNING']),
    ...['NOTICE', 'Information', 'inf', 30, 6, 5].map((level) => [level, 'INFO']),
    ...[
      ['CONFIG', 'FINE'],
      ['TRACE', 'VERBOSE'],
      ['trc', 'VERBOSE'],
      [10, 'VERBOSE'],
    ],
    ...[
      ['dbg', 'DEBUG'],
      [20, 'DEBUG'],
      [7, 'DEBUG'],
    ],
  ])('%s is %s, and stays beside it', (level, own) => {
    expect(toLog({ msg: 'a', level })).toEqual({
      log: { msg: 'a', logLevel: own },
      extra: withoutPrototype({ level }),
    });
  });

  test.each(['severe', ' Severe\r', 'SEVERE'])('%j is one of the deployment', (level) => {
    expect(toLog({ msg: 'a', level })).toEqual({ log: { msg: 'a', logLevel: 'SEVERE' } });
  });

  test('an unknown one stays, and is remarked on; under "type" it is none', () => {
    const remarks = [{ code: 'UNKNOWN_LEVEL', field: 'logLevel' }];
    expect(toLog({ msg: 'a', level: 'odd' })).toEqual({ log: { msg: 'a', logLevel: 'odd' }, remarks });
    expect(toLog({ msg: 'a', type: 'log' })).toEqual({
      log: { msg: 'a' },
      extra: withoutPrototype({ type: 'log' }),
    });
  });
});
