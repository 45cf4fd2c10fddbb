import type { UnreadableRecord } from '../../records/index.ts';
import { logBatcher, logRowBatcher, type NewLog, renumberLogs } from './log-batch.ts';
import { buffersOf, type RowBatch, type RowBatcher, rowBatcher } from './row-batch.ts';
import type { NumberColumn } from './row-writer.ts';

/** A record to be inserted. */
export type NewRecord = NewLog | NewUnreadable;

/** An unreadable record to be inserted, or a refused entry as a whole. */
export interface NewUnreadable extends Pick<UnreadableRecord, 'kind' | 'reason' | 'raw' | 'position'> {
  readonly code: string;
}

/** Records to be inserted, as rows of the tables of a case. */
export interface RecordBatch {
  readonly logs: RowBatch;
  readonly unreadable: RowBatch;
}

/** Columns of a batch of unreadable records, in its order. */
export const unreadableColumns: {
  readonly numbers: readonly NumberColumn[];
  readonly texts: readonly string[];
} = {
  numbers: [
    { name: 'position', type: 'INTEGER' },
    { name: 'byte_offset', type: 'BIGINT' },
    { name: 'byte_length', type: 'BIGINT' },
  ],
  texts: ['code', 'reason', 'raw'],
};

/** Collects records into batches. */
export interface RecordBatcher {
  readonly add: (record: NewRecord) => void;
  readonly isFull: () => boolean;
  /** Returns the records since the last call. The logs have no ids yet. */
  readonly take: () => RecordBatch;
}

/**
 * Creates a batcher of records, which get their ids from `renumberRecords`. `logRows` collects the
 * rows of logs.
 */
export function recordBatcher(logRows: RowBatcher = logRowBatcher()): RecordBatcher {
  const logs = logBatcher(logRows);
  const unreadable = rowBatcher({ numbers: 3, texts: 3 });
  /** Last text of each column in this batch, and its number. Unreadable records are mostly alike. */
  let last: { readonly text: string; readonly code: number }[] = [];
  return {
    add: (record) => (record.kind === 'log' ? logs.add(record) : addUnreadable(record)),
    isFull: () => logs.isFull() || unreadable.isFull(),
    take,
  };

  function take(): RecordBatch {
    last = [];
    return { logs: logs.take(), unreadable: unreadable.take() };
  }

  function addUnreadable({ code, reason, raw, position }: NewUnreadable): void {
    unreadable.addRow();
    for (const [column, value] of [position.number, position.offset, position.length].entries())
      unreadable.setNumber(column, value);
    for (const [column, text] of [code, reason, raw].entries()) {
      if (last[column]?.text !== text) last[column] = { text, code: unreadable.addText(text) };
      unreadable.setText(column, last[column]?.code ?? 0);
    }
  }
}

/**
 * Assigns consecutive ids to the logs of a batch, and shifts the positions of all its records by
 * `before`.
 */
export function renumberRecords(
  { logs, unreadable }: RecordBatch,
  by: { readonly firstId: number; readonly before: number },
): void {
  renumberLogs(logs, by);
  const width = unreadableColumns.numbers.length;
  for (let row = 0; row < unreadable.rows; row++)
    unreadable.numbers[row * width] = (unreadable.numbers[row * width] ?? 0) + by.before;
}

/** Returns the memory of a batch in bytes. */
export function recordBatchBytes({ logs, unreadable }: RecordBatch): number {
  return [...buffersOf(logs), ...buffersOf(unreadable)].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
