import type { UnreadableRecord } from '../../records/record.ts';
import { logBatcher, logRowBatcher, type NewLog, renumberLogs } from './log-batch.ts';
import { buffersOf, type RowBatch, type RowBatcher, rowBatcher } from './row-batch.ts';
import type { NumberColumn } from './row-writer.ts';

/** A record on its way into the case. */
export type NewRecord = NewLog | NewUnreadable;

/** Something on its way into the case that is no log, or an entry as a whole that was refused. */
export interface NewUnreadable extends Pick<UnreadableRecord, 'kind' | 'reason' | 'raw' | 'position'> {
  readonly code: string;
}

/** Records on their way into the case, as the rows of its tables. */
export interface RecordBatch {
  readonly logs: RowBatch;
  readonly unreadable: RowBatch;
}

/** The columns of a batch of unreadable records, in its order. */
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

/** Makes records into batches. */
export interface RecordBatcher {
  readonly add: (record: NewRecord) => void;
  readonly isFull: () => boolean;
  /** What was added since the last call. The logs have no ids yet. */
  readonly take: () => RecordBatch;
}

/** A batcher of records, which get their ids from `renumber`. The rows of logs may be gathered elsewhere. */
export function recordBatcher(logRows: RowBatcher = logRowBatcher()): RecordBatcher {
  const logs = logBatcher(logRows);
  const unreadable = rowBatcher({ numbers: 3, texts: 3 });
  /** The text that a column had last in this batch, and its number. Rubbish is mostly of one kind. */
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

/** Gives the logs of a batch ids in their order, and moves the positions of all its records on. */
export function renumber(
  { logs, unreadable }: RecordBatch,
  by: { readonly firstId: number; readonly before: number },
): void {
  renumberLogs(logs, by);
  const width = unreadableColumns.numbers.length;
  for (let row = 0; row < unreadable.rows; row++)
    unreadable.numbers[row * width] = (unreadable.numbers[row * width] ?? 0) + by.before;
}

/** How much memory a batch takes. Bytes. */
export function bytesOfRecords({ logs, unreadable }: RecordBatch): number {
  return [...buffersOf(logs), ...buffersOf(unreadable)].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
