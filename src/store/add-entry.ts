import type { DuckDBConnection } from '@duckdb/node-api';
import { noteAction } from './actions.ts';
import { loading } from './case.ts';
import { EntryProblem } from './entry-problem.ts';
import type { KeptFile } from './evidence.ts';
import type { FileEntry } from './file-entry.ts';
import { openPartWriter, type PartWriter } from './part-writer.ts';
import { deletePart, insertPart, nextNumbers, notePart, type Part, type Problem } from './parts.ts';
import { type Read, type Reading, readEntry, type TakeBatch } from './read-entry.ts';
import { recordBatcher } from './record-batch.ts';
import { separator } from './row-batch.ts';

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
  await using writer = await openPartWriter(connection);
  return await writePart({ connection, writer }, adding, {
    entry,
    give: (take) => readEntry(adding, entry, take),
  });
}

/** Makes an entry that cannot be read a part that says why, within a transaction. */
export async function refuseEntry(
  connection: DuckDBConnection,
  adding: Adding,
  { entry, problem }: Refused,
): Promise<Part> {
  await using writer = await openPartWriter(connection);
  return await writePart({ connection, writer }, adding, { entry, give: refusal({ entry, problem }) });
}

/** An entry that was read before it is its turn to be written. */
export type EntryAhead = Refused | { readonly entry: FileEntry; readonly give: Give };

/** An entry that cannot be read, and why. */
interface Refused {
  readonly entry: FileEntry;
  readonly problem: Problem;
}

/** Gives the records of an entry to who takes them, and says in the end what was read. */
type Give = (take: TakeBatch) => Promise<Read>;

/** Writes an entry that was read ahead as one part within a transaction, in the place of an earlier one. */
export async function writeAhead(
  into: Into,
  adding: Adding,
  { ahead, earlier }: { readonly ahead: EntryAhead; readonly earlier: Part | undefined },
): Promise<Part> {
  if (earlier) await removePart(into.connection, earlier.part);
  const give = 'problem' in ahead ? refusal(ahead) : ahead.give;
  return await writePart(into, adding, { entry: ahead.entry, give });
}

/** What parts are written with, within a transaction. */
export interface Into {
  readonly connection: DuckDBConnection;
  readonly writer: PartWriter;
}

/** Writes what is given of an entry as one part. */
async function writePart(
  { connection, writer }: Into,
  adding: Adding,
  { entry, give }: { readonly entry: FileEntry; readonly give: Give },
): Promise<Part> {
  const { part, id } = await nextNumbers(connection);
  writer.begin({ part, entry: entry.name, firstId: id });
  const read = await give(writer.addBatch);
  await writer.finish();
  return keepPart(connection, adding, { ...read, part, entry: entry.name, entryNumber: entry.number });
}

/** Gives the one record that stands for an entry that cannot be read. */
function refusal({ entry, problem }: Refused): Give {
  const { code, message: reason } = problem;
  const position = { number: 1, offset: 0, length: entry.bytes ?? 0 };
  return async (take) => {
    const batcher = recordBatcher();
    batcher.add({ kind: 'unreadable', code, reason, raw: '', position });
    await take(batcher.take(separator), 0);
    return { bytes: position.length, logs: 0, unreadable: 1, remarks: [], format: 'unknown', problem };
  };
}

async function keepPart(
  connection: DuckDBConnection,
  { file, job, zone }: Adding,
  read: Read & Pick<Part, 'part' | 'entry' | 'entryNumber'>,
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
