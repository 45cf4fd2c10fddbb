import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

/** Logs with numbers beyond 2^53 and 2^63, as other programs write them. */
const lines = [
  '{"time":1000,"msg":"a","logCode":9007199254740993,"requestID":1234567890123456789,"thread":1.0,"elapsed":1e400}',
  '{"time":2000,"msg":"b","logCode":9007199254740992,"elapsed":1e300}',
  '{"time":3000,"msg":"c","logCode":9223372036854775807,"elapsed":-0.0}',
  '{"time":4000,"msg":"d","logCode":-9223372036854775808,"pod":[12345678901234567890]}',
  '{"time":5000,"msg":"e","logCode":9223372036854775808}',
];

const csv = 'time,msg,logCode,requestID\n6000,f,9007199254740995,1234567890123456789\n';
const xml =
  '<Msg time="1970-01-01T00:00:07Z" type="INFO" code="9007199254740997" requestID="12345678901234567890">g</Msg>\n';

let folder: string;
let stored: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  stored = join(folder, 'case.duckdb');
  const files = { 'a.ndjson': lines.join('\n'), 'b.csv': csv, 'c.log': xml, 'd.json': `[${lines[0]}]` };
  const paths = Object.entries(files).map(async ([name, text]) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  });
  const imported = await run(['import', ...(await Promise.all(paths)), '--into', stored]);
  expect(imported.code).toBe(0);
  expect(imported.err).toContain('logCode of 1 log has the wrong type; the value is kept in "extra"');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The messages of the logs that a search finds, the oldest first. */
async function found(query: string): Promise<string> {
  const { code, out, err } = await run(['search', query, stored, '--oldest', '--ndjson']);
  expect([code, err.replace(/\d+ logs?\.\n/, '')]).toEqual([0, '']);
  const messages = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).log.msg]));
  return messages.join('');
}

test.each(
  sampled(
    [
      ['logCode:9007199254740993', 'aa'],
      ['logCode:9007199254740992', 'b'],
      ['logCode:{9007199254740992 TO 9007199254740994}', 'aa'],
      ['logCode:[9007199254740993 TO *]', 'aacfg'],
      ['logCode:9.007199254740995e15', 'f'],
      ['logCode:[* TO 9223372036854775807]', 'aabcdfg'],
      ['logCode:[9223372036854775807 TO *]', 'c'],
      ['logCode:{9223372036854775806 TO *]', 'c'],
      ['logCode:[* TO -9223372036854775808]', 'd'],
      ['elapsed:1e300', 'b'],
      ['elapsed:{1e30 TO *]', 'b'],
      ['elapsed:[* TO 1e30]', 'c'],
      ['requestID:1234567890123456789', 'aaf'],
      ['requestID:12345678901234567890', 'g'],
      ['thread:1.0', 'aa'],
    ],
    3,
  ),
)('%s finds %s', async (query, messages) => {
  expect(await found(query)).toBe(messages);
});

test('what is printed has all digits', async () => {
  const json = JSON.parse(
    (await run(['search', 'msg:(a OR c OR d OR e)', stored, '--json', '--oldest'])).out,
  );
  expect(
    json.logs.map(({ log, extra }: { log: object; extra?: object }) => ({ ...log, extra })),
  ).toMatchObject([
    {
      logCode: '9007199254740993',
      requestID: '1234567890123456789',
      thread: '1.0',
      extra: { elapsed: '1e400' },
    },
    { logCode: '9007199254740993' },
    { logCode: '9223372036854775807', elapsed: 0 },
    { logCode: '-9223372036854775808', extra: { pod: ['12345678901234567890'] } },
    { extra: { logCode: '9223372036854775808' } },
  ]);
  expect((await run(['search', 'msg:d', stored, '--csv'])).out).toContain(',-9223372036854775808,');
  expect((await run(['trace', '1234567890123456789', stored])).out).toContain('9007199254740993');
  expect((await run(['top', 'logCode', stored])).out).toMatch(/ 2 .*9007199254740993/);
});

largeTest('SQL shows all digits, also within JSON and lists', async () => {
  const sql = "SELECT logCode, [logCode] AS list, to_json({c: logCode}) AS json FROM logs WHERE msg = 'd'";
  const code = '-9223372036854775808';
  expect(JSON.parse((await run(['sql', sql, stored, '--json'])).out).rows).toEqual([
    [code, [code], { c: code }],
  ]);
  expect((await run(['sql', "SELECT logCode FROM logs WHERE msg = 'd'", stored, '--csv'])).out).toBe(
    `logCode\n${code}\n`,
  );
});

test('queries are checked, compared and translated by all digits', async () => {
  const two = ['logCode:9007199254740993', 'logCode:9007199254740992'];
  expect((await run(['compare', ...two])).code).toBe(1);
  expect(JSON.parse((await run(['compare', ...two, '--json'])).out)).toMatchObject({
    relation: 'disjoint',
    examples: { onlyA: { logCode: '9007199254740993' }, onlyB: { logCode: '9007199254740992' } },
  });
  expect((await run(['check', two.join(' OR '), 'logCode:[9223372036854775807 TO *]'])).out).toBe('');
  expect((await run(['check', 'logCode:9223372036854775808'])).out).toContain('beyond the 64 bits');
  const toElasticsearch = await run(['translate', two[0] ?? '', '--to', 'elasticsearch']);
  expect(JSON.parse(toElasticsearch.out).query).toEqual({
    term: { logCode: { value: '9007199254740993' } },
  });
  expect((await run(['explain', two[0] ?? ''])).out).toContain('is 9007199254740993');
  expect((await run(['complete', 'logCode:900719925474099', '--case', stored])).out).toMatch(
    /9007199254740993 +value +2 logs/,
  );
});
