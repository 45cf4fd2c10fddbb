import { expect, test } from 'vitest';
import { partCheck } from '../../src/case/loading/part-check.ts';
import { recordBatcher } from '../../src/case/rows/batches.ts';
import type { Extra, Log } from '../../src/records/log.ts';

function remarksOn(logs: readonly { readonly log: Log; readonly extra?: Extra }[], latest?: number) {
  const [check, batcher] = [partCheck(latest), recordBatcher()];
  for (const { log, extra } of logs) {
    const position = { number: 1, offset: 0, length: 1 };
    batcher.add({ kind: 'log', log, position, ...(extra && { extra }) });
    check.add(batcher.take());
  }
  return check.remarks();
}

const time = Date.UTC(2025, 4, 14);
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

test('times before 1990 and after the latest are counted, with the first and the last of them', () => {
  const at = (value: number) => ({ log: { msg: 'a', logLevel: 'INFO', time: value } });
  const early = Date.UTC(1990, 0);
  expect(remarksOn([at(early - 1), at(early), at(time), at(time + 1)], time)).toEqual([
    {
      code: 'IMPLAUSIBLE_TIME',
      field: 'time',
      count: 2,
      about: '1989-12-31 23:59:59 to 2025-05-14 00:00:00',
    },
  ]);
});
