import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readRecords } from '../records/read-records.ts';
import type { LogRecord, ReadRecord, UnreadableRecord } from '../records/record.ts';
import type { Format } from '../records/sniff.ts';
import type { Zone } from '../records/zone.ts';
import { noteAction } from './actions.ts';
import { type Case, writing } from './case.ts';
import { EntryProblem } from './entry-problem.ts';
import type { KeptFile } from './evidence.ts';
import type { FileEntry } from './file-entry.ts';
import { gunzip } from './gunzip.ts';
import { newUpgradeMessages } from './new-upgrade-messages.ts';
import { openPartWriter, type PartWriter } from './part-writer.ts';
import {
  deletePart,
  insertPart,
  nextNumbers,
  notePart,
  type Part,
  type Problem,
  type RemarkCount,
} from './parts.ts';

/** A zone and the name that the case knows it by. */
export interface NamedZone {
  readonly name: string;
  readonly zone: Zone;
}

/** What adding the entries of one file has in common. */
export interface Adding {
  readonly into: Case;
  readonly file: KeptFile;
  readonly job?: string;
  /** The zone of times that name none; UTC unless given. */
  readonly zone?: NamedZone;
  /** Told of inflated bytes before they are read; throws to end the adding. */
  readonly onBytes: (bytes: number) => void;
  /** Told of records once they are on their way into the case. */
  readonly onRecords: (entry: FileEntry, records: readonly ReadRecord[]) => void;
  /** Whether a log is to be in the case; asked once for each, in their order. All are unless given, but messages of an upgrade that are there. */
  readonly keep?: (record: LogRecord) => boolean;
}

/**
 * Loads an entry as one part: all its records, or none. An entry that cannot
 * be read gives a part that says why. Either takes the place of `earlier`.
 */
export async function addEntry(adding: Adding, entry: FileEntry, earlier?: Part): Promise<Part> {
  const replace = (load: (connection: DuckDBConnection) => Promise<Part>) =>
    writing(adding.into, async (connection) => {
      if (earlier) await removePart(connection, earlier.part);
      return load(connection);
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
  await using writer = await openPartWriter(connection, { part, entry: entry.name, firstId: id });
  const read = await readEntry(adding, entry, writer);
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
  await using writer = await openPartWriter(connection, { part, entry: entry.name, firstId: id });
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
  { leftOut, ...read }: Omit<Part, 'file' | 'fileSha256' | 'job' | 'added'> & { readonly leftOut?: number },
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
  await notePart(connection, 'add part', { ...part, ...(leftOut !== undefined && { leftOut }) });
  return part;
}

interface Read
  extends Pick<Part, 'logs' | 'unreadable' | 'bytes' | 'format' | 'remarks' | 'problem' | 'entrySha256'> {
  /** Logs that were not wanted. */
  readonly leftOut?: number;
}

async function readEntry(adding: Adding, entry: FileEntry, writer: PartWriter): Promise<Read> {
  const hash = createHash('sha256');
  let bytes = 0;
  const tally = openTally();

  const stored = tapped(entry.read(), (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  const text = tapped(gunzip(stored), (chunk) => adding.onBytes(chunk.length));
  const { format, records } = await readRecords(text, adding.zone ? { zone: adding.zone.zone } : {});
  const keep = adding.keep ?? (format === 'upgrade' ? await newUpgradeMessages(adding.into) : undefined);
  for await (const read of records) {
    const batch = keep ? read.filter(wanted(keep)) : read;
    for (const record of batch) tally.count(record);
    tally.leaveOut(read.length - batch.length);
    await writer.add(batch);
    adding.onRecords(entry, batch);
  }
  return { bytes, format, entrySha256: hash.digest('hex'), ...tally.result(format) };
}

/** What is no log is always kept. */
function wanted(keep: NonNullable<Adding['keep']>): (record: ReadRecord) => boolean {
  return (record) => record.kind !== 'log' || keep(record);
}

async function* tapped(
  chunks: AsyncIterable<Uint8Array>,
  tell: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    tell(chunk);
    yield chunk;
  }
}

/** Counts the records of an entry. */
function openTally() {
  const remarks = new Map<string, RemarkCount>();
  let [logs, unreadable, leftOut] = [0, 0, 0];
  let first: UnreadableRecord | undefined;
  return { count, leaveOut, result };

  function leaveOut(more: number): void {
    leftOut += more;
  }

  function count(record: ReadRecord): void {
    if (record.kind === 'log') {
      logs++;
      if (record.remarks) countRemarks(record.remarks);
    } else {
      unreadable++;
      first ??= record;
    }
  }

  function countRemarks(found: NonNullable<LogRecord['remarks']>): void {
    for (const { code, field } of found) {
      const key = `${code} ${field}`;
      remarks.set(key, { code, field, count: (remarks.get(key)?.count ?? 0) + 1 });
    }
  }

  function result(format: Format) {
    const problem = logs + leftOut === 0 && first ? problemOf(format, first, unreadable) : undefined;
    const remarked = { remarks: [...remarks.values()], ...(problem && { problem }) };
    return { logs, unreadable, ...remarked, ...(0 < leftOut && { leftOut }) };
  }
}

/** Why an entry that could be read holds nothing but unreadable records. */
function problemOf(format: Format, first: UnreadableRecord, unreadable: number): Problem {
  switch (format) {
    case 'zip':
    case 'gzip':
      return { code: 'NESTED_ARCHIVE', message: `${first.reason}; take it out and import it by itself` };
    case 'html':
    case 'unknown':
    case 'empty':
      return { code: 'NOT_LOGS', message: first.reason };
    case 'ndjson':
    case 'json':
    case 'csv':
    case 'xml':
    case 'upgrade':
      return {
        code: 'NOT_LOGS',
        message: `None of its ${unreadable} records is a log; the first: ${first.reason}`,
      };
  }
}
