import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleReport, type Report } from '../../../src/analysis/report.ts';
import { addNote, saveSearch } from '../../../src/case/contents/notes.ts';
import { type Case, openCase } from '../../../src/case/file/case.ts';
import { addLogs } from '../../../src/case/loading/add-logs.ts';
import { verifyCase } from '../../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../../src/language/meaning/filter.ts';
import type { Log } from '../../../src/records/log.ts';

const noon = Date.UTC(2025, 2, 11, 12);
const minute = 60_000;

/** An hour of requests, ten minutes of failures of one service, and logs that fit nowhere. */
const logs: readonly Log[] = [
  ...Array.from(
    { length: 60 },
    (_, index): Log => ({
      time: noon + index * minute,
      logLevel: 'INFO',
      source: 'Maps/A',
      username: `u${index % 3}`,
      msg: `Request ${index} done`,
      elapsed: index,
    }),
  ),
  ...Array.from(
    { length: 10 },
    (_, index): Log => ({
      time: noon + (30 + index) * minute,
      logLevel: index === 0 ? 'severe' : 'SEVERE',
      source: 'Data',
      logCode: 9003,
      msg: `Pool ${index} is dry`,
      username: 'u1',
    }),
  ),
  { time: noon, logLevel: 'WARNING', source: 'Data\u0000"\'', msg: 'odd' },
  { logLevel: 'WARNING', msg: 'no time' },
  { time: noon + minute, logLevel: 'STRANGE', msg: 'no level', elapsed: Number.POSITIVE_INFINITY },
];

let folder: string;
let of: Case;
let report: Report;
const everything = { filter: matchAllFilter, requested: [], rules: [], sample: 12 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-report-'));
  of = await openCase(join(folder, 'a.duckdb'), { access: 'write', create: true });
  await addLogs(of, logs, { part: 'program' });
  await addNote(of, { logs: [60], text: 'the last request', tags: [], author: 'ada' });
  await saveSearch(of, { name: 'pool', query: 'msg:pool', author: 'ada' });
  report = await assembleReport(of, everything);
});
afterAll(async () => {
  await of[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('a report', () => {
  test('counts every log once in its timeline', () => {
    const { timeline } = report;
    expect(timeline).toMatchObject({ start: noon, every: minute / 2, buckets: 119 });
    expect(timeline.cells.reduce((sum, { count }) => sum + count, 0)).toBe(logs.length);
    expect(timeline.sources).toEqual(['Data', 'Data\u0000"\'', 'Maps/A']);
    const at = (bucket: number) => timeline.cells.filter((each) => each.bucket === bucket);
    expect(at(60)).toEqual([
      { bucket: 60, level: 0, source: 0, count: 1 },
      { bucket: 60, level: 2, source: 2, count: 1 },
    ]);
    expect(at(-1)).toEqual([{ bucket: -1, level: 1, source: 3, count: 1 }]);
    expect(at(2)).toContainEqual({ bucket: 2, level: 6, source: 3, count: 1 });
    expect([report.logs, report.timeless, report.first, report.last]).toEqual([
      ...[logs.length, 1, noon, noon + 59 * minute],
    ]);
  });

  test('ranks services and failures, with figures that follow from the logs', () => {
    expect(report.sources.total).toBe(4);
    expect(report.sources.values[0]).toEqual({
      source: 'Data',
      count: 10,
      severe: 10,
      warnings: 0,
      users: 1,
      measured: 0,
      first: noon + 30 * minute,
      last: noon + 39 * minute,
    });
    // An elapsed time of 0 is none.
    expect(report.sources.values.find(({ source }) => source === 'Maps/A')).toMatchObject({
      count: 60,
      measured: 59,
      median: 30,
      longest: 59,
      users: 3,
    });
    expect(report.failures.values[0]).toEqual({
      level: 'SEVERE',
      code: '9003',
      count: 10,
      sources: 1,
      users: 1,
      source: 'Data',
      first: noon + 30 * minute,
      last: noon + 39 * minute,
      id: 61,
      message: 'Pool 0 is dry',
    });
    expect(report.failures.total).toBe(2);
  });

  test('lists the most severe logs and those with notes, in the order of time', () => {
    expect(report.sample.map(({ id }) => id)).toEqual([71, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 60, 72]);
    expect(report.patterns.values[0]).toMatchObject({ template: 'Pool <number> is dry', count: 10 });
  });

  test('has notes, searches, and the head of a chain that is intact', async () => {
    expect(report.notes).toMatchObject([{ logs: [60], text: 'the last request' }]);
    expect(report.searches).toMatchObject([{ name: 'pool', query: 'msg:pool' }]);
    expect((await verifyCase(of)).head).toBe(report.evidence.head?.hash);
  });

  test('says what the data cannot say', async () => {
    const codes = (found: Report) => found.limitations.map(({ code }) => code);
    expect(codes(report)).toEqual(['not-exported', 'level', 'timeless', 'audit-trail']);
    const requested = [
      { oldest: noon, newest: noon + 10 * minute, state: 'complete' },
      { oldest: noon + 10 * minute + 1, newest: noon + 20 * minute, state: 'capped' },
    ] as const;
    const exported = await assembleReport(of, { ...everything, requested });
    expect(codes(exported)).toEqual(['capped', 'later', 'level', 'timeless', 'audit-trail']);
    expect(exported.timeline.coverage).toHaveLength(119);
    expect(exported.timeline.coverage.slice(19, 22)).toEqual(['complete', 'capped', 'capped']);
  });

  test('covers the selected logs only', async () => {
    const { sources, timeline, limitations, sample } = await assembleReport(of, {
      ...everything,
      filter: { kind: 'none' },
    });
    expect([sources.total, timeline.buckets, timeline.cells.length]).toEqual([0, 0, 0]);
    expect(limitations.map(({ code }) => code)).toContain('elapsed');
    expect(sample.map(({ id }) => id)).toEqual([60]);
  });
});
