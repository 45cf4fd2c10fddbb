import type { DuckDBConnection, JS } from '@duckdb/node-api';
import { blobBytes, chunksOf, streamRows } from '../database/index.ts';
import type { FilterBound, NumberValue, RangeFilter } from '../language/index.ts';
import { compareCursors, intervalStart, type LogCursor } from '../records/index.ts';
import type { FirstLogs } from './log-conditions.ts';
import { addBytes, addId, type Bitmap, bitsFor, countIds, eachId, emptyBitmap } from './log-set.ts';
import { chunkBits, chunkIds } from './postings.ts';

/** Times of all logs in memory: 4 bytes a log, 12 in blocks of logs that are months apart. */
export interface Times {
  /** Milliseconds from the base of its block to a log, by id; `timeless` if it has none, or its block is in `exact`. */
  readonly offsets: Int32Array;
  /** Milliseconds since the epoch by block: the time of one of its logs. */
  readonly bases: Float64Array;
  /** Times by the position in the block, for blocks with times that are 2^31 ms or more apart; NaN for none. */
  readonly exact: ReadonlyMap<number, Float64Array>;
  /** First and last time of each block of ids; `hasTimeless` if a log in it may have none. */
  readonly blocks: readonly TimeBlock[];
}

interface TimeBlock {
  readonly first: number;
  readonly last: number;
  readonly hasTimeless: boolean;
}

/** Words of a set that cover a block of ids: the same ids as a chunk of postings. */
export const blockWords = chunkIds / 32;

/** Bits of an id that are its position in its block. */
const positionBits = chunkIds - 1;

/** Offset of a log without a time. */
const timeless = -(2 ** 31);

/** Reads the times of all logs. */
export async function loadTimes(connection: DuckDBConnection, lastId: number): Promise<Times> {
  const collector = timeCollector(lastId);
  const result = await streamRows(connection, {
    sql: `SELECT id::INTEGER, coalesce(epoch_ms("time")::DOUBLE, 'NaN'::DOUBLE) FROM stored.logs`,
  });
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const [ids, times] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    // Asking the driver for this number takes longer than reading a row.
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++)
      collector.add(Number(ids.getItem(row)), Number(times.getItem(row)));
  }
  return collector.end();
}

/** Collects the times of logs in any order. The first time of a block is its base. */
function timeCollector(lastId: number) {
  const offsets = new Int32Array(lastId + 1).fill(timeless);
  const bases = new Float64Array(Math.ceil(offsets.length / chunkIds)).fill(Number.NaN);
  const exact = new Map<number, Float64Array>();
  const addOther = (id: number, time: number) => {
    const block = id >>> chunkBits;
    if (Number.isNaN(bases[block]) && !exact.has(block)) {
      bases[block] = time;
      offsets[id] = 0;
      return;
    }
    const times = exact.get(block) ?? toExact(block);
    times[id & positionBits] = time;
  };
  const toExact = (block: number) => {
    const own = offsets.subarray(block * chunkIds, (block + 1) * chunkIds);
    const base = bases[block] ?? Number.NaN;
    const times = Float64Array.from(own, (offset) => (offset === timeless ? Number.NaN : base + offset));
    own.fill(timeless);
    bases[block] = Number.NaN;
    exact.set(block, times);
    return times;
  };
  return {
    add(id: number, time: number) {
      const offset = time - (bases[id >>> chunkBits] ?? Number.NaN);
      // Only integers of 32 bits equal what is left of them, NaN does not.
      if (offset === (offset | 0) && offset !== timeless) offsets[id] = offset;
      else if (!Number.isNaN(time)) addOther(id, time);
    },
    end(): Times {
      const times = { offsets, bases, exact, blocks: [] };
      return { ...times, blocks: Array.from(bases, (_, block) => toBlock(times, block)) };
    },
  };
}

function toBlock(times: Times, block: number): TimeBlock {
  let [first, last, hasTimeless] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false];
  const end = Math.min(times.offsets.length, (block + 1) * chunkIds);
  for (let id = block * chunkIds; id < end; id++) {
    const time = timeOf(times, id);
    if (time < first) first = time;
    if (last < time) last = time;
    hasTimeless ||= Number.isNaN(time);
  }
  return { first, last, hasTimeless };
}

/** Returns the time of a log in milliseconds since the epoch; NaN for a missing log, or one without a time. */
export function timeOf({ offsets, bases, exact }: Times, id: number): number {
  const offset = offsets[id] ?? timeless;
  if (offset !== timeless) return (bases[id >>> chunkBits] ?? Number.NaN) + offset;
  return exact.size === 0 ? Number.NaN : (exact.get(id >>> chunkBits)?.[id & positionBits] ?? Number.NaN);
}

/** Returns the first ids of a set in an order, at most `count`, after a cursor if given. */
export function firstIds(times: Times, bitmap: Bitmap, { order, count, after }: FirstLogs): number[] {
  const { blocks } = times;
  const compare = (first: LogCursor, second: LogCursor) => compareCursors(first, second, order);
  let best: LogCursor[] = [];
  let worst: LogCursor | undefined;
  const cut = () => {
    best = best.sort(compare).slice(0, count);
    worst = best.length < count ? undefined : best.at(-1);
  };
  const take = (id: number) => {
    const time = timeOf(times, id);
    const cursor = Number.isNaN(time) ? { id } : { time, id };
    if (worst && compare(worst, cursor) < 0) return;
    if (after && compare(cursor, after) <= 0) return;
    best.push(cursor);
    if (4 * count + 1024 < best.length) cut();
  };
  // Starts at the end of the ids that mostly has the first logs, so that the rest is skipped.
  const indices = [...blocks.keys()];
  for (const index of order === 'newest' ? indices.reverse() : indices) {
    const { first, last } = blocks[index] ?? { first: 0, last: 0 };
    if (worst?.time !== undefined && (order === 'newest' ? last < worst.time : worst.time < first)) continue;
    eachId(bitmap, take, { fromWord: index * blockWords, toWord: wordAfter(bitmap, index) });
    if (worst === undefined && count <= best.length) cut();
  }
  cut();
  return best.map(({ id }) => id);
}

function wordAfter({ words }: Bitmap, block: number): number {
  return Math.min(words.length, (block + 1) * blockWords);
}

/** Returns the ids of the logs whose times are in a range. */
export function idsWithin(
  times: Times,
  bits: number,
  { lower, upper }: { readonly [E in 'lower' | 'upper']: RangeFilter[E] | undefined },
): Bitmap {
  const bitmap = emptyBitmap(bits);
  const isInside = (time: number) => isAbove(time, lower) && isAbove(-time, negative(upper));
  for (const [index, { first, last, hasTimeless }] of times.blocks.entries()) {
    const [fromWord, toWord] = [index * blockWords, wordAfter(bitmap, index)];
    if (!hasTimeless && isInside(first) && isInside(last)) bitmap.words.fill(0xffffffff, fromWord, toWord);
    else if (isAbove(last, lower) && isAbove(-first, negative(upper)))
      for (let id = 32 * fromWord; id < 32 * toWord; id++) if (isInside(timeOf(times, id))) addId(bitmap, id);
  }
  return bitmap;
}

function isAbove(time: number, bound: FilterBound<NumberValue> | undefined): boolean {
  if (!bound) return !Number.isNaN(time);
  return bound.inclusive ? bound.value <= time : bound.value < time;
}

function negative(bound: FilterBound<NumberValue> | undefined): FilterBound<NumberValue> | undefined {
  return bound && { ...bound, value: -bound.value };
}

/** Returns the first and last time of a set of logs, and counts them. */
export function spanOf(
  times: Times,
  bitmap: Bitmap,
): { readonly first: number; readonly last: number; readonly count: number; readonly timeless: number } {
  let [first, last, timeless] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const take = (id: number) => {
    const time = timeOf(times, id);
    if (time < first) first = time;
    if (last < time) last = time;
    if (Number.isNaN(time)) timeless++;
  };
  for (const [index, block] of times.blocks.entries()) {
    if (first <= block.first && block.last <= last && !block.hasTimeless) continue;
    eachId(bitmap, take, { fromWord: index * blockWords, toWord: wordAfter(bitmap, index) });
  }
  return { first, last, timeless, count: countIds(bitmap) - timeless };
}

/** Counts the logs of a set by intervals of `every` milliseconds, in the order of time. */
export function countByStart(
  times: Times,
  bitmap: Bitmap,
  every: number,
): readonly (readonly [start: number, count: number])[] {
  const counts = new Map<number, number>();
  const add = (start: number, count: number) => counts.set(start, (counts.get(start) ?? 0) + count);
  const startOf = (time: number) => intervalStart(time, every);
  // Consecutive logs are mostly in one interval: the map is accessed only at the start of another.
  let [from, to, count] = [0, 0, 0];
  const take = (id: number) => {
    const time = timeOf(times, id);
    if (Number.isNaN(time)) return;
    if (time < from || to <= time) {
      if (0 < count) add(from, count);
      [from, count] = [startOf(time), 0];
      to = startOf(time) + every;
    }
    count++;
  };
  for (const [index, { first, last, hasTimeless }] of times.blocks.entries()) {
    const range = { fromWord: index * blockWords, toWord: wordAfter(bitmap, index) };
    const isOne = !hasTimeless && first <= last && startOf(first) === startOf(last);
    if (!isOne) eachId(bitmap, take, range);
    else {
      const inside = countIds(bitmap, range.fromWord, range.toWord);
      if (0 < inside) add(startOf(first), inside);
    }
  }
  if (0 < count) add(from, count);
  return [...counts].sort(([first], [second]) => first - second);
}

/** The values of a field that has few, for all logs in memory: a byte a log. */
export interface FieldValues {
  /** The number of the value of a log by its id: its index in `values` plus one; 0 for a missing log. */
  readonly byId: Uint8Array;
  /** Different values in the order of the database; a missing one is null, the last. */
  readonly values: readonly JS[];
}

/** Values that a byte can tell apart. */
const maxValues = 255;

/** Logs that tell at once if a field has more values. */
const sampleRows = 20_000;

/** Reads the values of an expression for all logs; undefined if there are too many different ones. */
export async function loadFieldValues(
  connection: DuckDBConnection,
  value: string,
  lastId: number,
): Promise<FieldValues | undefined> {
  const distinct = async (from: string) =>
    (
      await connection.runAndReadAll(
        `SELECT DISTINCT ${value} AS value FROM ${from} ORDER BY value NULLS LAST`,
      )
    )
      .getRowsJS()
      .map(([cell]) => cell ?? null);
  if (maxValues < (await distinct(`(FROM stored.logs LIMIT ${sampleRows})`)).length) return undefined;
  const values = await distinct('stored.logs');
  if (maxValues < values.length) return undefined;
  const byId = new Uint8Array(lastId + 1);
  for (const [bit, ids] of (await readBits(connection, { value, lastId, count: values.length })).entries())
    eachId(ids, (id) => {
      byId[id] = (byId[id] ?? 0) | (1 << bit);
    });
  return { byId, values };
}

interface NumberedValues {
  readonly value: string;
  readonly lastId: number;
  readonly count: number;
}

/**
 * Reads the bits of the numbers of values: a set of ids for each bit. Sets come from the database in a fraction of the
 * time of rows.
 */
async function readBits(
  connection: DuckDBConnection,
  { value, lastId, count }: NumberedValues,
): Promise<readonly Bitmap[]> {
  const bits = bitsFor(lastId);
  const sets = Array.from(
    { length: Math.ceil(Math.log2(count + 1)) },
    (_, bit) => `bitstring_agg(id::INTEGER, 0, ${bits - 1}) FILTER (WHERE (number >> ${bit}) & 1 = 1)::BLOB`,
  );
  const result = await connection.run(
    `SELECT ${sets.join(', ')}
     FROM (SELECT id, ${value} AS value FROM stored.logs) logs
     JOIN (SELECT value, (row_number() OVER (ORDER BY value NULLS LAST))::INTEGER AS number
           FROM (SELECT DISTINCT ${value} AS value FROM stored.logs)) numbered
     ON logs.value IS NOT DISTINCT FROM numbered.value`,
  );
  const [chunk] = chunksOf(result);
  return sets.map((_, bit) => {
    const bitmap = emptyBitmap(bits);
    if (chunk) addBytes(bitmap, blobBytes(chunk.getColumnVector(bit), 0), 0);
    return bitmap;
  });
}

/** Counts the values of the logs of a set, the most frequent first; equal counts are in the order of the values. */
export function countValues(
  { byId, values }: FieldValues,
  bitmap: Bitmap,
): readonly (readonly [value: JS, count: number])[] {
  const counts = new Uint32Array(maxValues + 1);
  eachId(bitmap, (id) => addOne(counts, byId[id]));
  return countedValues(values, counts).sort(([, one], [, other]) => other - one);
}

/** Counts the values of the timed logs of a set by intervals of `every` milliseconds, in the order of time, then of values. */
export function countValuesByStart(
  { byId, values }: FieldValues,
  times: Times,
  { bitmap, every }: { readonly bitmap: Bitmap; readonly every: number },
): readonly (readonly [start: number, value: JS, count: number])[] {
  const intervals = new Map<number, Uint32Array>();
  // Consecutive logs are mostly in one interval: the map is accessed only at the start of another.
  let [from, counts]: [number, Uint32Array] = [Number.NaN, new Uint32Array()];
  eachId(bitmap, (id) => {
    const time = timeOf(times, id);
    if (Number.isNaN(time)) return;
    if (!(from <= time && time < from + every)) {
      from = intervalStart(time, every);
      counts = intervals.get(from) ?? new Uint32Array(maxValues + 1);
      intervals.set(from, counts);
    }
    addOne(counts, byId[id]);
  });
  return [...intervals]
    .sort(([one], [other]) => one - other)
    .flatMap(([start, counts]) => countedValues(values, counts).map((value) => [start, ...value] as const));
}

function addOne(counts: Uint32Array, number = 0): void {
  counts[number] = (counts[number] ?? 0) + 1;
}

/** Returns the values that were counted at all, in their order. */
function countedValues(values: readonly JS[], counts: Uint32Array): (readonly [value: JS, count: number])[] {
  return values
    .map((value, index) => [value, counts[index + 1] ?? 0] as const)
    .filter(([, count]) => 0 < count);
}
