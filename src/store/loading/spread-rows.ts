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

/**
 * A writer that spreads many rows over several: each batch goes to one that is
 * free, since DuckDB compresses rows in the thread that adds them, and takes
 * no others meanwhile. `openAnother` is asked when there are many, where there
 * is one. Their rows are apart in the table, in no particular order.
 */
export function spreadRows(first: RowWriter, openAnother?: () => Promise<RowWriter>): RowWriter {
  const lanes = [laneOf(first)];
  let rows = 0;

  return { write, finish, [Symbol.asyncDispose]: dispose };

  async function write(batch: RowBatch, constants: readonly (string | number)[]): Promise<void> {
    if (batch.rows === 0) return;
    // Before the others compress any, one more has nothing to do meanwhile.
    if (openAnother && lanes.length < mostWriters && lanes.length * rowGroup <= rows)
      lanes.push(laneOf(await openAnother()));
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
