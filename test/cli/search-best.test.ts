import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  const logs = ['timeout', 'timeout, timeout', 'a request', 'a long request with a timeout in it'].map(
    (msg, index) => `${JSON.stringify({ time: 1000 * (index + 1), msg })}\n`,
  );
  await writeFile(at('one.ndjson'), logs.slice(0, 2).join(''));
  await writeFile(at('two.ndjson'), logs.slice(2).join(''));
  for (const name of ['one', 'two'])
    await run(['import', at(`${name}.ndjson`), '--into', at(`${name}.duckdb`)]);
  await run(['import', at('one.ndjson'), at('two.ndjson'), '--into', at('all.duckdb')]);
});
afterAll(() => rm(folder, { recursive: true }));

const best = (...words: string[]) => run(['search', 'timeout', ...words, '--best']);

test('the most relevant come first, with their scores', async () => {
  expect(await best(at('all.duckdb'))).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^score +id +time .*\n0\.\d{3} +2 .* timeout, timeout\n0\.\d{3} +1 .* timeout\n0\.\d{3} +4 .* in it\n$/,
    ),
    err: '3 logs.\n',
  });
});

test('JSON and CSV have the scores', async () => {
  const { out } = await best(at('all.duckdb'), '--json');
  const report = JSON.parse(out);
  expect(report).toMatchObject({
    query: 'timeout',
    order: 'best',
    total: 3,
    logs: [{ id: 2 }, { id: 1 }, { id: 4 }],
  });
  const scores: number[] = report.logs.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const lines = (await best(at('all.duckdb'), '--ndjson')).out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).score)).toEqual(scores);
  const [heading, ...rows] = (await best(at('all.duckdb'), '--csv')).out.trimEnd().split('\n');
  expect(heading).toMatch(/^score,time,/);
  expect(rows.map((row) => Number(row.split(',')[0]))).toEqual(scores);
});

test('several sources are scored like one', async () => {
  const rows = async (...sources: string[]) =>
    (await best(...sources, '--ndjson')).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ score, log }) => ({ score, log }));
  const whole = await rows(at('all.duckdb'));
  expect(await rows(at('one.duckdb'), at('two.duckdb'))).toEqual(whole);
  expect(await rows(at('two.ndjson'), at('one.duckdb'))).toEqual(whole);
});

largeTest('one page goes on where the one before ended', async () => {
  const page = async (...words: string[]) =>
    JSON.parse((await best(at('one.duckdb'), at('two.duckdb'), '--limit', '1', '--json', ...words)).out);
  const messages: string[] = [];
  let report = await page();
  while (report.after !== undefined) {
    messages.push(report.logs[0].log.msg);
    report = await page('--after', report.after);
  }
  expect(messages).toEqual(['timeout, timeout', 'timeout', 'a long request with a timeout in it']);
  const { err } = await best(at('all.duckdb'), '--limit', '1');
  expect(err).toMatch(
    /^The most relevant 1 of 3 logs; --limit N or --all shows more, --after \d\.\d+:2000:0:2 the next page\.\n$/,
  );
});

test.each([
  [['--oldest'], '--best and --oldest exclude each other'],
  [['--context', '1'], '--best and --context exclude each other'],
  [['--parquet', 'x'], '--best and --parquet exclude each other'],
  [['--after', '1000:0:1'], '--after with --best must be a position printed by an earlier page with --best'],
  [
    ['--after', '1e999:1000:0:1'],
    '--after with --best must be a position printed by an earlier page with --best',
  ],
])('%s is refused', async (words, reason) => {
  const { code, err } = await best(at('all.duckdb'), ...words);
  expect(code).toBe(2);
  expect(err).toContain(reason);
});
