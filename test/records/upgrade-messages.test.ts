import { expect, test } from 'vitest';
import { rollbackMessageCodes, toStatusBody, upgradeMessageCodes } from '../../src/protocol/upgrades.ts';
import { processorTime } from '../processor-time.ts';
import { checkReading, readAll } from './check-reading.ts';

const started = { message: 'Upgrade process started.', code: 2010, when: 1_700_000_000_000 };
const broken = { message: 'It {broke} on "node [1]".', code: 2013, when: 1_700_000_001_000 };
const status = { state: 'failed', code: 2, messages: [started, broken] };
const texts = [started.message, broken.message];

test.each<[string, string, string[]]>([
  ['the status of an upgrade', JSON.stringify(toStatusBody(status)), texts],
  ['the same over lines', JSON.stringify(toStatusBody(status), null, 2), texts],
  ['the bare status, its members in another order', JSON.stringify({ ...status, state: 'x' }), texts],
  [
    'a status and messages with more in them',
    JSON.stringify({
      status: { node: { a: [1, 'b'] }, ...status, messages: [{ ...started, at: { pod: 'x' } }, broken] },
    }),
    texts,
  ],
  [
    'a status that is longer than what is looked at',
    JSON.stringify({ status: { ...status, messages: [started, { ...broken, pad: 'x'.repeat(70_000) }] } }),
    texts,
  ],
  [
    'a status whose messages have no times',
    '{"status":{"state":"success","code":"3","messages":[{"message":"a","code":1},{"message":"b","code":"2","when":null}]}}',
    ['a', 'b'],
  ],
  ['numbers written as texts', '{"status":{"messages":[{"when":"5","code":"1","message":"a"}]}}', ['a']],
  ['messages one a line', `${JSON.stringify(started)}\n${JSON.stringify(broken)}\n`, texts],
  [
    'a message broken off',
    `${JSON.stringify(started)}\n{"message":"x`,
    [texts[0] ?? '', 'TRUNCATED: {"message":"x'],
  ],
])('%s', (_, text, expected) => checkReading(text, 'upgrade', expected));

test('a message is a log of the administration, with all that it carried', async () => {
  const { records } = await readAll(
    JSON.stringify({ ...status, messages: [{ ...started, node: 7 }, broken] }),
  );
  expect(records).toMatchObject([
    {
      log: {
        time: started.when,
        logLevel: 'INFO',
        logCode: 2010,
        msg: started.message,
        source: 'Enterprise Admin',
      },
      extra: { node: 7 },
      raw: JSON.stringify({ ...started, node: 7 }),
    },
    { log: { time: broken.when, logCode: 2013, msg: broken.message, source: 'Enterprise Admin' } },
  ]);
  expect(records[1]).not.toHaveProperty('extra');
});

test('a message whose code is known has the level INFO, any other has none', async () => {
  const known = { ...upgradeMessageCodes, ...rollbackMessageCodes };
  const codes = [...Object.keys(known).map(Number), 2013, 9003];
  const { records } = await readAll(
    JSON.stringify(toStatusBody({ ...status, messages: codes.map((code) => ({ ...started, code })) })),
  );
  const levels = records.map((record) => (record.kind === 'log' ? record.log.logLevel : 'unreadable'));
  expect(levels).toEqual(codes.map((code) => (code in known ? 'INFO' : undefined)));
});

test.each([
  ['logs in a reply', '{"messages":[{"time":1,"message":"a","code":1,"when":2}]}', 'json'],
  ['logs with another member "when"', '{"time":1,"message":"a","code":1,"when":2}\n', 'ndjson'],
  ['messages without times', '{"status":{"messages":[{"message":"a","code":1}]}}', 'json'],
  [
    'a time that is none',
    '{"status":{"messages":[{"message":"a","code":1,"when":8640000000000001}]}}',
    'json',
  ],
  ['a status without messages', '{"status":{"state":"no_upgrade","code":0,"messages":[]}}', 'json'],
  ['a job', '{"status":"FAILED","messages":["a"]}', 'json'],
])('%s is none of it', async (_, text, format) => {
  expect((await readAll(text)).format).toBe(format);
});

test('a hostile beginning is looked at in a moment', async () => {
  const time = await processorTime(async () => {
    await readAll(`{"status":{${'"messages":[{"message":"'.repeat(4000)}`);
    await readAll(`{${'"messages":'.repeat(6000)}`);
  });
  expect(time).toBeLessThan(2000);
});
