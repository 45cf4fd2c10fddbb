import { DuckDBBlobVector, type DuckDBVector } from '@duckdb/node-api';

/** Returns the bytes of a BLOB in a row; empty for NULL. */
export function blobBytes(column: DuckDBVector, row: number): Uint8Array {
  const found = column instanceof DuckDBBlobVector ? column.getItemBytes(row) : null;
  // A short value is still in the memory of the chunk, which is released.
  return found && found.length < 16 ? found.slice() : (found ?? new Uint8Array());
}
