import type { RowBatch } from './row-batch.ts';
import { rowGroup } from './row-group.ts';
import type { RowWriter } from './row-writer.ts';

/**
 * A writer that spreads many rows over two: each batch goes to the one that is
 * free, since DuckDB compresses rows in the thread that adds them, and takes
 * no others meanwhile. `openSecond` is asked when there are many, where there
 * is one. The rows of the two are apart in the table, in no particular order.
 */
export function spreadRows(first: RowWriter, openSecond?: () => Promise<RowWriter>): RowWriter {
  const writers = [first];
  /** For each writer, its place once it is free. */
  const free = [Promise.resolve(0)];
  let rows = 0;

  return { write, finish, [Symbol.asyncDispose]: dispose };

  async function write(batch: RowBatch, constants: readonly (string | number)[]): Promise<void> {
    if (batch.rows === 0) return;
    // Before the first one compresses any, a second one has nothing to do meanwhile.
    if (openSecond && writers.length === 1 && rowGroup <= rows) add(await openSecond());
    rows += batch.rows;
    const place = await Promise.race(free);
    const writer = writers[place] ?? first;
    await writer.write(batch, constants);
    free[place] = writer.finish().then(() => place);
    // The next one to write or finish hears of a failure; nobody has missed it until then.
    free[place].catch(() => undefined);
  }

  function add(writer: RowWriter): void {
    free.push(Promise.resolve(writers.push(writer) - 1));
  }

  async function finish(): Promise<void> {
    for (const writer of writers) await writer.finish();
  }

  async function dispose(): Promise<void> {
    for (const writer of writers) await writer[Symbol.asyncDispose]();
  }
}
