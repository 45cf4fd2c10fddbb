import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { folder, run, start, startProgram } from './process.ts';

/** Reports if any default field holds a text, letter by letter, in any case. */
function says(log: Log, text: string): boolean {
  const fields = [log.msg, log.source, log.className, log.username, log.stackTraces, log.serviceTypes];
  return fields.some((field) => field?.toLowerCase().includes(text));
}

/** The answers to the questions of the demo in plain TypeScript: nothing of the language, its meaning or SQL is used. */
function answersFrom(exported: readonly Log[]): (readonly Log[])[] {
  return [
    exported.filter(
      ({ msg = '', logCode = 0 }) => /\btimed out\b/i.test(msg) && 9000 <= logCode && logCode <= 9999,
    ),
    exported.filter(({ msg = '' }) => /\b(password authentication failed|run dry)\b/i.test(msg)),
    exported.filter((log) => says(log, 'updated kubernetes secret') && log.logCode === 1312),
  ].map((logs) => logs.sort((a, b) => (a.time ?? 0) - (b.time ?? 0)));
}

const halfHour = 1_800_000;

/** The rows of the demo's SQL question: half hours with requests that timed out or comments. */
function halfHours(exported: readonly Log[], { from, to }: Hours): (string | number)[][] {
  const first = Math.floor(from / halfHour);
  const rows = Array.from({ length: Math.floor(to / halfHour) - first + 1 }, (_, index) => {
    const start = (first + index) * halfHour;
    const within = exported.filter(({ time = 0 }) => start <= time && time < start + halfHour);
    const failed = within.filter(({ logCode }) => logCode === 9003);
    const users = new Set(failed.flatMap(({ username }) => username ?? []));
    const comments = within.filter(({ logCode }) => logCode === 217041);
    const label = new Date(start).toISOString().slice(0, 16).replace('T', ' ');
    return [label, failed.length, users.size, comments.length];
  });
  return rows.filter(([, failed, , comments]) => failed !== 0 || comments !== 0);
}

/** The hours that the demo exports, milliseconds since the epoch. */
interface Hours {
  readonly from: number;
  readonly to: number;
}

const kills = [
  { to: 'to the whole group, as Ctrl-C in a terminal', kill: (pid: number) => process.kill(-pid, 'SIGINT') },
  { to: 'to npm alone', kill: (pid: number) => process.kill(pid, 'SIGTERM') },
];

describe('the demo', () => {
  largeTest('finds what a plain look at the logs finds, and leaves nothing behind', async () => {
    await using temporary = await folder();
    const { code, out, err } = await run(['demo', '--json'], { environment: { TMPDIR: temporary.path } });
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('is running at the deployment') });
    const { export: result, searches, sql, hours } = JSON.parse(out);
    // The incident has just ended, so that it is in what an export of the last hours brings.
    const ago = Date.now() - hours.to;
    expect([hours.to - hours.from, 0 <= ago && ago < 600_000]).toEqual([36 * 3_600_000, true]);
    const exported = [...incidentLogs({ until: hours.to })];
    const answers = answersFrom(exported);

    expect(result).toMatchObject({ logs: exported.length, unreadable: 0, complete: true, gaps: [] });
    expect(searches.map(({ count }: { count: number }) => count)).toEqual(answers.map((logs) => logs.length));
    for (const [index, { first }] of searches.entries()) {
      expect(first.map(({ log }: { log: Log }) => log)).toEqual(answers[index]?.slice(0, 3));
    }
    expect(sql.rows.map((row: unknown[]) => row.slice(0, 4))).toEqual(halfHours(exported, hours));
    for (const logs of answers) expect(logs.length).toBeGreaterThan(0);

    expect(await readdir(temporary.path)).toEqual([]);
  });

  test.each(sampled(['SIGINT', 'SIGTERM'] as const, 1))(
    '%s at any moment leaves nothing behind',
    async (signal) => {
      await using temporary = await folder();
      const environment = { TMPDIR: temporary.path };
      // While it loads, while the deployment starts, and at several moments from the submission of the job on.
      for (const moment of sampled([0, 400, 'submitted', 'submitted + 700'], 1)) {
        const { child, ended, printed } = start(['demo'], { environment });
        if (typeof moment === 'string') await printed('is running at the deployment');
        await sleep(Number(String(moment).replace(/\D/g, '')));
        child.kill(signal);
        const { code, signal: killedBy } = await ended;
        // A server that has not begun to listen is ended by the signal itself.
        expect([130, signal], `at ${moment}`).toContain(code ?? killedBy);
        expect(await readdir(temporary.path), `at ${moment}`).toEqual([]);
      }
    },
  );

  test.each(sampled(kills, 1))('under npm a signal $to ends it too', async ({ kill }) => {
    await using temporary = await folder();
    const environment = { TMPDIR: temporary.path };
    const { child, ended, printed } = startProgram('npm', ['run', 'demo'], { environment, detached: true });
    await printed('is running at the deployment');
    kill(child.pid ?? 0);
    // The outputs are closed when the last process that holds them has ended.
    const { out } = await ended;
    expect(out).not.toContain('Try next');
    expect(await readdir(temporary.path)).toEqual([]);
  });
});
