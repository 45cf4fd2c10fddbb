import type { DuckDBConnection } from '@duckdb/node-api';
import type { LogRecord } from '../../records/record.ts';
import { type Case, loading } from '../case/case.ts';
import { deletePart, nextNumbers, type Part } from '../case/parts.ts';
import { noteAction } from '../chain/actions.ts';
import { idDigests } from '../chain/row-digests.ts';
import { StoreError } from '../database/store-error.ts';
import { type ExportChanges, writeChanges } from '../exports/windows.ts';
import { dropRunsOfPart } from '../index-tables/runs.ts';
import { openEntries } from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import { type KeptFile, keepFile, letGo } from '../originals/evidence.ts';
import type { FileEntry, OpenFile } from '../originals/file-entry.ts';
import { sizeCheck } from '../originals/limits.ts';
import { type Adding, loadEntry, refuseEntry } from './add-entry.ts';
import { countedReading, fileFacts, insertFiles } from './open-kept.ts';

/** How the zip of a window of an export is added. */
export interface AddWindowOptions {
  /** The id of the job that made it. */
  readonly job: string;
  /** Whether a log is to be in the case; asked once for each, in their order. */
  readonly keep: (record: LogRecord) => boolean;
  /**
   * Told what was read, before it is in the case: gives back what to note of
   * the export along with it, or nothing when it is not to be in the case.
   */
  readonly settle: (read: ReadWindow) => SettledWindow | undefined;
  /** The zone of times that name none, as for `addFile`. */
  readonly zone?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was read of a zip. */
export interface ReadWindow {
  readonly parts: readonly Part[];
  readonly bytes: number;
  readonly sha256: string;
}

/** What is to be noted along with the logs. */
export interface SettledWindow {
  readonly changes: ExportChanges;
  /** Only logs of these times stay, both included, and those that have none. Milliseconds since the epoch. */
  readonly only?: { readonly oldest: number; readonly newest: number };
}

/**
 * Adds the zip of one window of an export: its logs and what is noted of the
 * window are in the case together, or neither is. Gives back whether they are.
 * The zip is kept as `addFile` keeps it.
 *
 * Rejects with the signal's reason, or a `StoreError`: `TRUNCATED_ZIP`,
 * `BAD_ZIP`, also where the bytes of an entry are damaged, which another
 * download may mend, `TOO_BIG`, `READ_ONLY`, `STORE_FAILED`.
 */
export async function addWindow(into: Case, path: string, options: AddWindowOptions): Promise<boolean> {
  options.signal?.throwIfAborted();
  const file = await keepFile(into, path, options.signal);
  try {
    const opened = await openEntries(file.name, file.source);
    try {
      return await loading(into, (connection) => load(connection, { into, file, opened }, options));
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof NotWanted) return false;
    throw error;
  } finally {
    await letGo(into, [file]);
  }
}

/** Ends a transaction of which nothing is to stay. */
class NotWanted extends Error {}

interface Opened {
  readonly into: Case;
  readonly file: KeptFile;
  readonly opened: OpenFile;
}

async function load(
  connection: DuckDBConnection,
  { into, file, opened }: Opened,
  options: AddWindowOptions,
): Promise<true> {
  const { job, keep, settle, signal, zone } = options;
  const checkSize = sizeCheck(file.name, file.bytes);
  const named = zone !== undefined && { zone };
  const counting = {
    options: { job, ...(signal && { signal }), ...named },
    checkSize,
    totalBytes: undefined,
  };
  const adding = { ...countedReading(into, file, counting), file, keep };
  const parts: Part[] = [];
  for (const entry of opened.entries) parts.push(await loadOrRefuse(connection, adding, entry));
  const settled = settle({ parts, bytes: file.bytes, sha256: file.sha256 });
  if (!settled) throw new NotWanted();
  if (settled.only) await trim(connection, parts, settled.only);
  await writeChanges(connection, settled.changes);
  const whole = { adding, parts, added: Date.now() };
  await insertFiles(connection, [whole]);
  await noteAction(connection, 'add window', { ...fileFacts(whole), job, parts: parts.length });
  return true;
}

async function loadOrRefuse(connection: DuckDBConnection, adding: Adding, entry: FileEntry): Promise<Part> {
  const { part } = await nextNumbers(connection);
  try {
    return await loadEntry(connection, adding, entry);
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    const { problem } = error;
    if (damage.has(problem.code)) throw damagedZip(adding.file, entry, error);
    await deletePart(connection, part);
    return refuseEntry(connection, adding, { entry, problem });
  }
}

function damagedZip({ name }: KeptFile, entry: FileEntry, cause: EntryProblem): StoreError {
  const message = `"${name}" is a damaged zip: its entry "${entry.name}": ${cause.message}`;
  return new StoreError('BAD_ZIP', message, { cause });
}

/** The problems that another download may not have. */
const damage: ReadonlySet<string> = new Set(['BAD_DATA', 'WRONG_CRC', 'WRONG_SIZE']);

/** Takes the logs of other times out of parts. */
async function trim(
  connection: DuckDBConnection,
  parts: readonly Part[],
  { oldest, newest }: NonNullable<SettledWindow['only']>,
): Promise<void> {
  for (const { part } of parts) {
    await dropRunsOfPart(connection, part);
    const { rowsChanged } = await connection.run(
      `DELETE FROM stored.logs WHERE part = $1
         AND NOT "time" BETWEEN epoch_ms($2::BIGINT) AND epoch_ms($3::BIGINT)`,
      [part, oldest, newest],
    );
    if (rowsChanged === 0) continue;
    await connection.run('UPDATE stored.parts SET logs = logs - $1::BIGINT WHERE part = $2', [
      rowsChanged,
      part,
    ]);
    const ids = await idDigests(connection, [part]);
    await noteAction(connection, 'trim part', { part, logs: rowsChanged, idsSha256: ids.get(part) ?? '' });
  }
}
