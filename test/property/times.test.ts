import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FilterBound } from '../../src/language/meaning/filter.ts';
import { compareCursors, type LogCursor } from '../../src/records/log-order.ts';
import { addId, type Bitmap, bitsFor, emptyBitmap, idsOf, keepOnly } from '../../src/word-index/log-set.ts';
import {
  blockWords,
  countByStart,
  firstIds,
  idsWithin,
  loadTimes,
  spanOf,
  type Times,
  timeOf,
} from '../../src/word-index/log-values.ts';
import { rounds } from '../effort.ts';

/** Ids in a block of which the first and the last time are stored. */
const blockIds = 32 * blockWords;

let instance: DuckDBInstance;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
});

afterAll(() => instance.closeSync());

/** Loads the times of logs as those of a case are loaded, the last rows first: late logs have other places. */
async function load(places: readonly LogCursor[]): Promise<Times> {
  const connection = await instance.connect();
  try {
    await connection.run('CREATE SCHEMA IF NOT EXISTS stored');
    const rows = [...places.slice(places.length >> 1), ...places.slice(0, places.length >> 1)];
    const columns = [rows.map(({ id }) => id), rows.map(({ time }) => time ?? '')];
    await connection.run(
      `CREATE OR REPLACE TABLE stored.logs AS
       SELECT unnest(string_split($1, ','))::BIGINT AS id,
         epoch_ms(nullif(unnest(string_split($2, ',')), '')::BIGINT) AS "time"`,
      columns.map(String),
    );
    const times = await loadTimes(connection, lastIdOf(places));
    for (const { id, time } of places) expect(timeOf(times, id)).toBe(time ?? Number.NaN);
    return times;
  } finally {
    connection.closeSync();
  }
}

/** Positions are counted modulo the number of logs or edges there are. */
const question = fc.record({
  chosen: fc.constantFrom('all', 'two of three', 'every other block', 'one of a block'),
  order: fc.constantFrom('newest', 'oldest'),
  count: fc.oneof(fc.nat(8), fc.integer({ min: blockIds - 10, max: blockIds + 10 })),
  after: fc.nat(),
  every: fc.integer({ min: 1, max: 30 }),
  lower: bound(),
  upper: bound(),
});

/** A bound at the first or the last time of a block, or a millisecond beside it. */
function bound() {
  const at = fc.record({ edge: fc.nat(), beside: fc.constantFrom(0, 0, -1, 1), inclusive: fc.boolean() });
  return fc.option(at, { nil: undefined, freq: 3 });
}

const choices = {
  all: () => true,
  'two of three': (id: number) => id % 3 !== 2,
  'every other block': (id: number) => Math.floor(id / blockIds) % 2 === 0,
  'one of a block': (id: number) => id % blockIds === blockIds - 1,
};

type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

/** Several of the same logs: loading them takes longer than answering. */
const questions = fc.array(question, { minLength: 1, maxLength: 10, size: 'max' });

async function check(places: readonly LogCursor[], asked: readonly Question[]): Promise<void> {
  const times = await load(places);
  for (const each of asked) checkOrder(times, places, each);
  for (const each of asked) checkCounts(times, places, each);
  for (const each of asked) checkRange(times, places, each);
}

function checkOrder(
  times: Times,
  places: readonly LogCursor[],
  { chosen, order, count, after }: Question,
): void {
  const logs = places.filter(({ id }) => choices[chosen](id));
  const set = setOf(logs, lastIdOf(places));
  const inOrder = logs.toSorted((first, second) => compareCursors(first, second, order));
  expect(firstIds(times, set, { order, count })).toEqual(inOrder.slice(0, count).map(({ id }) => id));
  const place = places[after % places.length] ?? { id: 0 };
  const behind = inOrder.filter((each) => 0 < compareCursors(each, place, order));
  expect(firstIds(times, set, { order, count, after: place })).toEqual(
    behind.slice(0, count).map(({ id }) => id),
  );
}

function checkCounts(times: Times, places: readonly LogCursor[], { chosen, every }: Question): void {
  const logs = places.filter(({ id }) => choices[chosen](id));
  const set = setOf(logs, lastIdOf(places));
  const timed = timesOf(logs);
  const span = { first: Math.min(...timed), last: Math.max(...timed) };
  expect(spanOf(times, set)).toEqual({
    ...span,
    count: timed.length,
    timeless: logs.length - timed.length,
  });
  const buckets = new Map<number, number>();
  for (const time of timed) {
    const start = Math.floor(time / every) * every;
    buckets.set(start, 1 + (buckets.get(start) ?? 0));
  }
  expect(countByStart(times, set, every)).toEqual([...buckets].sort(([first], [second]) => first - second));
}

function checkRange(times: Times, places: readonly LogCursor[], ends: Question): void {
  const edges = edgesOf(places);
  const [lower, upper] = [ends.lower, ends.upper].map(
    (end) => end && { ...end, value: (edges[end.edge % edges.length] ?? 0) + end.beside },
  );
  const within = idsWithin(times, bitsFor(lastIdOf(places)), { lower, upper });
  // A block that lies within the range is put in as a whole, with ids that no log has.
  keepOnly(within, setOf(places, lastIdOf(places)));
  const expected = places.filter(({ time }) => time !== undefined && isWithin(time, lower, upper));
  expect(idsOf(within)).toEqual(expected.map(({ id }) => id));
}

function lastIdOf(places: readonly LogCursor[]): number {
  return places.at(-1)?.id ?? 0;
}

function setOf(places: readonly LogCursor[], lastId: number): Bitmap {
  const set = emptyBitmap(bitsFor(lastId));
  for (const { id } of places) addId(set, id);
  return set;
}

function timesOf(places: readonly LogCursor[]): readonly number[] {
  return places.flatMap(({ time }) => (time === undefined ? [] : [time]));
}

/** The first and the last time of each block. */
function edgesOf(places: readonly LogCursor[]): readonly number[] {
  const edges: number[] = [];
  for (let from = 0; from <= lastIdOf(places); from += blockIds) {
    const times = timesOf(places.filter(({ id }) => from <= id && id < from + blockIds));
    if (0 < times.length) edges.push(Math.min(...times), Math.max(...times));
  }
  return edges;
}

function isWithin(
  time: number,
  lower: FilterBound<number> | undefined,
  upper: FilterBound<number> | undefined,
): boolean {
  const isAfter = !lower || lower.value < time || (lower.inclusive && lower.value === time);
  return isAfter && (!upper || time < upper.value || (upper.inclusive && upper.value === time));
}

function toPlace(id: number, time: number | undefined): LogCursor {
  return time === undefined ? { id } : { id, time };
}

test('times of few logs, whose ids are far apart or not, answer as looking at each log does', async () => {
  const times = fc.array(fc.option(fc.nat(50), { nil: undefined }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(times, fc.constantFrom(1, 777), questions, async (some, step, asked) => {
      const places = some.map((time, index) => toPlace(1 + index * step, time));
      await check(places, asked);
    }),
    { numRuns: rounds(100) },
  );
});

/** Milliseconds from which on a time is not an offset of 32 bits from another one. */
const far = 2 ** 31;

test('times up to millennia apart answer as looking at each log does', async () => {
  const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
  const near = [0, 1, -1, far - 1, -far + 1];
  const others = [far, far + 1, -far, -far - 1, 2 * far - 1, 2 * far, first, last];
  const time = (times: readonly number[]) => fc.option(fc.constantFrom(...times), { nil: undefined });
  const made = fc.oneof(
    ...[near, [...near, ...others], [far - 1, -1, -far]].map((times) =>
      fc.array(time(times), { minLength: 1, maxLength: 40 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(made, fc.constantFrom(1, 777), questions, async (some, step, asked) => {
      await check(
        some.map((each, index) => toPlace(1 + index * step, each)),
        asked,
      );
    }),
    { numRuns: rounds(100) },
  );
});

/** A block in which each id has a log; hundreds of them are at the same millisecond. */
const block = fc.record({
  first: fc.nat(40),
  /** Milliseconds from the first log to the last. */
  duration: fc.oneof(fc.constant(0), fc.nat(20)),
  order: fc.constantFrom('rising', 'falling', 'mixed'),
  /** The position of a log without a time; mostly there is none. */
  timeless: fc.option(fc.nat(blockIds - 1), { nil: undefined, freq: 1 }),
});

function timesIn({
  first,
  duration,
  order,
  timeless,
}: typeof block extends fc.Arbitrary<infer B> ? B : never) {
  return Array.from({ length: blockIds }, (_, position) => {
    const steps = Math.floor((position * (duration + 1)) / blockIds);
    const after = { rising: steps, falling: duration - steps, mixed: (7 * position) % (duration + 1) };
    return position === timeless ? undefined : first + after[order];
  });
}

const dense = fc.record({
  blocks: fc.array(block, { minLength: 2, maxLength: 3 }),
  /** Logs of the last block. */
  end: fc.integer({ min: 1, max: blockIds }),
  /** Before it, times are negative. */
  epoch: fc.constantFrom(0, -30, 1_700_000_000_000),
});

test('times of dense blocks of logs answer as looking at each log does', async () => {
  await fc.assert(
    fc.asyncProperty(dense, questions, async ({ blocks, end, epoch }, asked) => {
      const times = blocks.flatMap(timesIn).slice(0, (blocks.length - 1) * blockIds + end);
      const places = times.map((time, id) => toPlace(id, time === undefined ? undefined : epoch + time));
      // No log has the id 0.
      await check(places.slice(1), asked);
    }),
    { numRuns: rounds(100) },
  );
});
