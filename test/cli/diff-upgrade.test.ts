import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { storyLogs } from '../emulator/story-logs.ts';
import { run } from './run-in-process.ts';

let path = '';
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'diff-upgrade-test-')), 'story.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, [...storyLogs('upgrade', { count: 6000 })], { part: 'all' });
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

test('before and after the last upgrade, failures are new and one service is slower', async () => {
  const { code, out, err } = await run(['diff', '--upgrade', 'last', path]);
  expect(code).toBe(0);
  expect(out).toMatch(/ new +0 +\d+ +logCode +17033\n/);
  expect(out).toMatch(
    / slower +\d+ +\d+ +×\d.* elapsed +Transport\/Roadworks\.FeatureServer .*: median \S+ s to \S+ s\n/,
  );
  expect(err).toMatch(
    /^Upgrade of 2025-03-12 04:30:00\.000 to 2025-03-12 05:40:00\.000: Upgrade process started/,
  );
  expect(err).toMatch(/ \d+ of \d+ elapsed times shifted\.\n$/);
});

test('programs get the shifts with their queries', async () => {
  const { out } = await run(['diff', '--upgrade', '1', path, '--json']);
  const { latencies } = JSON.parse(out);
  expect(latencies[0]).toMatchObject({ kind: 'slower', source: 'Transport/Roadworks.FeatureServer' });
  const { out: count } = await run(['search', latencies[0].query, path, '--count']);
  expect(Number(count)).toBeGreaterThanOrEqual(latencies[0].before + latencies[0].after);
});

test.each([
  [['--upgrade', '2'], 1, 'These logs know of 1 upgrade: there is no number 2.'],
  [['--upgrade', 'first'], 2, '--upgrade must be "last" or a whole number of at least 1, got "first"'],
])('%j is refused', async (options, code, message) => {
  const ran = await run(['diff', path, ...options]);
  expect([ran.code, ran.out]).toEqual([code, '']);
  expect(ran.err).toContain(message);
});
