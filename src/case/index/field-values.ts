import type { DuckDBConnection, JS } from '@duckdb/node-api';
import { blobBytes, chunksOf } from '../../database/index.ts';
import { intervalStart } from '../../records/index.ts';
import { addBytes, type Bitmap, bitsFor, eachId, emptyBitmap } from './bitmap.ts';
import { type Times, timeOf } from './times.ts';

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
      .map(([each]) => each ?? null);
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
    const made = emptyBitmap(bits);
    if (chunk) addBytes(made, blobBytes(chunk.getColumnVector(bit), 0), 0);
    return made;
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
    .flatMap(([start, counts]) => countedValues(values, counts).map((each) => [start, ...each] as const));
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
