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
export interface TermEntry {
  /** First id of the slice. */
  readonly first: number;
  /** Of a frequent term, a bit for each log of the slice. Of any other, an id for each occurrence, in any order. */
  readonly logs: { readonly bits: Uint8Array } | { readonly ids: Uint32Array };
}

/** Columns that `readTermEntry` reads, in its order. */
export const entryColumns = 'first, ids, bits';

/** Reads an entry from a row of a chunk, whose entry columns follow `others` other columns. */
export function readTermEntry(chunk: DuckDBDataChunk, row: number, others = 0): TermEntry {
  const column = (index: number) => chunk.getColumnVector(others + index);
  const sets = column(2);
  const set = sets instanceof DuckDBBitVector ? sets.getItem(row) : null;
  return {
    first: Number(column(0).getItem(row)),
    // The first byte is the number of padding bits: 0.
    logs: set ? { bits: set.data.subarray(1) } : { ids: listNumbers(column(1), row) },
  };
}

/** Returns the bytes of a BLOB in a row; empty for NULL. */
export function blobBytes(column: DuckDBVector, row: number): Uint8Array {
  const found = column instanceof DuckDBBlobVector ? column.getItemBytes(row) : null;
  // A short value is still in the memory of the chunk, which is released.
  return found && found.length < 16 ? found.slice() : (found ?? new Uint8Array());
}

/** Returns the numbers of a list in a row, without a JavaScript value for each; empty for NULL. */
export function listNumbers(column: DuckDBVector, row: number): Uint32Array {
  const items = column instanceof DuckDBListVector ? column.getItemVector(row) : null;
  const made = new Uint32Array(items?.itemCount ?? 0);
  for (let at = 0; at < made.length; at++) made[at] = Number(items?.getItem(at));
  return made;
}

/** Adds the logs of an entry to a set. */
export function addTermEntry(made: Bitmap, { first, logs }: TermEntry): void {
  if ('bits' in logs) addBytes(made, logs.bits, firstBit(first));
  else for (const id of logs.ids) addId(made, id);
}
