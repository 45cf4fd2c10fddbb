import { availableParallelism } from 'node:os';
import type { RowBatch } from './row-batch.ts';
import { rowGroupSize } from './row-group.ts';
import type { RowWriter } from './row-writer.ts';

/** A writer and its state. */
interface WriterState {
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
export const maxWriters = Math.max(2, Math.min(3, availableParallelism() - 1));

/** Opens further writers, for many rows. */
export interface FurtherWriters {
  readonly open: () => Promise<RowWriter>;
  /** Expected number of rows, if known yet. */
  readonly likelyRows: () => number | undefined;
}

/**
 * Creates a writer that distributes rows over several writers. Each batch goes to a free one,
 * because DuckDB compresses rows in the thread that appends them, and takes no others meanwhile.
 * Opens further writers for many rows. The rows are scattered over the table, in no particular
 * order.
 */
export function spreadRows(first: RowWriter, more?: FurtherWriters): RowWriter {
  const states = [toState(first)];
  let rows = 0;

  return { write, finish, [Symbol.asyncDispose]: dispose };

  async function write(batch: RowBatch, constants: readonly (string | number)[]): Promise<void> {
    if (batch.rows === 0) return;
    if (more && states.length < worthwhile(rows, more.likelyRows())) states.push(toState(await more.open()));
    rows += batch.rows;
    if (states.every(({ isFree }) => !isFree)) await Promise.race(states.map(({ done }) => done));
    await writeTo(fullestOf(states), batch, constants);
  }

  async function finish(): Promise<void> {
    for (const { writer } of states) await writer.finish();
  }

  async function dispose(): Promise<void> {
    for (const { writer } of states) await writer[Symbol.asyncDispose]();
  }
}

/** Rows of one writer that fill a row group despite uneven distribution. */
const minRows = 1.2 * rowGroupSize;

/**
 * Returns the number of writers worth opening for a number of rows. A writer without a full row
 * group has nothing compressed at the end of its transaction: DuckDB then appends its rows one by
 * one, and logs each of them.
 */
function worthwhile(rows: number, likelyRows: number | undefined): number {
  const isKnown = likelyRows !== undefined && rows <= likelyRows;
  // An additional writer is useless before the others compress rows.
  const count = isKnown ? Math.floor(likelyRows / minRows) : 1 + Math.floor(rows / rowGroupSize);
  return Math.min(maxWriters, count);
}

function toState(writer: RowWriter): WriterState {
  return { writer, rows: 0, isFree: true, done: Promise.resolve() };
}

async function writeTo(
  state: WriterState,
  batch: RowBatch,
  constants: readonly (string | number)[],
): Promise<void> {
  await state.writer.write(batch, constants);
  state.rows += batch.rows;
  state.isFree = false;
  state.done = state.writer.finish().finally(() => {
    state.isFree = true;
  });
  // The next write or finish throws a failure; no unhandled rejection until then.
  state.done.catch(() => undefined);
}

/**
 * Returns the free writer that compresses next, so that little of the others remains to be
 * compressed sequentially at the end.
 */
function fullestOf(states: readonly WriterState[]): WriterState {
  const free = states.filter(({ isFree }) => isFree);
  const [fullest] = free.toSorted((one, other) => (other.rows % rowGroupSize) - (one.rows % rowGroupSize));
  if (!fullest) throw new Error('No writer is free for the batch');
  return fullest;
}
