import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { run } from './run-in-process.ts';

const day = 86_400_000;
const noon = Date.UTC(2025, 2, 11, 12);

/** Two days: requests on both, and on the second a pool that runs dry for one service. */
const logs: readonly Log[] = [
  ...Array.from(
    { length: 40 },
    (_, index): Log => ({
      time: noon + (index % 2) * day + index,
      logLevel: 'INFO',
      source: `Maps/S${(index >> 1) % 4}`,
      msg: `Request to 'S${index % 4}' took ${index}.5 s`,
    }),
  ),
  ...Array.from(
    { length: 12 },
    (_, index): Log => ({
      time: noon + day + index,
      logLevel: 'SEVERE',
      logCode: 110035,
      source: 'Data',
      msg: `Pool 'hosted' has run dry, ${index} wait`,
    }),
  ),
  { time: noon, logLevel: 'INFO', msg: 'a\u001b[31m\u202eb' },
];

let path = '';
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'patterns-test-')), 'days.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, logs, { part: 'all' });
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

describe('patterns', () => {
  test('are listed with their share, the most frequent first', async () => {
    const { code, out, err } = await run(['patterns', path]);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[1]).toMatch(/^[\da-f]{10} +40 +75\.5 % +INFO +█ +█ +Request to '<text>' took <number> s$/);
    expect(lines[2]).toContain("Pool '<text>' has run dry, <number> wait");
    expect(out).not.toMatch(/[\u001b\u202e]/);
    expect(err).toBe('3 patterns of 53 logs.\n');
  });

  test('of a query, the rarest first, cut with a word', async () => {
    const { out, err } = await run([
      'patterns',
      path,
      '--search',
      'NOT source:Data',
      '--rare',
      '--limit',
      '1',
      '--csv',
    ]);
    expect(out.split('\n')).toHaveLength(3);
    expect(out).not.toContain('Request');
    expect(err).toBe('2 patterns of 41 logs, 1 more with --limit 2.\n');
  });

  test('without a log before a time', async () => {
    const { out } = await run(['patterns', path, '--new-since', '2025-03-12', '--json']);
    const { patterns } = JSON.parse(out);
    expect(patterns).toMatchObject([
      {
        template: "Pool '<text>' has run dry, <number> wait",
        count: 12,
        query: 'msg:"has run dry,"',
      },
    ]);
  });

  test('of logs that options select', async () => {
    const { err } = await run(['patterns', path, '--level', 'SEVERE', '--from', '2025-03-12']);
    expect(err).toBe('1 pattern of 12 logs.\n');
    const refused = await run(['patterns', path, '--new-since', '2025-03-12', '--last', '2h']);
    expect([refused.code, refused.err.includes('exclude each other')]).toEqual([2, true]);
  });

  test('of an id are described by their values', async () => {
    const { out: list } = await run(['patterns', path, '--ndjson', '--limit', '1']);
    const { id, query } = JSON.parse(list);
    const { out } = await run(['patterns', path, '--id', id.slice(0, 6)]);
    expect(out).toContain('40 logs, 2025-03-11 12:00:00.000 to 2025-03-12 12:00:00.039');
    expect(out).toContain('\n1. <text>: S0 10, S1 10, S2 10, S3 10\n');
    expect(out).toMatch(/\n2\. <number>: (\d+\.5 1, ){5}35 other values\n/);
    expect(out).toContain(`\ninclude: ${query}\nexclude: NOT (${query})\n`);
    const { out: found } = await run(['search', query, path, '--count']);
    expect(found.trim()).toBe('40');
    const { out: others } = await run(['search', `NOT (${query})`, path, '--count']);
    expect(others.trim()).toBe('13');
  });

  test('of an unknown or ambiguous id are none', async () => {
    for (const id of ['zz', '']) {
      const { code, err } = await run(['patterns', path, '--id', id]);
      expect([code, err]).toEqual([
        1,
        `No single pattern of these logs has an id that begins with "${id}".\n`,
      ]);
    }
  });

  test.each([
    [['--search', 'a AND ('], 1, 'error:'],
    [['--id', 'a', '--limit', '3'], 2, 'exclude each other'],
    [['--limit', '0'], 2, '--limit must be'],
  ])('refuse %j', async (options, code, message) => {
    const ran = await run(['patterns', path, ...options]);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(message);
  });
});

describe('diff', () => {
  test('of two days names what is new, by its rate, in one group', async () => {
    const days = ['2025-03-11..2025-03-12', '2025-03-12..2025-03-13'];
    const { code, out, err } = await run(['diff', ...days, path, '--json']);
    expect(code).toBe(0);
    const { groups, before, after } = JSON.parse(out);
    expect(groups.slice(1)).toEqual([]);
    expect([before, after, groups.length]).toEqual([21, 32, 1]);
    expect(err.split('\n')).toEqual([
      'The interval BEFORE is cut to the time of the logs, for the rates: 2025-03-11 12:00:00.000 to 2025-03-11 23:59:59.999.',
      'The interval AFTER is cut to the time of the logs, for the rates: 2025-03-12 00:00:00.000 to 2025-03-12 12:00:00.039.',
      '',
    ]);
    const named = groups[0].differences.map(
      (each: { kind: string; field: string }) => `${each.kind} ${each.field}`,
    );
    expect(named.sort()).toEqual(['new logCode', 'new logLevel', 'new msg', 'new source']);
  });

  test('of two queries is a table', async () => {
    const { out, err } = await run(['diff', 'logLevel:INFO', 'logLevel:SEVERE', path]);
    expect(out).toMatch(/^group {2}change {2}before {2}after {2}rate {2}field +pattern or value\n/);
    expect(out).toMatch(/\n +\d+ {2}gone +41 +0 +logLevel +INFO\n/);
    expect(err).toMatch(/^41 logs before, 12 after: \d groups among \d+ patterns and values\.\n$/);
  });

  test('of a case and itself finds nothing', async () => {
    const { code, err } = await run(['diff', path, path]);
    expect([code, err]).toEqual([
      0,
      '53 logs before, 53 after: no difference among 11 patterns and values.\n',
    ]);
  });

  test.each([
    [['one'], 2, 'diff requires BEFORE and AFTER'],
    [['2025-03-12..2025-03-11', 'a', 'x.duckdb'], 2, 'ends before it begins'],
    [['a AND (', 'b', 'x.duckdb'], 1, 'error:'],
    [['a.duckdb', 'b.duckdb'], 2, 'does not exist'],
  ])('refuses %j', async (words, code, message) => {
    const ran = await run(['diff', ...words]);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(message);
  });
});
