import type { DuckDBConnection } from '@duckdb/node-api';
import { joinBatches, joinedTarget, type TaggedBatch } from '../rows/join-batches.ts';
import { isFullBatch, type RowBatch } from '../rows/row-batch.ts';
import { openRowWriter, type RowTarget, type RowWriter } from '../rows/row-writer.ts';
import { textsBytes } from '../rows/text-heap.ts';

/** Writes rows of parts, in ascending order of the parts. */
export interface PartRowsWriter extends AsyncDisposable {
  readonly write: (batch: RowBatch, part: number, entry: string) => Promise<void>;
  /** Resolves when everything is written. */
  readonly finish: () => Promise<void>;
  /** Forgets the waiting rows of the last part; reports if others of it were written already. */
  readonly forget: (part: number) => boolean;
}

/** Rows from which a batch outweighs the cost of a statement. */
const largeRows = 1_024;

/** Bytes of texts from which copying them costs more than a statement. */
const largeText = 512 * 1024;

/**
 * Creates a writer that joins small batches of several parts into one statement. It passes others to `writer`,
 * whose constant columns are the part and its entry. A zip can have a hundred thousand
 * entries with a few logs each.
 */
export function joinSmallBatches(
  connection: DuckDBConnection,
  target: RowTarget,
  writer: RowWriter,
): PartRowsWriter {
  const width = { numbers: target.numbers.length, texts: target.texts.length };
  let waiting: TaggedBatch[] = [];
  let [rows, bytes, lastWritten] = [0, 0, 0];
  let joined: RowWriter | undefined;
  return { write, finish, forget, [Symbol.asyncDispose]: dispose };

  async function write(batch: RowBatch, part: number, entry: string): Promise<void> {
    if (batch.rows === 0) return;
    const length = textsBytes(batch.texts);
    if (largeRows <= batch.rows || largeText <= length || entry === '') {
      lastWritten = part;
      return await writer.write(batch, [part, entry]);
    }
    waiting.push({ batch, number: part, text: entry });
    rows += batch.rows;
    bytes += length;
    if (isFullBatch(rows, bytes)) await flush();
  }

  async function flush(): Promise<void> {
    const [first, second] = waiting;
    if (!first) return;
    const batches = waiting;
    [waiting, rows, bytes] = [[], 0, 0];
    lastWritten = Math.max(lastWritten, batches.at(-1)?.number ?? 0);
    if (!second) return await writer.write(first.batch, [first.number, first.text]);
    joined ??= await openRowWriter(connection, joinedTarget(target));
    await joined.write(joinBatches(batches, width), []);
  }

  async function finish(): Promise<void> {
    await flush();
    await writer.finish();
    await joined?.finish();
  }

  function forget(part: number): boolean {
    waiting = waiting.filter(({ number }) => number !== part);
    rows = waiting.reduce((sum, { batch }) => sum + batch.rows, 0);
    bytes = waiting.reduce((sum, { batch }) => sum + textsBytes(batch.texts), 0);
    return lastWritten === part;
  }

  async function dispose(): Promise<void> {
    await writer[Symbol.asyncDispose]();
    await joined?.[Symbol.asyncDispose]();
  }
}
