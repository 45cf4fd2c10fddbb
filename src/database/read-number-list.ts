import { type DuckDBDataChunk, DuckDBListVector } from '@duckdb/node-api';

/**
 * Reads a list of doubles in a chunk, without its NULL items; empty for NULL. Reading the vector takes a tenth of the
 * time of the driver's values, and of numbers as text.
 */
export function readNumberList(chunk: DuckDBDataChunk, column: number, row: number): Float64Array {
  const lists = chunk.getColumnVector(column);
  if (!(lists instanceof DuckDBListVector)) throw new Error(`Column ${column} has no lists`);
  const items = lists.getItemVector(row);
  const numbers = new Float64Array(items?.itemCount ?? 0);
  let length = 0;
  for (let index = 0; index < numbers.length; index++) {
    const item = items?.getItem(index);
    if (typeof item === 'number') numbers[length++] = item;
  }
  return numbers.subarray(0, length);
}
