import { DuckDBDataChunk, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { ChunkWriter, RowWidth } from './chunk-writer.ts';
import { type Columns, type ColumnValues, openColumns } from './columns.ts';
import { entryWords, type Texts } from './text-heap.ts';

/** Converters of closed writers, for reuse: new ones would occupy much memory until collected. */
const spareColumns: Columns[] = [];

/**
 * Opens a writer that writes the memory of chunks, so that texts are neither converted nor copied. The
 * database reads them where it holds the texts of the batch.
 */
export function openRawChunkWriter({ numbers, texts }: RowWidth): ChunkWriter {
  const columns = spareColumns.pop() ?? openColumns();
  const holder = DuckDBDataChunk.create([VARCHAR], 1);
  return {
    setBatch: (batch) => columns.setBatch(batch, hold(holder, batch.texts)),
    writeRows: (chunk, { from, rows }) => {
      for (let column = 0; column < numbers; column++) {
        const values = columns.takeNumbers({ first: from * numbers + column, step: numbers, rows });
        write(chunk, column, values, { rows, length: 8 });
      }
      for (let column = 0; column < texts; column++) {
        const values = columns.takeTexts({ first: from * texts + column, step: texts, rows });
        write(chunk, numbers + column, values, { rows, length: entryWords * 4 });
      }
    },
    [Symbol.dispose]: () => {
      holder.reset();
      spareColumns.push(columns);
    },
  };
}

/**
 * Makes the database hold texts, as a string of a chunk until its reset; returns the address of the
 * bytes.
 */
function hold(holder: DuckDBDataChunk, { bytes }: Texts): bigint {
  holder.reset();
  const vector = duckdb.data_chunk_get_vector(holder.chunk, 0);
  duckdb.vector_assign_string_element_len(vector, 0, bytes);
  const held = duckdb.vector_get_data(vector, entryWords * 4).slice().buffer;
  const [length] = new Uint32Array(held);
  if (length !== bytes.length) throw new Error('The texts of a batch are not UTF-8');
  // Few bytes are inlined into the entry: then no text exceeds it either.
  const [, address = 0n] = new BigUint64Array(held);
  return address;
}

/**
 * Writes a column of a chunk: `rows` values of `length` bytes. A vector without validity bits is
 * entirely valid.
 */
function write(
  output: DuckDBDataChunk,
  column: number,
  { memory, at, validityAt }: ColumnValues,
  { rows, length }: { readonly rows: number; readonly length: number },
): void {
  const vector = duckdb.data_chunk_get_vector(output.chunk, column);
  duckdb.copy_data_to_vector(vector, 0, memory, at, rows * length);
  if (validityAt === undefined) return;
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, memory, validityAt, Math.ceil(rows / 64) * 8);
}
