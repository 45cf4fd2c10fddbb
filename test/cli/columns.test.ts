import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { run } from './run-in-process.ts';

let folder: string;
let path: string;
const message = 'The request took longer than thirty seconds and was ended by the proxy of the site.';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-'));
  path = join(folder, 'one.duckdb');
  const log = {
    time: 1741768530123,
    logLevel: 'SEVERE',
    logCode: 9003,
    msg: message,
    source: 'Planning/Parcels.FeatureServer',
    username: 'someone@example.com',
    requestID: 'a'.repeat(36),
  };
  await writeFile(join(folder, 'one.ndjson'), JSON.stringify(log));
  await run(['import', join(folder, 'one.ndjson'), '--into', path]);
});
afterAll(() => rm(folder, { recursive: true }));

test.each(sampled([80, 100, 120, 200], 1))('%i columns show 60 of the message', async (width) => {
  const { out } = await run(['search', '*:*', path], { width });
  const lines = out.trimEnd().split('\n');
  expect(lines.filter((line) => width < line.length)).toEqual([]);
  expect(out).toContain(message.slice(0, 59));
});

test('columns are left out before the message is cut, the user first', async () => {
  const heading = async (width: number) =>
    (await run(['search', '*:*', path], { width })).out.split('\n')[0]?.split(/ {2,}/);
  expect(await heading(100)).toEqual(['id', 'time (UTC)', 'level', 'message']);
  expect(await heading(120)).toEqual(['id', 'time (UTC)', 'level', 'code', 'source', 'message']);
  expect(await heading(200)).toEqual(['id', 'time (UTC)', 'level', 'code', 'source', 'user', 'message']);
});

test('--columns chooses, by the names of tables or fields', async () => {
  const search = async (columns: string, ...words: string[]) =>
    (await run(['search', '*:*', path, '--columns', columns, ...words])).out;
  expect(await search('time,level,msg')).toBe(
    `time (UTC)               level   message\n2025-03-12 08:35:30.123  SEVERE  ${message}\n`,
  );
  expect(await search('user,code,id', '--csv')).toBe('username,logCode,id\nsomeone@example.com,9003,1\n');
  expect((await run(['trace', 'a'.repeat(36), path, '--columns', 'level'])).out).toBe(
    '  offset  gap  level\n       0       SEVERE\n',
  );
});

test('--columns chooses the fields of JSON, which stay where they are', async () => {
  const whole = JSON.parse((await run(['search', '*:*', path, '--ndjson'])).out);
  const line = async (...words: string[]) => JSON.parse((await run([...words, '--ndjson'])).out);
  const { time, msg } = whole.log;
  expect(await line('search', '*:*', path, '--columns', 'message,time')).toEqual({ log: { msg, time } });
  expect(await line('search', '*:*', path, '--columns', 'id,user,thread', '--best')).toEqual({
    id: whole.id,
    log: { username: whole.log.username },
    score: expect.any(Number),
  });
  expect(await line('trace', 'a', path, '--columns', 'level')).toEqual({
    log: { logLevel: 'SEVERE' },
    offset: 0,
  });
  const { out } = await run([
    'search',
    '*:*',
    path,
    join(folder, 'one.ndjson'),
    '--columns',
    'code',
    '--json',
  ]);
  expect(JSON.parse(out)).toMatchObject({
    total: 2,
    logs: ['one.duckdb', 'one.ndjson'].map((name) => ({
      log: { logCode: 9003 },
      case: expect.stringContaining(name),
    })),
  });
});

test('chosen columns stay on a narrow terminal', async () => {
  const { out } = await run(['search', '*:*', path, '--columns', 'user,code,msg'], { width: 80 });
  expect(out.split('\n')[0]).toMatch(/^user +code/);
});

test('a terminal shows the first characters of a request', async () => {
  const words = ['search', '*:*', path, '--columns', 'request'];
  expect((await run(words, { width: 80 })).out).toBe('request\naaaaaaaa\n');
  expect((await run(words)).out).toContain('a'.repeat(36));
});

test.each(
  sampled(
    [
      [['search', '*:*', '--columns', 'nothing'], '--columns must be one of id, time,'],
      [['search', '*:*', '--columns', ','], '--columns must name a field'],
      [['search', '*:*', '--columns', 'id', '--ecs'], '--columns and --ecs exclude each other'],
      [['trace', 'a', '--columns', 'id', '--otlp'], '--columns and --otlp exclude each other'],
      [['search', '*:*', '--columns', 'id', '--parquet', 'x'], '--columns and --parquet exclude each other'],
    ],
    1,
  ),
)('%j is refused', async (words, reason) => {
  const { code, err } = await run([...words, path]);
  expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
});

test.each(sampled(['user', 'level', 'code', 'source'], 1))(
  '"%s" is a field of top and histogram',
  async (name) => {
    expect((await run(['top', name, path])).code).toBe(0);
    expect((await run(['histogram', path, '--by', name])).code).toBe(0);
  },
);
