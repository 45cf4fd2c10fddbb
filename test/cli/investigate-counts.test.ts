import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import { run } from './run-in-process.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'investigate-counts-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function caseOf(name: string, logs: readonly Log[]): Promise<string> {
  const path = join(folder, `${name}.duckdb`);
  await using into = await openCase(path, { access: 'write', create: true });
  await addLogs(into, logs, { part: 'all' });
  return path;
}

const minute = 60_000;
const begin = Date.UTC(2025, 2, 11);

/** Messages of which some have the words of others, and names of which some are the beginning of others. */
const messages = [
  'failed.',
  'Step failed. Again later',
  'The step failed.',
  'pool is dry',
  'the pool is dry, it failed.',
];
const sources = ['Rest', 'Rest Catalog', 'Catalog'];

const kinds = fc.record({
  msg: fc.constantFrom(...messages),
  source: fc.constantFrom(...sources),
  level: fc.constantFrom('SEVERE', 'WARNING', 'INFO', 'FINE'),
  code: fc.constantFrom(undefined, 9003, 8252),
});

/** A day of the usual kinds, of which one becomes frequent, and of new kinds at any time. */
const days = fc.record({
  usual: fc.array(kinds, { minLength: 1, maxLength: 4 }),
  fresh: fc.array(kinds, { minLength: 1, maxLength: 3 }),
  onset: fc.integer({ min: 0, max: 23 * 60 }),
  length: fc.integer({ min: 20, max: 180 }),
});

function logsOf({
  usual,
  fresh,
  onset,
  length,
}: typeof days extends fc.Arbitrary<infer T> ? T : never): Log[] {
  const toLog = ({ msg, source, level, code }: (typeof usual)[number], at: number): Log => ({
    time: begin + Math.round(at * minute),
    msg,
    source,
    logLevel: level,
    ...(code !== undefined && { logCode: code }),
  });
  return [
    ...usual.flatMap((kind, index) =>
      Array.from({ length: 300 }, (_, at) => toLog(kind, (at * 1440) / 300 + ((at * (7 + index)) % 5))),
    ),
    ...fresh.flatMap((kind, index) =>
      Array.from({ length: 90 }, (_, at) => toLog(kind, onset + (at * length) / 90 + index / 7)),
    ),
  ];
}

const plain = (text: string) => Number(text.replaceAll(',', ''));

test('each number of logs is that of its query, or the query selects so many more', async () => {
  const seen = { exact: 0, more: 0 };
  let round = 0;
  await fc.assert(
    fc.asyncProperty(days, async (day) => {
      const path = await caseOf(`day-${round++}`, logsOf(day));
      const { out } = await run(['investigate', path], { width: 1000 });
      const lines = out.split('\n');
      for (const [index, line] of lines.entries()) {
        const query = /^ {13}(\S+:.*)$/.exec(lines[index + 1] ?? '')?.[1];
        if (query === undefined || /^(slower|faster|before) /.test(line)) continue;
        const own = /^(?:new|gone|more|less) since [^;]*?: ([\d,]+)|([\d,]+) logs?\b/.exec(line);
        const count = /the only log/.test(line) ? 1 : plain(own?.[1] ?? own?.[2] ?? 'none');
        const others = plain(/the query selects ([\d,]+) more/.exec(line)?.[1] ?? '0');
        const { out: found } = await run(['search', query, path, '--count']);
        expect(`${line}: ${count + others}`).toBe(`${line}: ${Number(found.replaceAll(',', ''))}`);
        seen[0 < others ? 'more' : 'exact']++;
      }
    }),
    { numRuns: rounds(60, 8) },
  );
  expect(seen.exact).toBeGreaterThan(0);
  expect(seen.more).toBeGreaterThan(0);
}, 300_000);

test('a pattern whose words others have says how many more its query selects', async () => {
  const kind = (msg: string, count: number, at: number): Log[] =>
    Array.from({ length: count }, (_, index) => ({
      time: begin + (at + index) * 1000,
      msg,
      logLevel: 'INFO',
    }));
  const path = await caseOf('failed', [
    ...kind('failed.', 10, 0),
    ...kind('It is the disk that failed.', 74, 900),
  ]);
  const { out: list } = await run(['patterns', path, '--ndjson', '--limit', '9']);
  const patterns = list
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { id, query } = patterns.find(({ template }) => template === 'failed.');
  const { out } = await run(['patterns', path, '--id', id]);
  expect(out).toContain('\nThe query selects 84 logs: 74 more than are of this pattern here.\n');
  const { out: found } = await run(['search', query, path, '--count']);
  expect(found.trim()).toBe('84');
});

/** A day of a request a minute and of failures in its last two hours, with an act of administration at an hour, if any. */
function failing({ administered }: { readonly administered?: number }): Log[] {
  const traffic = Array.from(
    { length: 48 * 60 },
    (_, at): Log => ({
      time: begin + at * minute,
      logLevel: 'FINE',
      logCode: 9000,
      source: 'Maps.MapServer',
      msg: 'Request was handled.',
    }),
  );
  const failures = traffic
    .slice(-120)
    .map((log): Log => ({ ...log, logLevel: 'SEVERE', logCode: 8252, msg: 'No answer.' }));
  const act: Log[] =
    administered === undefined
      ? []
      : [
          {
            time: begin + administered * 60 * minute,
            logLevel: 'INFO',
            logCode: 1320,
            msg: 'Secrets rotated.',
          },
        ];
  return [...traffic, ...failures, ...act];
}

test('logs without any act of administration may have lost them, and imported ones know of no gap', async () => {
  const { out } = await run(['investigate', await caseOf('none', failing({}))], { width: 1000 });
  expect(out).toMatch(/^before +In these logs no act of administration and no upgrade, at no time: /m);
  expect(out).not.toContain('In the day before');
  expect(out).toMatch(/^gaps +No source is silent\. Unknown is what these files lack/m);
  const { out: early } = await run(['investigate', await caseOf('early', failing({ administered: 3 }))], {
    width: 1000,
  });
  expect(early).toMatch(
    /^before +In the day before: no act of administration and no upgrade in these logs\.$/m,
  );
  const filtered = await run(
    ['investigate', join(folder, 'early.duckdb'), '--level', 'SEVERE', '--level', 'FINE'],
    { width: 1000 },
  );
  expect(filtered.out).toMatch(/^before +In these logs no act of administration/m);
});
