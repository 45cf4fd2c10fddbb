import {
  DuckDBBitVector,
  DuckDBBlobVector,
  type DuckDBDataChunk,
  DuckDBListVector,
  type DuckDBVector,
} from '@duckdb/node-api';
import { firstBit } from '../index-tables/slices.ts';
import { addBytes, addId, type Bitmap } from './bitmap.ts';

/** The logs of a slice that have a term. */
export interface Entry {
  /** The id at which the slice begins. */
  readonly first: number;
  /** Of a frequent term a bit for each log of the slice, of another one the ids: one for each time that a log has it, in any order. */
  readonly logs: { readonly bits: Uint8Array } | { readonly ids: Uint32Array };
}

/** What `readEntry` reads, in its order. */
export const entryColumns = 'first, ids, bits';

/** The entry of a row of a chunk whose columns are those, behind some others. */
export function readEntry(chunk: DuckDBDataChunk, row: number, others = 0): Entry {
  const column = (index: number) => chunk.getColumnVector(others + index);
  const sets = column(2);
  const set = sets instanceof DuckDBBitVector ? sets.getItem(row) : null;
  return {
    first: Number(column(0).getItem(row)),
    // Before the bits is a byte that says how many of them pad the last one: none.
    logs: set ? { bits: set.data.subarray(1) } : { ids: numbersOf(column(1), row) },
  };
}

/** The bytes of a BLOB of a row, none where there is no value. */
export function bytesOf(column: DuckDBVector, row: number): Uint8Array {
  const found = column instanceof DuckDBBlobVector ? column.getItemBytes(row) : null;
  // A few bytes are still where the chunk has them, which is let go of.
  return found && found.length < 16 ? found.slice() : (found ?? new Uint8Array());
}

/** The numbers of a list of a row, none where there is no list; without a value of JavaScript's for each. */
export function numbersOf(column: DuckDBVector, row: number): Uint32Array {
  const items = column instanceof DuckDBListVector ? column.getItemVector(row) : null;
  const made = new Uint32Array(items?.itemCount ?? 0);
  for (let at = 0; at < made.length; at++) made[at] = Number(items?.getItem(at));
  return made;
}

/** Puts the logs of an entry into a set. */
export function addEntry(made: Bitmap, { first, logs }: Entry): void {
  if ('bits' in logs) addBytes(made, logs.bits, firstBit(first));
  else for (const id of logs.ids) addId(made, id);
}
