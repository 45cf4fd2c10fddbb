import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { sampled } from '../effort.ts';
import { storyLogs } from '../emulator/story-logs.ts';
import { run } from './run-in-process.ts';

let folder = '';
const path = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'investigate-test-'));
  const hostile = { logLevel: 'SEVERE', logCode: 66, source: 'a\u001b[31m\u202eb', username: '\u0007' };
  const stories = {
    'bad.duckdb': [...storyLogs('certificate', { count: 4000 })],
    'good.duckdb': [...storyLogs('quiet', { count: 2000 })],
    'hostile.duckdb': [...storyLogs('quiet', { count: 2000 })].map((log, index) =>
      index < 1500 || index % 5 !== 0 ? log : { ...log, ...hostile, msg: 'x\u001b]8;;http://evil\u0007y' },
    ),
  };
  for (const [name, logs] of Object.entries(stories)) {
    await using into = await openCase(path(name), { access: 'write', create: true });
    await addLogs(into, logs, { part: 'all' });
  }
});
afterAll(() => rm(folder, { recursive: true }));

test('a bad day is told in about ten sentences, each with a query that search takes', async () => {
  const { code, out, err } = await run(['investigate', path('bad.duckdb')]);
  expect([code, err]).toEqual([0, '']);
  const labels = out.split('\n').flatMap((line) => /^([a-z][a-z ]{0,11}?) {2,}/.exec(line)?.[1] ?? []);
  expect(labels.length).toBeLessThanOrEqual(14);
  expect(labels.slice(0, 3)).toEqual(['in short', 'logs', 'main change']);
  expect(labels).toEqual(expect.arrayContaining(['before', 'affected', 'gaps']));
  expect(out).toContain('SEVERE logs of code 217009');
  expect(out).not.toMatch(/\b(?:because|caused?|due to)\b/i);
  const [query = ''] = out
    .split('\n')
    .flatMap((line) => /^ +(logLevel:SEVERE AND .*)$/.exec(line)?.[1] ?? []);
  const { out: count } = await run(['search', query, path('bad.duckdb'), '--count']);
  expect(out).toContain(`begin: ${count.trim()} logs`);
});

test('sentences keep to the width of a terminal, queries to one line', async () => {
  const { out } = await run(['investigate', path('bad.duckdb')], { width: 60 });
  const wide = out.split('\n').filter((line) => 60 < line.length);
  expect(wide.every((line) => line.includes('time:['))).toBe(true);
});

test('an ordinary day says so', async () => {
  const { code, out } = await run(['investigate', path('good.duckdb')]);
  expect(code).toBe(0);
  expect(out).toMatch(/^changed +Nothing: no code, pattern/m);
});

test('the filters select what is compared, and a symptom what changed', async () => {
  const { out } = await run(['investigate', path('bad.duckdb'), '--level', 'INFO', '--json']);
  const { logs, changes } = JSON.parse(out);
  expect(logs).toBeLessThan(4000);
  expect(JSON.stringify(changes)).not.toContain('217009');
  const { out: other } = await run([
    'investigate',
    path('bad.duckdb'),
    '--search',
    'logCode:217010',
    '--json',
  ]);
  expect(JSON.parse(other).main).toBeUndefined();
  const { out: same } = await run(['investigate', path('bad.duckdb'), '--search', 'msg:expired', '--json']);
  expect(JSON.parse(same).main.subject).toEqual({ type: 'query' });
});

test('without an answer to the hint, the reason is said', async () => {
  const nothing = async (...hint: string[]) => await run(['investigate', path('bad.duckdb'), ...hint]);
  expect((await nothing('--search', 'absentword')).out).toContain('no log matches the query of --search.');
  const calm = await nothing('--search', 'logCode:217010');
  expect(calm.out).toMatch(/^changed +Nothing: the rate of the logs of --search \([\d,]+ logs\)/m);
  const late = await nothing('--since', '2030-01-01');
  expect(late.out).toMatch(/^changed +Nothing since the time of --since\. .* [1-9]\d* earlier changes?/m);
  expect(late.err).toContain('--since is after all logs: the logs are from 2025-03-11');
  const early = await nothing('--around', '2020-01-01');
  expect(early.err).toContain('--around is outside of all logs');
  expect(early.out).toMatch(/^main change /m);
});

test('texts of logs keep their control characters to themselves', async () => {
  const { out } = await run(['investigate', path('hostile.duckdb')]);
  expect(out).toContain('code 66');
  expect(out).not.toMatch(/[\u001b\u0007\u202e]/);
});

test.each(
  sampled(
    [
      [['--search', 'a AND ('], 1, 'error:'],
      [['--around', 'noonish'], 2, '--around must be a time'],
      [['--around', 'now', '--since', 'now'], 2, 'exclude each other'],
    ],
    1,
  ),
)('%j is refused', async (options, code, message) => {
  const ran = await run(['investigate', path('good.duckdb'), ...options]);
  expect([ran.code, ran.out]).toEqual([code, '']);
  expect(ran.err).toContain(message);
});
