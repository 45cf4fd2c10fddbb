import { availableParallelism } from 'node:os';
import type { RowBatch } from './row-batch.ts';
import { rowGroup } from './row-group.ts';
import type { RowWriter } from './row-writer.ts';

/** A writer and its state. */
interface Lane {
  readonly writer: RowWriter;
  rows: number;
  isFree: boolean;
  /** Resolves when the writer is free again. */
  done: Promise<void>;
}

/**
 * Maximum number of writers. Three keep four processors busy, together with the producer of the
 * rows; more would only take memory.
 */
export const mostWriters = Math.max(2, Math.min(3, availableParallelism() - 1));

/** Opens further writers, for many rows. */
export interface MoreWriters {
  readonly open: () => Promise<RowWriter>;
  /** Expected number of rows, if known yet. */
  readonly likelyRows: () => number | undefined;
}

/**
 * Creates a writer that distributes rows over several writers: each batch goes to a free one,
 * because DuckDB compresses rows in the thread that appends them, and takes no others meanwhile.
 * Opens further writers for many rows. The rows are scattered over the table, in no particular
 * order.
 */
export function spreadRows(first: RowWriter, more?: MoreWriters): RowWriter {
  const lanes = [laneOf(first)];
  let rows = 0;

  return { write, finish, [Symbol.asyncDispose]: dispose };

  async function write(batch: RowBatch, constants: readonly (string | number)[]): Promise<void> {
    if (batch.rows === 0) return;
    if (more && lanes.length < worthwhile(rows, more.likelyRows())) lanes.push(laneOf(await more.open()));
    rows += batch.rows;
    if (lanes.every(({ isFree }) => !isFree)) await Promise.race(lanes.map(({ done }) => done));
    await give(fullestOf(lanes), batch, constants);
  }

  async function finish(): Promise<void> {
    for (const { writer } of lanes) await writer.finish();
  }

  async function dispose(): Promise<void> {
    for (const { writer } of lanes) await writer[Symbol.asyncDispose]();
  }
}

/** Rows of one writer that fill a row group despite uneven distribution. */
const fullShare = 1.2 * rowGroup;

/**
 * Returns the number of writers worth opening for a number of rows. A writer without a full row
 * group has nothing compressed at the end of its transaction: DuckDB then appends its rows one by
 * one, and logs each of them.
 */
function worthwhile(rows: number, likelyRows: number | undefined): number {
  const isKnown = likelyRows !== undefined && rows <= likelyRows;
  // An additional writer is useless before the others compress rows.
  const count = isKnown ? Math.floor(likelyRows / fullShare) : 1 + Math.floor(rows / rowGroup);
  return Math.min(mostWriters, count);
}

function laneOf(writer: RowWriter): Lane {
  return { writer, rows: 0, isFree: true, done: Promise.resolve() };
}

async function give(lane: Lane, batch: RowBatch, constants: readonly (string | number)[]): Promise<void> {
  await lane.writer.write(batch, constants);
  lane.rows += batch.rows;
  lane.isFree = false;
  lane.done = lane.writer.finish().finally(() => {
    lane.isFree = true;
  });
  // The next write or finish throws a failure; no unhandled rejection until then.
  lane.done.catch(() => undefined);
}

/**
 * Returns the free writer that compresses next, so that little of the others remains to be
 * compressed sequentially at the end.
 */
function fullestOf(lanes: readonly Lane[]): Lane {
  const free = lanes.filter(({ isFree }) => isFree);
  const [fullest] = free.toSorted((one, other) => (other.rows % rowGroup) - (one.rows % rowGroup));
  if (!fullest) throw new Error('A batch was given while every writer was busy');
  return fullest;
}
