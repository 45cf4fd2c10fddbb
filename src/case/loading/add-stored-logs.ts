import { insertRows } from '../../database/index.ts';
import type { UnreadableInCase } from '../contents/summary.ts';
import { type Case, writeToCase } from '../file/case.ts';
import { insertParts, type StoredPart } from '../file/parts.ts';
import { logBatchColumns, logBatcher } from '../rows/log-batch.ts';
import { rowBatcher } from '../rows/row-batch.ts';
import { openRowWriter } from '../rows/row-writer.ts';
import type { StoredLog } from '../searching/stored-log.ts';

/** Columns that tell the logs of several parts apart, behind those of one part. */
const columns = {
  numbers: [...logBatchColumns.numbers, { name: 'part', type: 'INTEGER' }],
  texts: [...logBatchColumns.texts, 'entry'],
} as const;

const idColumn = logBatchColumns.numbers.findIndex(({ name }) => name === 'id');

/**
 * Adds logs that another store has, with their ids, to a temporary case; returns their number. Nothing is
 * recorded as an action: the case is no evidence.
 */
export function addStoredLogs(
  into: Case,
  logs: AsyncIterable<StoredLog>,
  onProgress: (count: number) => void = () => undefined,
): Promise<number> {
  return writeToCase(into, async (connection) => {
    const rows = rowBatcher({ numbers: columns.numbers.length, texts: columns.texts.length });
    const batcher = logBatcher(rows);
    await using writer = await openRowWriter(connection, {
      ...{ table: 'stored.logs', constants: [], ...columns },
    });
    let count = 0;
    for await (const { id, part, entry, position, log, extra } of logs) {
      batcher.add({ kind: 'log', log, position: { number: position }, ...(extra && { extra }) });
      rows.setNumber(idColumn, id);
      rows.setNumber(columns.numbers.length - 1, part);
      rows.setText(columns.texts.length - 1, rows.addText(entry));
      count += 1;
      if (!batcher.isFull()) continue;
      await writer.write(batcher.take(), []);
      onProgress(count);
    }
    await writer.write(batcher.take(), []);
    await writer.finish();
    return count;
  });
}

const unreadableTable = {
  table: 'stored.unreadable',
  columns: [
    ...['?::INTEGER', '?::VARCHAR', '?::INTEGER', '?::BIGINT', '?::BIGINT'],
    ...['?::VARCHAR', '?::VARCHAR', '?::VARCHAR'],
  ],
};

/** Adds parts and unreadable records that another store has, with their numbers, to a temporary case. */
export function addStoredParts(
  into: Case,
  parts: readonly StoredPart[],
  unreadable: readonly UnreadableInCase[],
): Promise<void> {
  return writeToCase(into, async (connection) => {
    await insertParts(connection, parts);
    await insertRows(
      connection,
      unreadableTable,
      unreadable.map(({ part, entry, position, code, reason, raw }) => [
        ...[part, entry, position, null, null, code],
        ...[reason, raw],
      ]),
    );
  });
}
