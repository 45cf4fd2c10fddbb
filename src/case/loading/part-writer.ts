import { availableParallelism } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import { raiseMemoryLimit, vectorSize } from '../../database/index.ts';
import { type NewAction, recordActions } from '../file/chain.ts';
import {
  deleteParts,
  insertParts,
  nextNumbers,
  partAction,
  type StoredPart,
  unreadableDigests,
} from '../file/parts.ts';
import type { ConnectBeside } from '../file/transaction.ts';
import type { FileEntry } from '../originals/entries.ts';
import type { StoredFile } from '../originals/evidence.ts';
import type { RowTarget } from '../rows/batches.ts';
import {
  isFullBatch,
  joinBatches,
  joinedTarget,
  logBatchColumns,
  type RecordBatch,
  type RowBatch,
  recordBytes,
  renumberRecords,
  type TaggedBatch,
  textsBytes,
  unreadableColumns,
} from '../rows/batches.ts';
import { openRowWriter, type RowWriter, rowGroupSize } from '../rows/row-writer.ts';
import type { ReadContext, ReadSummary } from './read-entry.ts';

/** Common context of adding the entries of one file. */
export interface AddContext extends ReadContext {
  readonly file: StoredFile;
  readonly job?: string;
}

/** Facts that each part of a file is stated with. */
type PartContext = Pick<AddContext, 'file' | 'job' | 'zone'>;

/**
 * Parts that are written in one transaction, one after the other, and listed together at its end: a
 * statement for each would take longer than the logs of a small entry. `finish` must have been
 * called before the transaction ends.
 */
export interface PartGroup extends AsyncDisposable {
  /** Adds records of an entry to the current part; `before` is the number of its records preceding the batch. */
  readonly add: (entry: FileEntry, batch: RecordBatch, before: number) => Promise<void>;
  /** Removes the records of the current part. */
  readonly discard: () => Promise<void>;
  /** Ends the current part and returns it. */
  readonly end: (context: PartContext, entry: FileEntry, read: ReadSummary) => StoredPart;
  /** Removes an earlier part, which the latest one replaces. */
  readonly replace: (part: number) => void;
  /** Records an action after those of the parts so far. */
  readonly record: (action: NewAction) => void;
  /** Lists the parts, and records the actions. */
  readonly finish: () => Promise<void>;
}

/** Expectations of a group. */
interface PartGroupOptions {
  /** Opens further connections, for many logs. */
  readonly beside?: ConnectBeside | undefined;
  /** Expected total of inflated bytes, if known. */
  readonly likelyBytes?: number | undefined;
}

/** Opens a group within the transaction of a connection, which is busy until disposal. */
export async function openPartGroup(
  connection: DuckDBConnection,
  options: PartGroupOptions = {},
): Promise<PartGroup> {
  const writer = await openPartWriter(connection, options);
  let numbers = await nextNumbers(connection);
  let isBegun = false;
  const parts: StoredPart[] = [];
  const replaced: number[] = [];
  const actions: ((digests: ReadonlyMap<number, string>) => NewAction)[] = [];
  return { add, discard, end, replace, record, finish, [Symbol.asyncDispose]: writer[Symbol.asyncDispose] };

  async function add(entry: FileEntry, batch: RecordBatch, before: number): Promise<void> {
    if (!isBegun) writer.beginPart({ part: numbers.part, entry: entry.name, firstId: numbers.id });
    isBegun = true;
    await writer.add(batch, before);
  }

  async function discard(): Promise<void> {
    if (isBegun) await writer.discardPart();
    isBegun = false;
  }

  function end({ file, job, zone }: PartContext, entry: FileEntry, read: ReadSummary): StoredPart {
    const { part: number, id: firstId } = numbers;
    const part = {
      ...read,
      part: number,
      entry: entry.name,
      entryNumber: entry.number,
      file: file.name,
      fileSha256: file.sha256,
      ...(job !== undefined && { job }),
      added: Date.now(),
      ...(zone && { zone: zone.name }),
    };
    numbers = { part: number + 1, id: firstId + part.logs };
    isBegun = false;
    parts.push(part);
    actions.push((digests) => partAction(part, { firstId, unreadableSha256: digests.get(number) }));
    return part;
  }

  function replace(part: number): void {
    replaced.push(part);
    record({ action: 'remove part', details: { part } });
  }

  function record(action: NewAction): void {
    actions.push(() => action);
  }

  async function finish(): Promise<void> {
    await writer.finish();
    if (0 < replaced.length) await deleteParts(connection, replaced);
    await insertParts(connection, parts);
    const digests = await unreadableDigests(connection, parts);
    await recordActions(
      connection,
      actions.map((toAction) => toAction(digests)),
    );
  }
}

/** The part that records belong to, and the id of its first log. */
interface PartTarget {
  readonly part: number;
  readonly entry: string;
  readonly firstId: number;
}

/** Writes the records of parts, one part after the other. The connection is busy until disposal. */
export interface PartWriter extends AsyncDisposable {
  /** Starts a part, to which subsequent records belong. */
  readonly beginPart: (target: PartTarget) => void;
  /** Adds records; `before` is the number of records of the part preceding them. Resolves when it can take more. */
  readonly add: (batch: RecordBatch, before: number) => Promise<void>;
  /** Resolves when everything is written. */
  readonly finish: () => Promise<void>;
  /** Removes the records of the current part. */
  readonly discardPart: () => Promise<void>;
}

/** Target of the records of parts. */
interface PartWriterOptions {
  /** Schema of the tables. */
  readonly schema?: 'stored' | 'temp';
  /** Opens further connections, for many logs. */
  readonly beside?: ConnectBeside | undefined;
  /** Expected total of inflated bytes, if known. */
  readonly likelyBytes?: number | undefined;
}

/** Opens a writer of the records of parts within the transaction of a connection. */
export async function openPartWriter(
  connection: DuckDBConnection,
  { schema = 'stored', beside, likelyBytes }: PartWriterOptions = {},
): Promise<PartWriter> {
  const constants = [
    { name: 'part', type: 'INTEGER' },
    { name: 'entry', type: 'VARCHAR' },
  ] as const;
  const logTarget = { table: `${schema}.logs`, constants, ...logBatchColumns };
  const oneLogRows = await openRowWriter(connection, logTarget);
  const connections = [connection];
  let likelyRows: number | undefined;
  const spread = spreadRows(
    oneLogRows,
    beside && {
      open: async () => openRowWriter(await open(beside), logTarget),
      likelyRows: () => likelyRows,
    },
  );
  const logRows = joinSmallBatches(connection, logTarget, spread);
  const unreadableTarget = { table: `${schema}.unreadable`, constants, ...unreadableColumns };
  const oneUnreadableRows = await openRowWriter(connection, unreadableTarget);
  const unreadableRows = joinSmallBatches(connection, unreadableTarget, oneUnreadableRows);
  const reserveMemory = reserveCommitMemory(connection, beside ? maxWriters : 1);
  let target: PartTarget = { part: 0, entry: '', firstId: 0 };
  let nextId = 0;

  return { beginPart, add, finish, discardPart, [Symbol.asyncDispose]: dispose };

  async function open(another: ConnectBeside): Promise<DuckDBConnection> {
    const opened = await another(target.part);
    connections.push(opened);
    return opened;
  }

  function beginPart(next: PartTarget): void {
    target = next;
    nextId = next.firstId;
  }

  async function add(batch: RecordBatch, before: number): Promise<void> {
    renumberRecords(batch, { firstId: nextId, before });
    nextId += batch.logs.rows;
    likelyRows ??= rowsIn(likelyBytes, batch.logs);
    await reserveMemory(batch.logs);
    await reserveMemory(batch.unreadable);
    await logRows.write(batch.logs, target.part, target.entry);
    await unreadableRows.write(batch.unreadable, target.part, target.entry);
  }

  async function finish(): Promise<void> {
    await logRows.finish();
    await unreadableRows.finish();
  }

  async function discardPart(): Promise<void> {
    const writtenRows = [logRows, unreadableRows].filter((rows) => rows.forget(target.part));
    // Deleting looks through the table, which may be long.
    if (writtenRows.length === 0) return;
    await finish();
    for (const connection of connections)
      for (const table of ['logs', 'unreadable'])
        await connection.run(`DELETE FROM ${schema}.${table} WHERE part = $1`, [target.part]);
  }

  async function dispose(): Promise<void> {
    await logRows[Symbol.asyncDispose]();
    await unreadableRows[Symbol.asyncDispose]();
  }
}

/** Estimates the number of logs like those of a batch in an amount of bytes; undefined if unknown. */
function rowsIn(bytes: number | undefined, batch: RowBatch): number | undefined {
  const length = recordBytes(batch) / batch.rows;
  return bytes !== undefined && 0 < length ? bytes / length : undefined;
}

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
interface FurtherWriters {
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

/** Writes rows of parts, in ascending order of the parts. */
interface PartRowsWriter extends AsyncDisposable {
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
function joinSmallBatches(
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

/** Bytes that the database holds in addition to the texts of the rows that it commits at a time. */
const overhead = 24 * 1024 * 1024;

/** A long text has its own blocks, which may be little more than half full. */
const textFactor = 2;

/**
 * Raises the memory limit of the database to what it needs to commit the given batches, in order.
 * Logs with stack traces of about 10 kB need more than the small initial limit of a case. A
 * commit without it fails after everything was read. `writers` is the number of writers that take
 * batches concurrently.
 */
function reserveCommitMemory(
  connection: DuckDBConnection,
  writers: number,
): (batch: RowBatch) => Promise<void> {
  const rowsAtOnce = writers * vectorSize;
  const recent: { readonly rows: number; readonly bytes: number }[] = [];
  let [rows, bytes, limit] = [0, 0, 0];
  return async (batch) => {
    add(batch);
    const needed = bytes * textFactor + overhead;
    if (limit < needed) limit = await raiseMemoryLimit(connection, needed);
  };

  /** Counts a batch, and drops those that are no longer among the last rows. */
  function add(batch: RowBatch): void {
    const added = { rows: batch.rows, bytes: textsBytes(batch.texts) };
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
