import type { LogRecord, Position } from '../../records/index.ts';
import { textFields } from '../../records/index.ts';
import { type RowBatch, type RowBatcher, rowBatcher } from './row-batch.ts';
import type { NumberColumn } from './row-writer.ts';

/** Low bits of a 64-bit integer, which a double does not hold. */
const lowBits = 0x7ffn;

/** A log to be inserted. Without an original, its position is only a number. */
export interface NewLog extends Pick<LogRecord, 'kind' | 'log' | 'extra'> {
  readonly position: Pick<Position, 'number'> & Partial<Position>;
}

/** Columns of a batch of logs, in its order. */
export const logBatchColumns: {
  readonly numbers: readonly NumberColumn[];
  readonly texts: readonly string[];
} = {
  numbers: [
    { name: 'id', type: 'BIGINT' },
    { name: 'position', type: 'INTEGER' },
    { name: 'byte_offset', type: 'BIGINT' },
    { name: 'byte_length', type: 'INTEGER' },
    { name: 'logCode', type: 'low bits' },
    { name: 'time', type: 'milliseconds' },
    { name: 'logCode', type: 'BIGINT' },
    { name: 'elapsed', type: 'DOUBLE' },
  ],
  texts: ['extra', ...textFields],
};

/** Collects logs into batches. */
export interface LogBatcher {
  readonly add: (log: NewLog) => void;
  readonly isFull: () => boolean;
  /** Returns the logs since the last call. They have no ids yet. */
  readonly take: () => RowBatch;
}

/** Maximum length of cached texts, in UTF-16 units: longer ones rarely repeat within a batch. */
const longestRepeated = 200;

/** Creates a batcher of rows for logs. */
export function logRowBatcher(): RowBatcher {
  return rowBatcher({ numbers: logBatchColumns.numbers.length, texts: logBatchColumns.texts.length });
}

/** Creates a batcher of logs, which adds rows to `batch`. They get their ids from `renumberLogs`. */
export function logBatcher(batch: RowBatcher): LogBatcher {
  /** Numbers of repeatable texts of this batch. */
  let codes = new Map<string, number>();
  return { add, isFull: batch.isFull, take };

  function add({ log, extra, position }: NewLog): void {
    batch.addRow();
    addPosition(position);
    if (log.time !== undefined) batch.setNumber(5, log.time);
    if (log.logCode !== undefined) addCode(log.logCode);
    if (log.elapsed !== undefined) batch.setNumber(7, log.elapsed);
    if (extra) batch.setText(0, batch.addText(JSON.stringify(extra)));
    for (const [index, field] of textFields.entries()) {
      const value = log[field];
      if (value !== undefined) batch.setText(1 + index, codeOf(value));
    }
  }

  function addPosition({ number, offset, length }: NewLog['position']): void {
    batch.setNumber(1, number);
    if (offset !== undefined) batch.setNumber(2, offset);
    if (length !== undefined) batch.setNumber(3, length);
  }

  /** A double holds 53 of 64 bits: the lower bits of a larger code are stored beside it. */
  function addCode(code: number | bigint): void {
    const low = typeof code === 'bigint' ? code & lowBits : 0n;
    batch.setNumber(6, typeof code === 'bigint' ? Number(code - low) : code);
    if (low !== 0n) batch.setNumber(4, Number(low));
  }

  function codeOf(value: string): number {
    if (longestRepeated < value.length) return batch.addText(value);
    const known = codes.get(value);
    if (known !== undefined) return known;
    const added = batch.addText(value);
    codes.set(value, added);
    return added;
  }

  function take(): RowBatch {
    codes = new Map();
    return batch.take();
  }
}

/** Returns the bytes that the logs of a batch take in their original. NaN if one has no original. */
export function recordBytes({ rows, numbers }: RowBatch): number {
  const width = logBatchColumns.numbers.length;
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += numbers[row * width + 3] ?? 0;
  return sum;
}

/** Assigns consecutive ids to the logs of a batch, and shifts their positions by `before`. */
export function renumberLogs(
  { rows, numbers }: RowBatch,
  { firstId, before }: { readonly firstId: number; readonly before: number },
): void {
  const width = logBatchColumns.numbers.length;
  for (let row = 0; row < rows; row++) {
    numbers[row * width] = firstId + row;
    numbers[row * width + 1] = (numbers[row * width + 1] ?? 0) + before;
  }
}
