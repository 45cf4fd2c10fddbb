import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StoredWindow, saveExportChanges } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { histogramLines } from '../../src/cli/commands/histogram.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import { run } from './run-in-process.ts';

let path = '';
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'histogram-test-')), 'asked.duckdb');
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, [{ time: 1_000 }, { time: 2_000 }, { time: 2_001 }, { time: 6_000 }], { part: 'all' });
  const kept = {
    export: 1,
    deployment: 'https://gis.example.com/admin',
    request: {},
    learnt: {},
    started: 0,
    settings: { via: 'search', windowBy: 'auto', timeField: 'time', from: '', to: '' },
    oldest: 1_000,
    newest: 6_999,
  };
  const window = { export: 1, attempts: 0, updated: 0 };
  const windows: readonly StoredWindow[] = [
    { ...window, window: 1, oldest: 1_000, newest: 1_999, state: 'loaded' },
    { ...window, window: 2, oldest: 2_000, newest: 2_999, state: 'loaded', missing: 1 },
    { ...window, window: 3, oldest: 3_000, newest: 3_999, state: 'failed' },
    { ...window, window: 4, oldest: 6_000, newest: 6_499, state: 'loaded' },
  ];
  await saveExportChanges(into, () => ({ export: kept, windows }));
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

test('a time of which logs are missing shows that, and one that was never asked for is dots', async () => {
  const { out, err } = await run(['histogram', path, '--every', '1s']);
  const half = '█'.repeat(24);
  expect(out).toBe(`time (UTC)           logs
1970-01-01 00:00:01     1  ${half}▌
1970-01-01 00:00:02     2  ${half}${half}█▒
1970-01-01 00:00:03     0  ░
1970-01-01 00:00:04     0  ${'·'.repeat(49)}
1970-01-01 00:00:05     0  ${'·'.repeat(49)}
1970-01-01 00:00:06     1  ${half}▌·
`);
  expect(err).toBe(
    '4 logs.\n▒ incomplete  ░ not exported yet  █· partly requested  ··· never requested: see "logquarry coverage".\n',
  );
});

test('JSON says it too', async () => {
  const { out } = await run(['histogram', path, '--every', '1s', '--json']);
  expect(JSON.parse(out).buckets.map(({ known }: { known: string }) => known)).toEqual([
    ...['complete', 'capped', 'open', 'never', 'never', 'partly'],
  ]);
});

test('what was never asked for is grey in a terminal', () => {
  const buckets = [
    { start: 0, count: 1, known: 'complete' },
    { start: 1000, count: 0, known: 'never' },
  ] as const;
  const [, first, second] = histogramLines(
    { every: 1000, total: 1, timeless: 0, buckets },
    { width: 40, style: toStyle(true) },
  );
  expect(first).not.toContain('\u001b[2m');
  expect(second).toMatch(/^\u001b\[2m.*·\u001b\[22m$/);
});

test.each<[number, string]>([
  [
    60,
    `
time (UTC)        logs  SEVERE  WARNING  others
1970-01-01 00:00    10       5        3       2  ███████████`,
  ],
  [
    50,
    `
time (UTC)        logs  SEVERE  others
1970-01-01 00:00    10       5       5  ██████████`,
  ],
  [
    44,
    `
time (UTC)        logs  SEVERE
1970-01-01 00:00    10       5  ████████████`,
  ],
])('where a terminal has %i columns, values that find no room are with the others', (width, expected) => {
  const values = [
    { value: 'SEVERE', count: 5 },
    { value: 'WARNING', count: 3 },
    { value: 'INFORMATION', count: 2 },
  ];
  const histogram = {
    every: 60_000,
    total: 10,
    timeless: 0,
    buckets: [{ start: 0, count: 10, values, others: 0 }],
  };
  const lines = histogramLines(histogram, { width, style: toStyle(false) });
  expect(`\n${lines.join('\n')}`).toBe(expected);
});

test('what a case was asked for fits a narrow terminal', async () => {
  const { out } = await run(['coverage', path], { width: 40 });
  const lines = out.split('\n');
  expect(lines.filter((line) => 40 < line.length)).toEqual([]);
  expect(out).toContain(`
  capped    1970-01-01 00:00:02.000
            to 1970-01-01 00:00:02.999
`);
  expect(out).toMatch(/· *\n?never requested\n$/);
});

test('a long row of empty buckets takes two lines', () => {
  const empty = (length: number, start: number) =>
    Array.from({ length }, (_, at) => ({ start: start + at * 1_000, count: 0 }));
  const picture = (length: number) =>
    histogramLines(
      {
        every: 1_000,
        total: 2,
        timeless: 0,
        buckets: [{ start: 0, count: 1 }, ...empty(length, 1_000), { start: 9e6, count: 1 }],
      },
      { width: undefined, style: toStyle(false) },
    );
  expect(picture(40)).toHaveLength(43);
  expect(picture(4_001).slice(2)).toEqual([
    '1970-01-01 00:00:01     0',
    '⋮ 4,000 more like this',
    `1970-01-01 02:30:00     1  ${'█'.repeat(50)}`,
  ]);
});

test('empty buckets with different coverage are distinguished', () => {
  const buckets = (['never', 'complete'] as const).flatMap((known) =>
    Array.from({ length: 50 }, (_, start) => ({ start, count: 0, known })),
  );
  const lines = histogramLines(
    { every: 1_000, total: 0, timeless: 0, buckets },
    { width: undefined, style: toStyle(false) },
  );
  expect(lines.filter((line) => line === '⋮ 49 more like this')).toHaveLength(2);
});
