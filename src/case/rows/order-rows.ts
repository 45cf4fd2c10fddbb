import type { RowBatch } from './row-batch.ts';

/** Consecutive rows of a batch. */
export interface RowRange {
  /** Index of the first row. */
  readonly from: number;
  readonly rows: number;
}

/** Returns the rows of a batch in the order of ranges; the texts are shared. */
export function orderRows(batch: RowBatch, ranges: readonly RowRange[]): RowBatch {
  const [first] = ranges;
  if (first?.from === 0 && first.rows === batch.rows) return batch;
  const rows = ranges.reduce((sum, range) => sum + range.rows, 0);
  const [numberWidth, textWidth] = [batch.numbers.length / batch.rows, batch.codes.length / batch.rows];
  const numbers = new Float64Array(rows * numberWidth);
  const codes = new Int32Array(rows * textWidth);
  let row = 0;
  for (const { from, rows: count } of ranges) {
    numbers.set(batch.numbers.subarray(from * numberWidth, (from + count) * numberWidth), row * numberWidth);
    codes.set(batch.codes.subarray(from * textWidth, (from + count) * textWidth), row * textWidth);
    row += count;
  }
  return { ...batch, rows, numbers, codes };
}
