import type { DuckDBConnection } from '@duckdb/node-api';
import type { FilterBound, RangeFilter } from '../../meaning/filter.ts';
import type { NumberValue } from '../../meaning/number-value.ts';
import { intervalStart } from '../../records/interval-start.ts';
import { compareCursors, type FirstLogs, type LogCursor } from '../case/log-order.ts';
import { streamRows } from '../database/stream-rows.ts';
import { chunkIds } from '../segments/posting-chunks.ts';
import { addId, type Bitmap, countIds, eachId, emptyBitmap } from './bitmap.ts';

/** Times of all logs in memory: 8 bytes a log. */
export interface Times {
  /** Milliseconds since the epoch by id; NaN for a missing log, or one without a time. */
  readonly byId: Float64Array;
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

/** Reads the times of all logs. */
export async function loadTimes(connection: DuckDBConnection, lastId: number): Promise<Times> {
  const byId = new Float64Array(lastId + 1).fill(Number.NaN);
  const result = await streamRows(connection, {
    sql: `SELECT id::INTEGER, coalesce(epoch_ms("time")::DOUBLE, 'NaN'::DOUBLE) FROM stored.logs`,
  });
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const [ids, times] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let row = 0; row < chunk.rowCount; row++)
      byId[Number(ids.getItem(row))] = Number(times.getItem(row));
  }
  const blocks: TimeBlock[] = [];
  for (let from = 0; from < byId.length; from += chunkIds)
    blocks.push(toBlock(byId.subarray(from, from + chunkIds)));
  return { byId, blocks };
}

function toBlock(times: Float64Array): TimeBlock {
  let [first, last, hasTimeless] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false];
  for (const time of times) {
    if (time < first) first = time;
    if (last < time) last = time;
    hasTimeless ||= Number.isNaN(time);
  }
  return { first, last, hasTimeless };
}

/** Returns the first ids of a set in an order, at most `count`, after a cursor if given. */
export function firstIds(
  { byId, blocks }: Times,
  bitmap: Bitmap,
  { order, count, after }: FirstLogs,
): number[] {
  const compare = (first: LogCursor, second: LogCursor) => compareCursors(first, second, order);
  let best: LogCursor[] = [];
  let worst: LogCursor | undefined;
  const cut = () => {
    best = best.sort(compare).slice(0, count);
    worst = best.length < count ? undefined : best.at(-1);
  };
  const take = (id: number) => {
    const time = byId[id];
    const cursor = time === undefined || Number.isNaN(time) ? { id } : { time, id };
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
  { byId, blocks }: Times,
  bits: number,
  { lower, upper }: { readonly [E in 'lower' | 'upper']: RangeFilter[E] | undefined },
): Bitmap {
  const made = emptyBitmap(bits);
  const isInside = (time: number) => isAbove(time, lower) && isAbove(-time, negative(upper));
  for (const [index, { first, last, hasTimeless }] of blocks.entries()) {
    const [fromWord, toWord] = [index * blockWords, wordAfter(made, index)];
    if (!hasTimeless && isInside(first) && isInside(last)) made.words.fill(0xffffffff, fromWord, toWord);
    else if (isAbove(last, lower) && isAbove(-first, negative(upper)))
      for (let id = 32 * fromWord; id < 32 * toWord; id++)
        if (isInside(byId[id] ?? Number.NaN)) addId(made, id);
  }
  return made;
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
  { byId, blocks }: Times,
  bitmap: Bitmap,
): { readonly first: number; readonly last: number; readonly count: number; readonly timeless: number } {
  let [first, last, timeless] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const take = (id: number) => {
    const time = byId[id] ?? Number.NaN;
    if (time < first) first = time;
    if (last < time) last = time;
    if (Number.isNaN(time)) timeless++;
  };
  for (const [index, block] of blocks.entries()) {
    if (first <= block.first && block.last <= last && !block.hasTimeless) continue;
    eachId(bitmap, take, { fromWord: index * blockWords, toWord: wordAfter(bitmap, index) });
  }
  return { first, last, timeless, count: countIds(bitmap) - timeless };
}

/** Counts the logs of a set by intervals of `every` milliseconds, in the order of time. */
export function countByStart(
  { byId, blocks }: Times,
  bitmap: Bitmap,
  every: number,
): readonly (readonly [start: number, count: number])[] {
  const counts = new Map<number, number>();
  const add = (start: number, count: number) => counts.set(start, (counts.get(start) ?? 0) + count);
  const startOf = (time: number) => intervalStart(time, every);
  // Consecutive logs are mostly in one interval: the map is accessed only at the start of another.
  let [from, to, count] = [0, 0, 0];
  const take = (id: number) => {
    const time = byId[id] ?? Number.NaN;
    if (Number.isNaN(time)) return;
    if (time < from || to <= time) {
      if (0 < count) add(from, count);
      [from, count] = [startOf(time), 0];
      to = startOf(time) + every;
    }
    count++;
  };
  for (const [index, { first, last, hasTimeless }] of blocks.entries()) {
    const words = { fromWord: index * blockWords, toWord: wordAfter(bitmap, index) };
    const isOne = !hasTimeless && first <= last && startOf(first) === startOf(last);
    if (!isOne) eachId(bitmap, take, words);
    else {
      const inside = countIds(bitmap, words.fromWord, words.toWord);
      if (0 < inside) add(startOf(first), inside);
    }
  }
  if (0 < count) add(from, count);
  return [...counts].sort(([first], [second]) => first - second);
}
