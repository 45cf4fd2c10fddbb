import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { run } from './run-in-process.ts';

const noon = Date.UTC(2025, 2, 11, 12);
const minute = 60_000;

/** Twelve hours of two sources, a log a minute; one with a hostile name is silent from noon to two. */
const logs: readonly Log[] = Array.from({ length: 720 }, (_, index): Log[] => {
  const time = noon + (index - 360) * minute;
  const isSilent = noon < time && time < noon + 120 * minute;
  return [
    { time, source: 'Web', msg: 'a' },
    ...(isSilent ? [] : [{ time: time + 1, source: 'Jobs\u001b[31m\u202e', msg: 'b' }]),
  ];
}).flat();

let path = '';
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'gaps-test-')), 'day.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, logs, { part: 'all' });
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

test('a silence is a line with its times, its length and what was expected', async () => {
  const { code, out, err } = await run(['gaps', path]);
  expect(code).toBe(0);
  expect(out.split('\n')[1]).toMatch(
    /^2025-03-11 12:00:00 {2}2025-03-11 14:00:00 +2 h 0 min +1[12]\d {2}silent +Jobs/,
  );
  expect(out).not.toMatch(/[\u001b\u202e]/);
  expect(err).toBe(
    '1 silence of 2 sources in 1,321 logs beyond what their rhythm explains. No other day has logs to compare with for 1: a source that rests at these hours looks the same.\n',
  );
});

test('programs get the same as JSON and CSV', async () => {
  const { out } = await run(['gaps', path, '--json']);
  expect(JSON.parse(out)).toMatchObject({
    silences: [{ from: noon + 1, to: noon + 120 * minute + 1, isOpen: false, otherDays: 0 }],
    notExported: [],
    sources: 2,
  });
  const { out: csv } = await run(['gaps', path, '--csv']);
  expect(csv.split('\n')).toHaveLength(3);
});

test('the filters and the shortest silence select', async () => {
  const { err } = await run(['gaps', path, '--source', 'Web']);
  expect(err).toBe('No silence of 1 source in 720 logs beyond what their rhythm explains.\n');
  const { out } = await run(['gaps', path, '--at-least', '3h']);
  expect(out).toBe('');
});

test('a silence of no length is refused', async () => {
  const { code, err } = await run(['gaps', path, '--at-least', '0s']);
  expect(code).toBe(2);
  expect(err).toContain('--at-least');
});
