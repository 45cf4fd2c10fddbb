import { availableParallelism } from 'node:os';
import type { RowBatch } from './row-batch.ts';
import { rowGroup } from './row-group.ts';
import type { RowWriter } from './row-writer.ts';

/** A writer among others. */
interface Lane {
  readonly writer: RowWriter;
  rows: number;
  isFree: boolean;
  /** When it is free again. */
  done: Promise<void>;
}

/** Three keep four processors busy, with what makes the rows; more would only take memory. */
export const mostWriters = Math.max(2, Math.min(3, availableParallelism() - 1));

/** Further writers, for many rows. */
export interface MoreWriters {
  readonly open: () => Promise<RowWriter>;
  /** How many rows there are going to be, as far as is known by now. */
  readonly likelyRows: () => number | undefined;
}

/**
 * A writer that spreads many rows over several: each batch goes to one that is
 * free, since DuckDB compresses rows in the thread that adds them, and takes
 * no others meanwhile. More are opened when there are many. Their rows are
 * apart in the table, in no particular order.
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

/** Writers do not get equally many rows. */
const fullShare = 1.2 * rowGroup;

/**
 * How many writers are worth their while when there are so many rows. One that
 * has not filled a row group has nothing compressed when its transaction ends:
 * DuckDB then appends its rows to the table one by one, and logs each of them.
 */
function worthwhile(rows: number, likelyRows: number | undefined): number {
  const isKnown = likelyRows !== undefined && rows <= likelyRows;
  // Otherwise one more has nothing to do before the others compress any.
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
  // The next one to write or finish hears of a failure; nobody has missed it until then.
  lane.done.catch(() => undefined);
}

/** Of those that are free, the one that compresses next: what the others have is little to compress in the end, one after the other. */
function fullestOf(lanes: readonly Lane[]): Lane {
  const free = lanes.filter(({ isFree }) => isFree);
  const [fullest] = free.toSorted((one, other) => (other.rows % rowGroup) - (one.rows % rowGroup));
  if (!fullest) throw new Error('A batch was given while every writer was busy');
  return fullest;
}
