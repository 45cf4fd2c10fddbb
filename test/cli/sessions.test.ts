import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run-in-process.ts';

let folder = '';
let odd = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sessions-test-'));
  odd = join(folder, 'odd.ndjson');
  const log = { user: '=1\u001b[31m\u202e', source: '@a\u0007', msg: 'm' };
  await writeFile(odd, [0, 40].map((at) => JSON.stringify({ ...log, time: 60_000 * at })).join('\n'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('sessions', () => {
  const incident = 'samples/incident.ndjson';

  test('of the administrator are those of the story', async () => {
    // A certificate on the first day; sign-in, log level, export and restart on the second.
    const { code, out } = await run([
      'sessions',
      incident,
      '--user',
      'a.lindqvist',
      '--idle',
      '1h',
      '--json',
    ]);
    expect(code).toBe(0);
    const { sessions } = JSON.parse(out);
    const spans = sessions.map(({ first, last }: { first: number; last: number }) =>
      [first, last].map((time) => new Date(time).toISOString()),
    );
    expect(spans).toContainEqual(['2025-03-11T16:05:30.000Z', '2025-03-11T16:05:30.000Z']);
    expect(spans).toContainEqual(['2025-03-12T09:38:25.000Z', '2025-03-12T10:30:10.000Z']);
  });

  test('are a table with what is left out', async () => {
    const { out, err } = await run(['sessions', odd], { width: 120 });
    expect(out.trimEnd().split('\n')).toHaveLength(3);
    expect(out).toMatch(/ 1970-01-01 00:40:00\.000 +0\.0 s +1 +0 +0 +0\.0 s +@a\\x07 \(1\)\n$/);
    expect(out).not.toMatch(/[\u001b\u202e\u0007]/);
    expect(err).toMatch(/^"odd.ndjson": time of 2 logs is implausible/);
    expect(err.split('\n').at(-2)).toBe('2 sessions of 1 user.');
    expect((await run(['sessions', odd, '--idle', '40m', '--csv'])).out).toMatch(/\n"?'=1/);
    const cut = await run(['sessions', incident, '--limit', '1', '--ndjson']);
    expect(cut.out.trimEnd().split('\n')).toHaveLength(1);
    expect(cut.err).toMatch(
      /^\d+ sessions of \d+ users; \d+ more with --limit \d+; \d+ logs without a user\.\n$/,
    );
  });

  test('refuse a pause of nothing', async () => {
    const { code, err } = await run(['sessions', odd, '--idle', '0m']);
    expect([code, err.includes('--idle must be a duration above 0')]).toEqual([2, true]);
  });
});
