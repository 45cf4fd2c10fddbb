import type { DuckDBConnection } from '@duckdb/node-api';
import { raiseMemoryLimit, rowsAtATime } from '../database/memory-limit.ts';
import type { RowBatch } from '../rows/row-batch.ts';
import { bytesOf } from '../rows/text-heap.ts';

/** Bytes that the database holds beside the texts of the rows that it commits at a time. */
const besides = 24 * 1024 * 1024;

/** A long text has blocks of its own, which it may fill by little more than a half. */
const roomOfText = 2;

/**
 * Sees to it that the database may take as much memory as it needs to commit
 * the batches it is told of, in their order. Logs with stack traces of some 10
 * kB need more than the little that a case may have been opened with, and a
 * commit that does not get it fails after all was read. So many writers may
 * take the batches side by side.
 */
export function commitRoom(
  connection: DuckDBConnection,
  writers: number,
): (batch: RowBatch) => Promise<void> {
  const rowsAtOnce = writers * rowsAtATime;
  const recent: { readonly rows: number; readonly bytes: number }[] = [];
  let [rows, bytes, limit] = [0, 0, 0];
  return async (batch) => {
    add(batch);
    const needed = bytes * roomOfText + besides;
    if (limit < needed) limit = await raiseMemoryLimit(connection, needed);
  };

  /** Counts a batch, and no longer those that are not among the last rows. */
  function add(batch: RowBatch): void {
    const added = { rows: batch.rows, bytes: bytesOf(batch.texts) };
    recent.push(added);
    rows += added.rows;
    bytes += added.bytes;
    for (let first = recent[0]; first && rowsAtOnce <= rows - first.rows; first = recent[0]) {
      recent.shift();
      rows -= first.rows;
      bytes -= first.bytes;
    }
  }
}
