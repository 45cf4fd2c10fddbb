import type { DuckDBConnection } from '@duckdb/node-api';
import { loadIntoCase } from '../../case/case.ts';
import {
  deletePart,
  insertParts,
  nextNumbers,
  type PartProblem,
  partAction,
  type StoredPart,
  unreadableDigests,
} from '../../case/parts.ts';
import type { ConnectBeside } from '../../case/transaction.ts';
import { recordAction, recordActions } from '../../chain/actions.ts';
import { EntryProblem } from '../../originals/entry-problem.ts';
import type { StoredFile } from '../../originals/evidence.ts';
import type { FileEntry } from '../../originals/file-entry.ts';
import { recordBatcher } from '../../rows/record-batch.ts';
import { openPartWriter, type PartWriter } from './part-writer.ts';
import { type ReadContext, type ReadSummary, readFileEntry, type TakeBatch } from './read-entry.ts';

/** Common context of context the entries of one file. */
export interface AddContext extends ReadContext {
  readonly file: StoredFile;
  readonly job?: string;
  /** Opens further connections that may write concurrently. */
  readonly beside?: ConnectBeside | undefined;
}

/** Work done together with loading an entry, in its transaction. */
export interface AddEntryOptions {
  /** The part that the new one replaces. */
  readonly replaced?: StoredPart | undefined;
  /** Writes what must be in the case from the same moment as the part. */
  readonly alsoWrite?: ((connection: DuckDBConnection, part: StoredPart) => Promise<void>) | undefined;
}

/**
 * Loads an entry as one part: all its records, or none. An unreadable entry becomes a part that
 * states the problem.
 */
export async function addFileEntry(
  context: AddContext,
  entry: FileEntry,
  { replaced, alsoWrite }: AddEntryOptions,
): Promise<StoredPart> {
  const replace = (load: (connection: DuckDBConnection, beside?: ConnectBeside) => Promise<StoredPart>) =>
    loadIntoCase(context.into, async (connection, beside) => {
      if (replaced) await removePart(connection, replaced.part);
      // A replacement may reuse the number of the old part, and would count as listed before it is
      // finished.
      const part = await load(connection, replaced ? undefined : beside);
      await alsoWrite?.(connection, part);
      return part;
    });
  try {
    return await replace((connection, beside) => loadEntry(connection, { ...context, beside }, entry));
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    return await replace((connection) => refuseEntry(connection, context, { entry, problem: error.problem }));
  }
}

async function removePart(connection: DuckDBConnection, part: number): Promise<void> {
  await deletePart(connection, part);
  await recordAction(connection, 'remove part', { part });
}

/** Loads an entry as one part within a transaction. Throws an `EntryProblem`. */
export function loadEntry(
  connection: DuckDBConnection,
  context: AddContext,
  entry: FileEntry,
): Promise<StoredPart> {
  return addPart(connection, context, { entry, feed: (take) => readFileEntry(context, entry, take) });
}

/** Adds a part that states why an entry cannot be read, within a transaction. */
export function refuseEntry(
  connection: DuckDBConnection,
  context: AddContext,
  refused: RefusedEntry,
): Promise<StoredPart> {
  return addPart(connection, context, refusedEntrySource(refused));
}

async function addPart(
  connection: DuckDBConnection,
  context: AddContext,
  entry: EntrySource,
): Promise<StoredPart> {
  const { bytes, claim } = entry.entry;
  await using writer = await openPartWriter(connection, { ...context, likelyBytes: bytes ?? claim });
  const numbers = await nextNumbers(connection);
  const part = await writePart(writer, context, { ...entry, ...numbers });
  await writer.finish();
  await listPart(connection, part, numbers.id);
  return part;
}

/** Lists a part whose records are written, and records it and the id of its first log as an action. */
export async function listPart(
  connection: DuckDBConnection,
  part: StoredPart,
  firstId: number,
): Promise<void> {
  await insertParts(connection, [part]);
  const digests = await unreadableDigests(connection, [part]);
  const facts = { firstId, unreadableSha256: digests.get(part.part) };
  await recordActions(connection, [partAction('add part', part, facts)]);
}

/** An unreadable entry and its problem. */
export interface RefusedEntry {
  readonly entry: FileEntry;
  readonly problem: PartProblem;
}

/** An entry and the source of its records. */
export interface EntrySource {
  readonly entry: FileEntry;
  /** Passes the records to `take`; resolves with a summary of the entry. */
  readonly feed: (take: TakeBatch) => Promise<ReadSummary>;
}

/** Creates the one record that represents an unreadable entry. */
export function refusedEntrySource({ entry, problem }: RefusedEntry): EntrySource {
  const { code, message: reason } = problem;
  const position = { number: 1, offset: 0, length: entry.bytes ?? 0 };
  const feed = async (take: TakeBatch): Promise<ReadSummary> => {
    const batcher = recordBatcher();
    batcher.add({ kind: 'unreadable', code, reason, raw: '', position });
    await take(batcher.take(), 0);
    return { bytes: position.length, logs: 0, unreadable: 1, remarks: [], format: 'unknown', problem };
  };
  return { entry, feed };
}

/** An entry that becomes a part, with the number of the part and the id of its first log. */
type NumberedEntry = EntrySource & { readonly part: number; readonly id: number };

/**
 * Writes the records of an entry as one part, without any record of it yet. The last batches may
 * still be in progress.
 */
export async function writePart(
  writer: PartWriter,
  context: AddContext,
  entry: NumberedEntry,
): Promise<StoredPart> {
  const read = await writeRecords(writer, entry);
  return toPart(context, entry, read);
}

/** Writes the records of an entry; returns their summary. The last batches may still be in progress. */
export async function writeRecords(
  writer: PartWriter,
  { entry, feed, part, id }: NumberedEntry,
): Promise<ReadSummary> {
  writer.beginPart({ part, entry: entry.name, firstId: id });
  return await feed(writer.addBatch);
}

/** Creates the part of an entry. */
export function toPart(
  { file, job, zone }: Pick<AddContext, 'file' | 'job' | 'zone'>,
  { entry, part }: Pick<NumberedEntry, 'entry' | 'part'>,
  read: ReadSummary,
): StoredPart {
  return {
    ...read,
    ...{ part, entry: entry.name, entryNumber: entry.number },
    file: file.name,
    fileSha256: file.sha256,
    ...(job !== undefined && { job }),
    added: Date.now(),
    ...(zone && { zone: zone.name }),
  };
}
