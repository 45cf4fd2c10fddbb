import { DuckDBBitVector, type DuckDBDataChunk, DuckDBListVector, type DuckDBVector } from '@duckdb/node-api';
import { addBit, addId, type Bitmap } from './bitmap.ts';
import { firstBit } from './slices.ts';

/** What the index says of a term in the logs of a slice. */
export interface Entry {
  /** The id at which the slice begins. */
  readonly first: number;
  /** How often the logs have the term. */
  readonly count: number;
  readonly logs: FrequentLogs | RareLogs;
}

/** The logs as the value of a BIT, whose first bit stands for the id `firstBit(first)`. */
interface FrequentLogs {
  readonly bits: Uint8Array;
}

interface RareLogs {
  /** One for each time that a log has the term, in any order. */
  readonly ids: Uint32Array;
  /** Where it has it then; none where they were not asked for. */
  readonly positions: Uint32Array;
}

/** What `readEntry` reads, in its order. */
export const entryColumns = 'first, count, bits, ids, positions';

/** The same without the positions. */
export const logColumns = 'first, count, bits, ids, NULL::UINTEGER[] AS positions';

/** The entry of a row of a chunk whose columns are those, behind some others. */
export function readEntry(chunk: DuckDBDataChunk, row: number, others = 0): Entry {
  const column = (index: number) => chunk.getColumnVector(others + index);
  const [first, count] = [Number(column(0).getItem(row)), Number(column(1).getItem(row))];
  const set = column(2);
  const bits = set instanceof DuckDBBitVector ? set.getItem(row)?.data : undefined;
  if (bits) return { first, count, logs: { bits } };
  return { first, count, logs: { ids: numbers(column(3), row), positions: numbers(column(4), row) } };
}

/** A list of numbers without a value of JavaScript's for each. */
function numbers(column: DuckDBVector, row: number): Uint32Array {
  const items = column instanceof DuckDBListVector ? column.getItemVector(row) : null;
  const made = new Uint32Array(items?.itemCount ?? 0);
  for (let at = 0; at < made.length; at++) made[at] = Number(items?.getItem(at));
  return made;
}

/** Puts the logs of an entry into a set. */
export function addEntry(made: Bitmap, { first, logs }: Entry): void {
  if ('bits' in logs) addBit(made, logs.bits, firstBit(first));
  else for (const id of logs.ids) addId(made, id);
}

/** The ids of the first and the last bit of an entry with a set. */
export function spanOfBits(first: number, bits: Uint8Array): readonly [firstId: number, lastId: number] {
  // A byte that says how many bits pad it stands before the bits.
  return [firstBit(first), firstBit(first) + 8 * (bits.length - 1) - 1];
}
