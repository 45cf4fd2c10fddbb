import type { DuckDBConnection } from '@duckdb/node-api';
import { loading } from '../case/case.ts';
import {
  deletePart,
  insertParts,
  nextNumbers,
  type Part,
  type Problem,
  partNote,
  unreadableDigests,
} from '../case/parts.ts';
import type { Beside } from '../case/transaction.ts';
import { noteAction, noteActions } from '../chain/actions.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import type { KeptFile } from '../originals/evidence.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import { recordBatcher } from '../rows/record-batch.ts';
import { openPartWriter, type PartWriter } from './part-writer.ts';
import { type Read, type Reading, readEntry, type TakeBatch } from './read-entry.ts';

/** Common context of adding the entries of one file. */
export interface Adding extends Reading {
  readonly file: KeptFile;
  readonly job?: string;
  /** Opens further connections that may write concurrently. */
  readonly beside?: Beside | undefined;
}

/** Work done together with loading an entry, in its transaction. */
export interface Along {
  /** The part that the new one replaces. */
  readonly earlier?: Part | undefined;
  /** Writes what must be in the case from the same moment as the part. */
  readonly note?: ((connection: DuckDBConnection, part: Part) => Promise<void>) | undefined;
}

/**
 * Loads an entry as one part: all its records, or none. An unreadable entry becomes a part that
 * states the problem.
 */
export async function addEntry(adding: Adding, entry: FileEntry, { earlier, note }: Along): Promise<Part> {
  const replace = (load: (connection: DuckDBConnection, beside?: Beside) => Promise<Part>) =>
    loading(adding.into, async (connection, beside) => {
      if (earlier) await removePart(connection, earlier.part);
      // A replacement may reuse the number of the old part, and would count as listed before it is
      // finished.
      const part = await load(connection, earlier ? undefined : beside);
      await note?.(connection, part);
      return part;
    });
  try {
    return await replace((connection, beside) => loadEntry(connection, { ...adding, beside }, entry));
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    return await replace((connection) => refuseEntry(connection, adding, { entry, problem: error.problem }));
  }
}

async function removePart(connection: DuckDBConnection, part: number): Promise<void> {
  await deletePart(connection, part);
  await noteAction(connection, 'remove part', { part });
}

/** Loads an entry as one part within a transaction. Throws an `EntryProblem`. */
export function loadEntry(connection: DuckDBConnection, adding: Adding, entry: FileEntry): Promise<Part> {
  return addPart(connection, adding, { entry, give: (take) => readEntry(adding, entry, take) });
}

/** Adds a part that states why an entry cannot be read, within a transaction. */
export function refuseEntry(connection: DuckDBConnection, adding: Adding, refused: Refused): Promise<Part> {
  return addPart(connection, adding, given(refused));
}

async function addPart(connection: DuckDBConnection, adding: Adding, entry: GivenEntry): Promise<Part> {
  const { bytes, claim } = entry.entry;
  await using writer = await openPartWriter(connection, { ...adding, likelyBytes: bytes ?? claim });
  const numbers = await nextNumbers(connection);
  const part = await writePart(writer, adding, { ...entry, ...numbers });
  await writer.finish();
  await listPart(connection, part, numbers.id);
  return part;
}

/** Lists a part whose records are written, and records it and the id of its first log as an action. */
export async function listPart(connection: DuckDBConnection, part: Part, firstId: number): Promise<void> {
  await insertParts(connection, [part]);
  const digests = await unreadableDigests(connection, [part]);
  const facts = { firstId, unreadableSha256: digests.get(part.part) };
  await noteActions(connection, [partNote('add part', part, facts)]);
}

/** An unreadable entry and its problem. */
export interface Refused {
  readonly entry: FileEntry;
  readonly problem: Problem;
}

/** An entry and the source of its records. */
export interface GivenEntry {
  readonly entry: FileEntry;
  /** Passes the records to `take`; resolves with a summary of the entry. */
  readonly give: (take: TakeBatch) => Promise<Read>;
}

/** Creates the one record that represents an unreadable entry. */
export function given({ entry, problem }: Refused): GivenEntry {
  const { code, message: reason } = problem;
  const position = { number: 1, offset: 0, length: entry.bytes ?? 0 };
  const give = async (take: TakeBatch): Promise<Read> => {
    const batcher = recordBatcher();
    batcher.add({ kind: 'unreadable', code, reason, raw: '', position });
    await take(batcher.take(), 0);
    return { bytes: position.length, logs: 0, unreadable: 1, remarks: [], format: 'unknown', problem };
  };
  return { entry, give };
}

/** An entry that becomes a part, with the number of the part and the id of its first log. */
type NumberedEntry = GivenEntry & { readonly part: number; readonly id: number };

/**
 * Writes the records of an entry as one part, without any record of it yet. The last batches may
 * still be in progress.
 */
export async function writePart(writer: PartWriter, adding: Adding, entry: NumberedEntry): Promise<Part> {
  const read = await writeRecords(writer, entry);
  return toPart(adding, entry, read);
}

/** Writes the records of an entry; returns their summary. The last batches may still be in progress. */
export async function writeRecords(
  writer: PartWriter,
  { entry, give, part, id }: NumberedEntry,
): Promise<Read> {
  writer.begin({ part, entry: entry.name, firstId: id });
  return await give(writer.addBatch);
}

/** Creates the part of an entry. */
export function toPart(
  { file, job, zone }: Pick<Adding, 'file' | 'job' | 'zone'>,
  { entry, part }: Pick<NumberedEntry, 'entry' | 'part'>,
  read: Read,
): Part {
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
