import { expect, test } from 'vitest';
import { partCheck } from '../../src/case/loading/part-check.ts';
import { recordBatcher } from '../../src/case/rows/batches.ts';
import type { Extra, Log } from '../../src/records/log.ts';

type Facts = Parameters<typeof partCheck>[0];

function remarksOn(logs: readonly { readonly log: Log; readonly extra?: Extra }[], facts?: Facts) {
  const [check, batcher] = [partCheck(facts), recordBatcher()];
  for (const { log, extra } of logs) {
    const position = { number: 1, offset: 0, length: 1 };
    batcher.add({ kind: 'log', log, position, ...(extra && { extra }) });
    check.add(batcher.take());
  }
  return check.remarks();
}

const time = Date.UTC(2025, 4, 14);
const day = 24 * 60 * 60 * 1000;
const times = (count: number, log: Log, extra?: Extra) =>
  Array.from({ length: count }, () => ({ log, ...(extra && { extra }) }));

test('what no log of a part has is said, with the members that may be it', () => {
  expect(remarksOn(times(8, { source: 'a' }, { eventText: 'x', when: 1, pod: 'p' }))).toEqual([
    { code: 'NO_VALUE', field: 'msg', count: 8, about: 'eventText' },
    { code: 'NO_VALUE', field: 'logLevel', count: 8 },
    { code: 'NO_VALUE', field: 'time', count: 8, about: 'when' },
  ]);
  expect(remarksOn([...times(8, { source: 'a' }), { log: { msg: 'a', logLevel: 'INFO', time } }])).toEqual(
    [],
  );
  expect(remarksOn(times(7, { source: 'a' }))).toEqual([]);
});

test('levels and users that end in control characters or blanks are counted', () => {
  const whole = { msg: 'a', logLevel: 'INFO', username: 'mira', time };
  expect(
    remarksOn([
      { log: whole },
      { log: { ...whole, logLevel: 'odd\r' } },
      { log: { ...whole, username: 'mira\t' } },
      { log: { ...whole, username: 'mira ' } },
    ]),
  ).toEqual([
    { code: 'CONTROL_END', field: 'logLevel', count: 1 },
    { code: 'CONTROL_END', field: 'username', count: 2 },
  ]);
});

test('times before 1990 and more than a day after the file are counted, with the first and the last of them', () => {
  const at = (value: number) => ({ log: { msg: 'a', logLevel: 'INFO', time: value } });
  const early = Date.UTC(1990, 0);
  expect(remarksOn([at(early - 1), at(early), at(time), at(time + 1)], { modified: time - day })).toEqual([
    {
      code: 'IMPLAUSIBLE_TIME',
      field: 'time',
      count: 2,
      about: '1989-12-31 23:59:59 to 2025-05-14 00:00:00',
    },
  ]);
});

test('a file that has no true time of its own makes no time implausible before 2100', () => {
  const logs = [{ log: { msg: 'a', logLevel: 'INFO', time: Date.UTC(2099, 0) } }];
  for (const modified of [undefined, Number.NaN, 0, Date.UTC(1985, 9, 26), Date.UTC(2099, 0) - day])
    expect(remarksOn(logs, { modified }), String(modified)).toEqual([]);
  for (const modified of [Date.UTC(2099, 0) - day - 1, Date.UTC(1990, 0) + 1])
    expect(remarksOn(logs, { modified })).toMatchObject([{ code: 'IMPLAUSIBLE_TIME', count: 1 }]);
});

test('one time or one message of all of twenty logs is said, but not of what an export asked for', () => {
  const equal = { msg: 'Method failed', logLevel: 'INFO', time };
  const ofTime = { code: 'ONE_VALUE', field: 'time', count: 20, about: '2025-05-14 00:00:00' };
  const ofMessage = { code: 'ONE_VALUE', field: 'msg', count: 20, about: 'Method failed' };
  expect(remarksOn(times(20, equal))).toEqual([ofTime, ofMessage]);
  expect(remarksOn(times(19, equal))).toEqual([]);
  expect(remarksOn(times(20, equal), { isExport: true })).toEqual([]);
  const others = [
    [{ ...equal, time: time + 1 }, ofMessage],
    [{ ...equal, msg: 'Method ended' }, ofTime],
    [{ logLevel: 'INFO', time }, ofTime],
    [{ logLevel: 'INFO', msg: equal.msg }, ofMessage],
  ] as const;
  for (const [other, expected] of others)
    for (const logs of [
      [{ log: other }, ...times(19, equal)],
      [...times(19, equal), { log: other }],
    ])
      expect(remarksOn(logs), JSON.stringify(other)).toEqual([expected]);
  const long = { msg: 'x'.repeat(79).concat('\u{1f600}'.repeat(200)), logLevel: 'INFO' };
  expect(remarksOn(times(20, { ...long, time }))[1]?.about).toBe(`${'x'.repeat(79)}\ufffd`);
});

test('one level that nobody knows, and a source or user that stands for none, are said of all logs', () => {
  const several = (log: Log, count = 20) =>
    Array.from({ length: count }, (_, at) => ({
      log: { msg: `m${at}`, logLevel: 'INFO', time: time + at, ...log },
    }));
  const odd = (field: string, about: string) => [{ code: 'ONE_VALUE', field, count: 20, about }];
  for (const level of ['_doc', 'odd', '-'])
    expect(remarksOn(several({ logLevel: level })), level).toEqual(odd('logLevel', level));
  for (const field of ['source', 'username'])
    for (const text of ['-', 'null', '(null)', 'N/A', 'unknown', 'stderr', ' - '])
      expect(
        remarksOn(several({ [field]: text })).filter(({ code }) => code === 'ONE_VALUE'),
        text,
      ).toEqual(odd(field, text));
  const usual = { logLevel: 'SEVERE', source: 'server-20250514.log', username: 'portaladmin' };
  expect(remarksOn(several(usual))).toEqual([]);
  expect(remarksOn(several({ source: 'Rest', username: 'nil.sen' }))).toEqual([]);
  expect(remarksOn(several({ source: '-' }, 19))).toEqual([]);
  expect(remarksOn([...several({ source: '-' }), ...several({}, 1)])).toEqual([]);
  expect(remarksOn(several({ logLevel: 'odd', source: '-' }), { isExport: true })).toEqual([]);
});
