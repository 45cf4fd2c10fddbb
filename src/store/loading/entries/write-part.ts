import type { PartProblem, StoredPart } from '../../case/parts.ts';
import type { StoredFile } from '../../originals/evidence.ts';
import type { FileEntry } from '../../originals/file-entry.ts';
import { recordBatcher } from '../../rows/record-batch.ts';
import type { PartWriter } from './part-writer.ts';
import type { ReadContext, ReadSummary, TakeBatch } from './read-entry.ts';

/** Common context of reading the entries of one file. */
export interface AddContext extends ReadContext {
  readonly file: StoredFile;
  readonly job?: string;
}

/** An entry and the source of its records. */
export interface EntrySource {
  readonly entry: FileEntry;
  /** Passes the records to `take`; resolves with a summary of the entry. */
  readonly feed: (take: TakeBatch) => Promise<ReadSummary>;
}

/** An unreadable entry and its problem. */
interface RefusedEntry {
  readonly entry: FileEntry;
  readonly problem: PartProblem;
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
