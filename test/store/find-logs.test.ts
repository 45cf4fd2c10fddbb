import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import {
  countBy,
  countLogs,
  findLogs,
  type StreamOptions,
  streamLogs,
} from '../../src/case/searching/find-logs.ts';
import type { StoredLog } from '../../src/case/searching/stored-log.ts';
import { type Filter, matchAllFilter } from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { type Log, textFields } from '../../src/records/log.ts';
import { compareCursors } from '../../src/records/log-order.ts';
import { rounds, sampled } from '../effort.ts';

const logs: readonly Log[] = [
  { time: 3, logLevel: 'SEVERE', msg: 'Request timed out', logCode: 9003, elapsed: 0 },
  { time: 1, logLevel: 'INFO', msg: 'Request done', logCode: 9029, elapsed: 0.1 },
  { logLevel: 'INFO', msg: 'without a time' },
  { time: 3, logLevel: 'WARNING', msg: 'out, timed', source: 'Sharing' },
];

const filterOf = (query: string): Filter => resolve(parse(query).query);

async function stored(): Promise<Case> {
  const into = await openCase(':memory:', { access: 'write' });
  await addLogs(into, logs, { part: 'test' });
  return into;
}

test.each(
  sampled<[string, number[]]>(
    [
      ['msg:"timed out"', [1]],
      ['msg:timed AND logLevel:SEVERE', [1]],
      ['timed', [4, 1]],
      ['NOT request', [4, 3]],
      ['logCode:[9000 TO 9010]', [1]],
      ['elapsed:[0 TO 0.1]', [1, 2]],
      [`source:"' OR 1=1 --"`, []],
      ['source:*', [4]],
    ],
    3,
  ),
)('%s', async (query, ids) => {
  await using from = await stored();
  const found = await findLogs(from, filterOf(query), { limit: 10 });
  expect(found.map(({ id }) => id)).toEqual(ids);
  expect(await countLogs(from, filterOf(query))).toBe(ids.length);
});

test('newest first, ties by id, those without a time last in both orders', async () => {
  await using from = await stored();
  const ids = async (order: 'newest' | 'oldest') =>
    (await findLogs(from, matchAllFilter, { limit: 10, order })).map(({ id }) => id);
  expect(await ids('newest')).toEqual([4, 1, 2, 3]);
  expect(await ids('oldest')).toEqual([2, 1, 4, 3]);
});

test('a limit and an offset page through the logs', async () => {
  await using from = await stored();
  const page = async (offset: number) =>
    (await findLogs(from, matchAllFilter, { limit: 3, offset })).map(({ id }) => id);
  expect([...(await page(0)), ...(await page(3))]).toEqual([4, 1, 2, 3]);
  expect(await findLogs(from, matchAllFilter, { limit: 0 })).toEqual([]);
  expect(await findLogs(from, matchAllFilter, { limit: Number.POSITIVE_INFINITY })).toHaveLength(4);
});

describe('more logs than are sorted at a time', () => {
  /** A hundred of them are sorted at a time, since they are long. Every fourth has no time, others share theirs. */
  const texts = ['a', 'b'].map((letter) => letter.repeat(120_000));
  const many = Array.from(
    { length: 1_200 },
    (_, at): Log => ({
      ...(at % 4 && { time: 1_000 - ((at * 7) % 90) }),
      msg: at % 3 ? `m ${at}` : `${texts[at % 2]} ${at}`,
    }),
  );
  const placesOf = (order: 'newest' | 'oldest', matches: (at: number) => boolean) =>
    many
      .flatMap((log, at) =>
        matches(at) ? [{ id: at + 1, ...(log.time !== undefined && { time: log.time }) }] : [],
      )
      .sort((one, other) => compareCursors(one, other, order));

  test.each(sampled(['newest', 'oldest'] as const, 1))('come in one order, the %s first', async (order) => {
    await using into = await openCase(':memory:', { access: 'write' });
    const bytes = Buffer.from(many.map((log) => JSON.stringify(log)).join('\n'));
    await addFile(into, { name: 'many.ndjson', bytes });
    const idsOf = async (options: StreamOptions, filter: Filter = matchAllFilter) => {
      const ids: number[] = [];
      for await (const { id } of streamLogs(into, filter, { order, ...options })) ids.push(id);
      return ids;
    };
    const places = placesOf(order, () => true);
    const ids = places.map(({ id }) => id);
    expect(await idsOf({})).toEqual(ids);
    for (const limit of sampled([1_001, 5_000], 1))
      expect(await idsOf({ limit })).toEqual(ids.slice(0, limit));
    for (const at of sampled([0, 99, 100, 450, 950, 1_198], 2))
      expect(await idsOf(at ? { after: places[at] ?? expect.unreachable() } : {})).toEqual(
        ids.slice(at && at + 1),
      );
    expect(await idsOf({}, filterOf('m'))).toEqual(placesOf(order, (at) => at % 3 > 0).map(({ id }) => id));
    expect(await idsOf({}, filterOf('nothing'))).toEqual([]);
    const found = await findLogs(into, matchAllFilter, { order, limit: 1_100, offset: 7 });
    expect(found.map(({ id }) => id)).toEqual(ids.slice(7, 1_107));
  });
});

test('a log comes back as it was, with its place', async () => {
  await using from = await stored();
  expect(await findLogs(from, filterOf('done'), { limit: 1 })).toEqual([
    { id: 2, part: 1, entry: 'test', position: 2, log: logs[1] },
  ]);
});

test('any text comes back as it was, in every field and in every way', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1 });
  const log: fc.Arbitrary<Log> = fc.record(Object.fromEntries(textFields.map((field) => [field, text])), {
    requiredKeys: [],
  });
  await fc.assert(
    fc.asyncProperty(fc.array(log, { minLength: 1, maxLength: 5 }), text, async (written, entry) => {
      await using into = await openCase(':memory:', { access: 'write' });
      await addLogs(into, written, { part: entry });
      const inOrder = { order: 'oldest', limit: 10 } as const;
      const found = await findLogs(into, matchAllFilter, inOrder);
      expect(found.map((each) => each.log)).toEqual(written);
      expect(found.map((each) => each.entry)).toEqual(written.map(() => entry));
      for (const options of [{}, inOrder]) {
        const streamed: StoredLog[] = [];
        for await (const each of streamLogs(into, matchAllFilter, options)) streamed.push(each);
        expect(streamed).toEqual(found);
      }
    }),
    { numRuns: rounds(30, 5) },
  );
});

test('logs that are added under one name are one part, others another', async () => {
  await using into = await stored();
  await addLogs(into, [{ msg: 'e' }], { part: 'test' });
  await addLogs(into, [{ msg: 'f' }], { part: 'other' });
  await addLogs(into, [], { part: 'other' });
  const found = await findLogs(into, matchAllFilter, { limit: 10, order: 'oldest' });
  expect(found.slice(-3)).toEqual([
    { id: 3, part: 1, entry: 'test', position: 3, log: logs[2] },
    { id: 5, part: 1, entry: 'test', position: 5, log: { msg: 'e' } },
    { id: 6, part: 2, entry: 'other', position: 1, log: { msg: 'f' } },
  ]);
});

test('a stream gives all, in order, and can be left', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const many = Array.from({ length: 10_000 }, (_, index) => ({ time: index % 5_000, msg: `m${index}` }));
  await addLogs(into, many, { part: 'test' });
  const ids: number[] = [];
  for await (const { id } of streamLogs(into, matchAllFilter)) ids.push(id);
  const sorted = await findLogs(into, matchAllFilter, { limit: 10_000, order: 'oldest' });
  expect(ids).toEqual(sorted.map(({ id }) => id));
  for await (const { id } of streamLogs(into, matchAllFilter, { order: 'newest' })) {
    expect(id).toBe(10_000);
    break;
  }
  const few = [];
  for await (const { id } of streamLogs(into, filterOf('msg:m7'), { limit: 3 })) few.push(id);
  expect(few).toEqual([8]);
});

test('a stream is as of its beginning', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  await addLogs(
    into,
    Array.from({ length: 9_000 }, (_, time) => ({ time })),
    { part: 'test' },
  );
  let count = 0;
  for await (const _ of streamLogs(into, matchAllFilter)) {
    if (count++ === 0) await addLogs(into, [{ time: 1e6 }], { part: 'test' });
  }
  expect(count).toBe(9_000);
});

test('the values of a field are counted, the most frequent first', async () => {
  await using from = await stored();
  expect(await countBy(from, 'logLevel', matchAllFilter)).toEqual([
    { value: 'INFO', count: 2 },
    { value: 'SEVERE', count: 1 },
    { value: 'WARNING', count: 1 },
  ]);
  expect(await countBy(from, 'source', matchAllFilter, { limit: 1 })).toEqual([{ count: 3 }]);
  expect(await countBy(from, 'time', matchAllFilter)).toEqual([
    { value: 3, count: 2 },
    { value: 1, count: 1 },
    { count: 1 },
  ]);
  expect(await countBy(from, 'logCode', filterOf('timed'))).toEqual([
    { value: 9003, count: 1 },
    { count: 1 },
  ]);
});
