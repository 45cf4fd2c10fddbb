import { expect, test } from 'vitest';
import { readAll } from './check-reading.ts';

const log = (number: number) => ({ time: 1747203000000 + number, message: `m${number}` });
const logs = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => log(from + at));
const page = (members: object, from = 0, to = 3) =>
  JSON.stringify({ ...members, logMessages: logs(from, to) });

async function remarksOf(text: string) {
  const results = [];
  for (const chunkLength of [1 << 20, 7, 1]) {
    const { records } = await readAll(text, { chunkLength });
    expect(records.map(({ position }) => position.number)).toEqual(records.map((_, at) => at + 1));
    results.push(
      records.flatMap((record) =>
        record.kind === 'log'
          ? (record.remarks ?? []).flatMap(({ code, about }) => (code === 'MORE_LOGS' ? [about] : []))
          : [record.reason],
      ),
    );
  }
  expect(results).toEqual([results[0], results[0], results[0]]);
  return results[0];
}

const error = '{"error":{"code":498,"message":"Session has ended.","details":[]}}';

test.each<[string, string, RegExp[]]>([
  ['hasMore', page({ hasMore: true }), [/3 logs so far.* more logs/]],
  ['hasMore behind the logs', JSON.stringify({ logMessages: logs(0, 3), hasMore: true }), [/more logs/]],
  ['hasMore of an earlier page', page({ hasMore: true }) + page({ hasMore: false }, 3, 5), []],
  ['no more', page({ hasMore: false }), []],
  [
    'a total',
    JSON.stringify({ messages: logs(0, 3), total: 25000, start: 1, num: 3, nextStart: 4 }),
    [/3 of 25,000/],
  ],
  ['a total that is reached', JSON.stringify({ messages: logs(0, 3), total: 3, nextStart: -1 }), []],
  ['a next start', JSON.stringify({ messages: logs(0, 3), nextStart: 4 }), [/more logs/]],
  [
    'a reply within others',
    JSON.stringify({ result: { hasMore: true, logMessages: logs(0, 2) } }),
    [/more logs/],
  ],
  [
    'words in a log',
    JSON.stringify({ logMessages: [{ time: 1, message: '"hasMore":true, "total":9' }] }),
    [],
  ],
  ['a list', JSON.stringify(logs(0, 3)), []],
  ['an error', error, [/error of the deployment in place of logs: "Session has ended\." \(code 498\)/]],
  ['an error of another form', '{"status":"error","messages":["Not allowed"]}', [/"Not allowed"/]],
])('a reply knows if it is a part: %s', async (_, text, expected) => {
  expect(await remarksOf(text)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test('an error behind pages is quoted', async () => {
  const { records } = await readAll(page({ hasMore: true }) + error);
  expect(records.map(({ kind }) => kind)).toEqual(['log', 'log', 'log', 'unreadable']);
  expect(await remarksOf(page({ hasMore: true }) + error)).toEqual([
    expect.stringMatching(/is an error of the deployment, "Session has ended\."/),
    expect.stringMatching(/in place of logs/),
  ]);
});

const column = (name: string) => ({ name, type: 'str' });
const at = (number: number) => new Date(1747203000000 + number).toISOString();

test.each<[string, object, string[]]>([
  [
    'in front of the logs',
    { fields: [column('_time'), column('_raw')], results: [{ _time: at(0), _raw: 'a' }] },
    ['a'],
  ],
  ['behind the logs', { results: [{ _time: at(0), _raw: 'a' }], fields: [column('_raw')] }, ['a']],
  ['without logs', { preview: false, fields: [column('_raw')], results: [] }, []],
  [
    'of rows that are lists',
    {
      init_offset: 0,
      fields: [column('_time'), column('_raw')],
      rows: [
        [at(0), 'a'],
        [at(1), 'b'],
      ],
    },
    ['a', 'b'],
  ],
  [
    'with what is told of the search',
    {
      messages: [{ type: 'INFO', text: 'Your time range was substituted' }],
      fields: [column('_raw')],
      results: [{ _time: at(0), _raw: 'a' }],
    },
    ['a'],
  ],
  [
    'with a warning of the search, which may say what is missing',
    { messages: [{ type: 'WARN', text: 'Cut' }], results: [{ _time: at(0), _raw: 'a' }] },
    ['NO_LOG', 'a'],
  ],
  ['of values by column, which are not read', { fields: [column('_time')], columns: [[at(0)]] }, ['NO_LOG']],
  [
    'that are logs',
    {
      fields: [
        { ...log(1), name: 'a' },
        { ...log(2), name: 'b' },
      ],
    },
    ['m1', 'm2'],
  ],
  ['deeper, as those of Grafana', { frames: [{ schema: { fields: [column('Time')] } }] }, ['NO_LOG']],
])('the fields of a reply of Splunk are no records: %s', async (_, reply, expected) => {
  for (const chunkLength of [1 << 20, 7, 1]) {
    const { records } = await readAll(JSON.stringify(reply), { chunkLength });
    const shown = records.map((record) => (record.kind === 'log' ? record.log.msg : record.code));
    expect(shown, String(chunkLength)).toEqual(expected);
    expect(records.map(({ position }) => position.number)).toEqual(records.map((_, index) => index + 1));
  }
});
