import type { DuckDBConnection } from '@duckdb/node-api';
import { noteAction } from './actions.ts';
import { loading } from './case.ts';
import { EntryProblem } from './entry-problem.ts';
import type { KeptFile } from './evidence.ts';
import type { FileEntry } from './file-entry.ts';
import { openPartWriter } from './part-writer.ts';
import { deletePart, insertPart, nextNumbers, notePart, type Part, type Problem } from './parts.ts';
import { type Reading, readEntry } from './read-entry.ts';

/** What adding the entries of one file has in common. */
export interface Adding extends Reading {
  readonly file: KeptFile;
  readonly job?: string;
}

/** What is done along with the loading of an entry, in its transaction. */
export interface Along {
  /** The part whose place it takes. */
  readonly earlier?: Part | undefined;
  /** What is to be in the case from the same moment on as the part. */
  readonly note?: ((connection: DuckDBConnection, part: Part) => Promise<void>) | undefined;
}

/**
 * Loads an entry as one part: all its records, or none. An entry that cannot
 * be read gives a part that says why.
 */
export async function addEntry(adding: Adding, entry: FileEntry, { earlier, note }: Along): Promise<Part> {
  const replace = (load: (connection: DuckDBConnection) => Promise<Part>) =>
    loading(adding.into, async (connection) => {
      if (earlier) await removePart(connection, earlier.part);
      const part = await load(connection);
      await note?.(connection, part);
      return part;
    });
  try {
    return await replace((connection) => loadEntry(connection, adding, entry));
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
export async function loadEntry(
  connection: DuckDBConnection,
  adding: Adding,
  entry: FileEntry,
): Promise<Part> {
  const { part, id } = await nextNumbers(connection);
  await using writer = await openPartWriter(connection);
  writer.begin({ part, entry: entry.name, firstId: id });
  const read = await readEntry(adding, entry, writer.addBatch);
  await writer.finish();
  return keepPart(connection, adding, { ...read, part, entry: entry.name, entryNumber: entry.number });
}

/** Makes an entry that cannot be read a part that says why, within a transaction. */
export async function refuseEntry(
  connection: DuckDBConnection,
  adding: Adding,
  { entry, problem }: { readonly entry: FileEntry; readonly problem: Problem },
): Promise<Part> {
  const { part, id } = await nextNumbers(connection);
  await using writer = await openPartWriter(connection);
  writer.begin({ part, entry: entry.name, firstId: id });
  const position = { number: 1, offset: 0, length: entry.bytes ?? 0 };
  await writer.add([{ kind: 'unreadable', code: problem.code, reason: problem.message, raw: '', position }]);
  await writer.finish();
  const counts = { bytes: position.length, logs: 0, unreadable: 1, remarks: [] };
  const known = { part, entry: entry.name, entryNumber: entry.number, format: 'unknown', problem };
  return keepPart(connection, adding, { ...counts, ...known });
}

async function keepPart(
  connection: DuckDBConnection,
  { file, job, zone }: Adding,
  read: Omit<Part, 'file' | 'fileSha256' | 'job' | 'added'>,
): Promise<Part> {
  const part: Part = {
    ...read,
    file: file.name,
    fileSha256: file.sha256,
    ...(job !== undefined && { job }),
    added: Date.now(),
    ...(zone && { zone: zone.name }),
  };
  await insertPart(connection, part);
  await notePart(connection, 'add part', part);
  return part;
}
