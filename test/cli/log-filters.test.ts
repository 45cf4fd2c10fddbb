import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { joinLogFilters, type LogFilterValues, readLogFilters } from '../../src/cli/input/log-filters.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

const start = Date.parse('2025-03-12T00:00:00Z');
const hour = 3_600_000;
const logs: readonly Log[] = [
  {
    time: start - 1,
    logLevel: 'SEVERE',
    username: 'ann',
    source: 'Sharing',
    logCode: 9003,
    msg: 'a timeout',
  },
  {
    time: start,
    logLevel: 'WARNING',
    username: 'ann',
    source: 'Maps/Roads.MapServer',
    logCode: 7615,
    msg: 'a',
  },
  { time: start + 8 * hour, logLevel: 'SEVERE', username: 'ann lee', source: 'Sharing', msg: 'timeout' },
  { time: start + 24 * hour - 1, logLevel: 'INFO', username: 'ann', source: 'Sharing', logCode: 1, msg: 'b' },
  { time: start + 24 * hour, logLevel: 'SEVERE', source: 'Sharing', requestID: 'r', logCode: 9003, msg: 'b' },
  { logLevel: 'SEVERE', username: 'bob', source: 'Sharing', logCode: 9003, msg: 'without a time' },
];

let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-filters-test-'));
  path = join(folder, 'case.duckdb');
  const file = join(folder, 'logs.ndjson');
  await writeFile(file, logs.map((log) => `${JSON.stringify(log)}\n`).join(''));
  await run(['import', file, '--into', path]);
});
afterAll(() => rm(folder, { recursive: true }));

async function idsOf(...words: string[]): Promise<readonly number[]> {
  const { out, err, code } = await run(['search', '*:*', path, '--json', '--oldest', ...words]);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out)
    .logs.map(({ id }: { id: number }) => id)
    .sort();
}

test.each(
  sampled<[string, number[]]>(
    [
      ['--from 2025-03-12', [2, 3, 4, 5]],
      ['--to 2025-03-12', [1, 2, 3, 4]],
      ['--from 2025-03-12 --to 2025-03-12', [2, 3, 4]],
      ['--from 2025-03-12T10:00+02:00 --to 2025-03-12T08:00', [3]],
      ['--level severe', [1, 3, 5, 6]],
      ['--level SEVERE --level INFO', [1, 3, 4, 5, 6]],
      ['--level SEVERE,INFO --from 2025-03-12', [3, 4, 5]],
      ['--user ann', [1, 2, 4]],
      ['--user ann --user bob', [1, 2, 4, 6]],
      ['--code 9003,1', [1, 4, 5, 6]],
      ['--source Maps/Roads.MapServer', [2]],
      ['--source sharing', []],
      ['--source Sharing --user ann --level SEVERE', [1]],
    ],
    3,
  ),
)('search %s', async (words, ids) => {
  expect(await idsOf(...words.split(' '))).toEqual(ids);
});

test('the options narrow the query, which keeps its own meaning', async () => {
  const count = (query: string, ...words: string[]) =>
    run(['search', query, path, '--count', ...words]).then(({ out }) => Number(out));
  expect(await count('msg:timeout OR msg:b', '--level', 'SEVERE')).toBe(3);
  expect(await count('NOT msg:timeout', '--level', 'SEVERE')).toBe(2);
});

test('the options do not change the relevance', async () => {
  const best = async (...words: string[]) =>
    JSON.parse((await run(['search', 'timeout', path, '--best', '--json', ...words])).out).logs;
  const all: readonly { id: number; score: number }[] = await best();
  expect(await best('--level', 'SEVERE', '--source', 'Sharing', '--from', '2025-01-01')).toEqual(all);
  expect(await best('--user', 'ann')).toEqual(all.filter(({ id }) => id === 1));
});

test('histogram, top and trace take them', async () => {
  const json = async (...words: string[]) => JSON.parse((await run([...words, '--json'])).out);
  expect(await json('histogram', path, '--every', '1d', '--user', 'ann')).toMatchObject({ total: 3 });
  expect(await json('top', 'logCode', path, '--level', 'SEVERE', '--to', '2025-03-13')).toMatchObject({
    total: 3,
  });
  expect((await run(['trace', 'r', path, '--ndjson', '--level', 'SEVERE'])).err).toContain('1 log in');
  expect((await run(['trace', 'r', path, '--level', 'INFO'])).err).toContain('No log has the request');
});

test('a hand-over holds them, and is verified with them', async () => {
  const out = join(folder, 'out');
  const words = ['--level', 'SEVERE', '--from', '2025-03-12', '--json'];
  const manifest = JSON.parse((await run(['hand-over', '*:*', path, '--out', out, ...words])).out);
  expect(manifest).toMatchObject({
    found: 2,
    query: {
      text: '*:*',
      filters: { from: '2025-03-12T00:00:00.000Z', levels: ['SEVERE'], users: [], codes: [], sources: [] },
    },
  });
  expect(manifest.query.means.join('\n')).toContain('--level SEVERE');
  expect(await run(['verify', out, '--case', path])).toMatchObject({ code: 0 });
});

test('--explain shows the query with the options, and searches nothing', async () => {
  const words = [
    '--from',
    '2025-03-12',
    '--level',
    'SEVERE',
    '--level',
    'INFO',
    '--user',
    'ann',
    '--code',
    '1',
  ];
  expect(await run(['search', 'msg:a', 'missing.duckdb', '--explain', ...words])).toEqual({
    code: 0,
    out: `must match  msg:a  the message (msg) has the word "a"
must match  --from 2025-03-12T00:00:00.000Z  when it was logged, UTC (time) is 2025-03-12T00:00:00.000Z or later
must match  --level SEVERE --level INFO  the severity (logLevel) has any of the words "severe", "info"
must match  --user ann  the user on whose behalf it happened (username) is exactly "ann"
must match  --code 1  the code of the message (logCode) is 1
`,
    err: '',
  });
});

test('--explain shows times in the chosen zone, as they can be written again', async () => {
  const words = ['--from', '2025-03-30 03:00', '--zone', 'Europe/Berlin', '--explain'];
  const { out } = await run(['search', '*:*', 'missing.duckdb', ...words]);
  expect(out).toContain(
    '--from "2025-03-30 03:00:00.000 +02:00"  when it was logged, UTC (time) is 2025-03-30T01:',
  );
  expect(await idsOf('--from', '2025-03-12 09:00:00.000 +01:00')).toEqual([3, 4, 5]);
});

test('a search without a query is one of every log that the options select', async () => {
  const count = async (...words: string[]) => (await run(['search', ...words, '--count'])).out;
  expect(await count(path, '--level', 'SEVERE')).toBe('4\n');
  expect(await count(path, '--user', 'ann', '--from', '2025-03-12')).toBe('2\n');
  const other = join(folder, 'other.duckdb');
  await run(['import', join(folder, 'logs.ndjson'), '--into', other]);
  expect(await count(path, other, '--level', 'SEVERE')).toBe('8\n');
  expect(await count(join(folder, 'logs.ndjson'), '--code', '1')).toBe('1\n');
  expect((await run(['search', path, '--json', '--user', 'bob'])).out).toContain('"query": "*:*"');
});

test('a query that is the name of a file stays a query beside sources, and is reported', async () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    await copyFile(path, 'timeout');
    const word = await run(['search', 'timeout', path, '--count']);
    expect(word.out).toBe('2\n');
    expect(word.err).toContain('"timeout" is read as the query, though a file has this name.');
    const file = await run(['search', 'logs.ndjson', path, '--count']);
    expect(file.out).toBe('0\n');
    expect(file.err).toContain(`logquarry search '*:*' logs.ndjson ${path}`);
    expect((await run(['search', 'timeout', '-'], { input: '{"msg":"a"}' })).err).toContain(
      "'*:*' timeout -\n",
    );
    expect((await run(['search', './timeout', path, '--count'])).out).toBe('12\n');
  } finally {
    process.chdir(before);
  }
});

test('--last without any log that new says where the newest one is', async () => {
  const { out, err } = await run(['search', '*:*', path, '--last', '2h']);
  expect(out).toBe('');
  expect(err).toBe(
    `--last selects no log: the newest one is from 2025-03-13 00:00:00.000 (UTC). To select before that time instead: --from "2025-03-12 22:00:00.000"
No log matches.
`,
  );
  expect((await run(['search', '*:*', path, '--last', '100000d', '--count'])).out).toBe('5\n');
  expect((await run(['search', '*:*', path, '--last', '999999w', '--count'])).out).toBe('5\n');
});

test.each(
  sampled(
    [
      [
        ['--level', 'FATAL'],
        '--level must be one of SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG, got "FATAL"',
      ],
      [['--code', '9003x'], '--code must be whole numbers separated by commas, got "9003x"'],
      [['--code', '99999999999999999999'], '--code must be whole numbers'],
      [['--user', ' '], '--user must not be empty'],
      [['--source', ''], '--source must not be empty'],
      [['--last', '2'], '--last must be a duration such as 90s, 30m, 2h, 7d or 1w, got "2"'],
      [['--last', '2h', '--from', 'today'], '--last and --from exclude each other'],
      [['--from', '2025-03-12', '--to', '2025-03-11'], '--from must not be later than --to'],
    ],
    3,
  ),
)('%s is refused', async (words, message) => {
  const { code, err } = await run(['search', '*:*', path, ...words]);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

/** Few values, so that options and logs often meet; times at both ends of a range and beside them. */
const word = fc.constantFrom('ann', 'Ann', 'ann lee', 'bob', '');
const level = fc.constantFrom('SEVERE', 'WARNING', 'INFO');
const code = fc.constantFrom(0, -1, 9003, 2 ** 53 - 1);
const time = fc.integer({ min: -2, max: 3 });
const anyLog: fc.Arbitrary<Log> = fc
  .record(
    { time, logLevel: level, username: word, source: word, logCode: code, msg: word },
    { requiredKeys: [] },
  )
  .map((each) => each);
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });
const filled = word.filter((each) => each !== '');
const anyOptions = fc.record({
  from: fc.option(
    time.map((each) => () => each),
    { nil: undefined },
  ),
  to: fc.option(
    time.map((each) => () => each + 5),
    { nil: undefined },
  ),
  last: fc.constant(undefined),
  level: list(level),
  user: list(filled),
  source: list(filled),
  code: list(code.map(String)),
});
const anyQuery = fc.constantFrom('*:*', 'ann', 'msg:bob OR msg:ann', 'NOT msg:ann', 'lee AND NOT bob');

/** The options as a person reads them, apart from filters. */
function isSelected(log: Log, options: LogFilterValues): boolean {
  const isAmong = (values: readonly string[], value: unknown) =>
    values.length === 0 || (value !== undefined && values.includes(String(value)));
  const [from, to] = [options.from?.(0), options.to?.(0)];
  const { time = Number.NaN } = log;
  return (
    (from === undefined || from <= time) &&
    (to === undefined || time <= to) &&
    isAmong(options.level, log.logLevel) &&
    isAmong(options.user, log.username) &&
    isAmong(options.source, log.source) &&
    isAmong(options.code, log.logCode)
  );
}

test('a query with options selects the logs that match both, in a case as by match', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLog, { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(anyQuery, anyOptions), { minLength: 3, maxLength: 10 }),
      async (logs, asked) => {
        await using stored = await openCase(':memory:', { access: 'write' });
        await addLogs(stored, logs, { part: 'random' });
        for (const [query, options] of asked) {
          const scored = resolveScored(parse(query).query, {});
          const { filter } = joinLogFilters(scored, readLogFilters(options, 0));
          const both = logs.flatMap((log, at) =>
            match(scored.filter, log) && isSelected(log, options) ? [at + 1] : [],
          );
          expect(logs.flatMap((log, at) => (match(filter, log) ? [at + 1] : []))).toEqual(both);
          const found = await findLogs(stored, filter, { limit: logs.length });
          expect(found.map(({ position }) => position).sort((a, b) => a - b)).toEqual(both);
        }
      },
    ),
    { numRuns: rounds(25, 4) },
  );
});

largeTest(
  'intervals of a histogram begin at midnight, weeks on Monday, with an index and without',
  async () => {
    const edges = ['2025-03-09T23:59:59.999Z', '2025-03-10T00:00:00.000Z', '2025-03-16T23:59:59.999Z'];
    const file = join(folder, 'weeks.ndjson');
    await writeFile(file, edges.map((each) => `{"time":${Date.parse(each)},"msg":"a"}\n`).join(''));
    const weeks = join(folder, 'weeks.duckdb');
    await run(['import', file, '--into', weeks]);
    const counts = async (...words: string[]) =>
      JSON.parse((await run(['histogram', weeks, '--json', ...words])).out).buckets.flatMap(
        ({ start, count }: { start: number; count: number }) =>
          count === 0 ? [] : [[new Date(start).toISOString().slice(0, 10), count]],
      );
    const ofWeeks = [
      ['2025-03-03', 1],
      ['2025-03-10', 2],
    ];
    for (const isIndexed of [false, true]) {
      if (isIndexed) await run(['index', weeks]);
      expect(await counts('--every', '1w')).toEqual(ofWeeks);
      expect(await counts('--every', '7d', '--by', 'msg')).toEqual(ofWeeks);
      expect(await counts('--every', '1d')).toEqual([
        ['2025-03-09', 1],
        ['2025-03-10', 1],
        ['2025-03-16', 1],
      ]);
    }
  },
);
