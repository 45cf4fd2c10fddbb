import type { ChunkWriter, RowWidth } from './chunk-writer.ts';
import type { RowBatch } from './row-batch.ts';
import { textAt } from './text-heap.ts';

/** Opens a writer that sets the values of a chunk by the driver, which knows how the database lays them out. */
export function openPlainChunkWriter({ numbers, texts }: RowWidth): ChunkWriter {
  let batch: RowBatch | undefined;
  return {
    setBatch: (next) => {
      batch = next;
    },
    writeRows: (chunk, { from, rows }) => {
      for (let column = 0; column < numbers; column++)
        chunk.setColumnValues(
          column,
          Array.from({ length: rows }, (_, row) => numberOf(from + row, column)),
        );
      for (let column = 0; column < texts; column++)
        chunk.setColumnValues(
          numbers + column,
          Array.from({ length: rows }, (_, row) => textOf(from + row, column)),
        );
    },
    [Symbol.dispose]: () => {
      batch = undefined;
    },
  };

  function numberOf(row: number, column: number): number | null {
    const value = batch?.numbers[row * numbers + column] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  }

  function textOf(row: number, column: number): string | null {
    return batch ? textAt(batch.texts, batch.codes[row * texts + column] ?? 0) : null;
  }
}
