import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { RowBatch } from './row-batch.ts';

/** Numbers of numeric and text columns. */
export interface RowWidth {
  readonly numbers: number;
  readonly texts: number;
}

/** Writes rows of a batch to chunks of the database: the numeric columns, and then the text columns. */
export interface ChunkWriter extends Disposable {
  /** Sets the batch. Chunks with rows of the previous one must have been read. */
  readonly setBatch: (batch: RowBatch) => void;
  /** Writes rows from an index of the batch to a chunk with as many rows. Throws for an inconsistent batch. */
  readonly writeRows: (
    chunk: DuckDBDataChunk,
    range: { readonly from: number; readonly rows: number },
  ) => void;
}
