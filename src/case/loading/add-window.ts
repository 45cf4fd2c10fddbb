import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../database/index.ts';
import type { LogRecord } from '../../records/index.ts';
import { dropSegmentsOfParts } from '../../word-index/index.ts';
import { type ExportChanges, writeExportChanges } from '../contents/exports.ts';
import { type Case, loadIntoCase } from '../file/case.ts';
import { idDigests, recordAction } from '../file/chain.ts';
import type { PartProblem, StoredPart } from '../file/parts.ts';
import { type FileEntry, type OpenFile, openEntries, sizeCheck } from '../originals/entries.ts';
import { releaseFiles, type StoredFile, storeFile } from '../originals/evidence.ts';
import { countedContext, fileFacts, insertFiles } from './add-files.ts';
import { type AddContext, openPartGroup } from './part-writer.ts';
import { readOrRefuse, type TakeBatch } from './read-entry.ts';

/** Options of adding the zip of an export window. */
export interface AddWindowOptions {
  /** Id of the job that produced it. */
  readonly job: string;
  /** Reports if a log belongs in the case; called once for each log, in order. */
  readonly isWanted: (record: LogRecord) => boolean;
  /**
   * Decides about the logs read, before they are in the case: returns the changes of the export to
   * record with them, or undefined to add nothing.
   */
  readonly decide: (read: ReadWindow) => WindowDecision | undefined;
  /** Zone of times that name none, as for `addFile`. */
  readonly zone?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Summary of a zip that was read. */
export interface ReadWindow {
  readonly parts: readonly StoredPart[];
  readonly bytes: number;
  readonly sha256: string;
}

/** Decision to add the logs of a window. */
interface WindowDecision {
  readonly changes: ExportChanges;
  /** Only logs of these times stay, both inclusive, and logs without a time. Milliseconds since the epoch. */
  readonly onlyTimes?: { readonly oldest: number; readonly newest: number };
}

/**
 * Adds the zip of one export window: its logs and the changes of the export are in the case
 * together, or neither is. Returns whether they are. The zip is stored as `addFile` does.
 *
 * Rejects with the signal's reason, or a `StoreError`: `TRUNCATED_ZIP`, `TOO_BIG`, `READ_ONLY`,
 * `STORE_FAILED`, or `BAD_ZIP`. `BAD_ZIP` includes damaged bytes of an entry, which another
 * download may repair.
 */
export async function addWindow(into: Case, path: string, options: AddWindowOptions): Promise<boolean> {
  options.signal?.throwIfAborted();
  const file = await storeFile(into, path, options.signal);
  try {
    const opened = await openEntries(file.name, file.source);
    try {
      return await loadIntoCase(into, (connection) => load(connection, { into, file, opened }, options));
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof Unwanted) return false;
    throw error;
  } finally {
    await releaseFiles(into, [file]);
  }
}

/** Rolls back a transaction whose logs are unwanted. */
class Unwanted extends Error {}

interface Opened {
  readonly into: Case;
  readonly file: StoredFile;
  readonly opened: OpenFile;
}

async function load(
  connection: DuckDBConnection,
  { into, file, opened }: Opened,
  options: AddWindowOptions,
): Promise<true> {
  const { job, isWanted: keep, decide, signal, zone } = options;
  const checkSize = sizeCheck(file.name, file.bytes);
  const named = zone !== undefined && { zone };
  const counting = {
    options: { job, ...(signal && { signal }), ...named },
    checkSize,
    totalBytes: undefined,
  };
  const context = { ...countedContext(into, file, counting), file, isWanted: keep };
  const parts = await writeEntries(connection, context, opened);
  const decision = decide({ parts, bytes: file.bytes, sha256: file.sha256 });
  if (!decision) throw new Unwanted();
  if (decision.onlyTimes) await trim(connection, parts, decision.onlyTimes);
  await writeExportChanges(connection, decision.changes);
  const whole = { context, parts, added: Date.now() };
  await insertFiles(connection, [whole]);
  await recordAction(connection, 'add window', { ...fileFacts(whole), job, parts: parts.length });
  return true;
}

async function writeEntries(
  connection: DuckDBConnection,
  context: AddContext,
  { entries }: OpenFile,
): Promise<readonly StoredPart[]> {
  const parts: StoredPart[] = [];
  await using group = await openPartGroup(connection);
  for (const entry of entries) {
    const take: TakeBatch = (batch, before) => group.add(entry, batch, before);
    const part = group.end(
      context,
      entry,
      await readOrRefuse(context, entry, { take, discard: group.discard }),
    );
    if (part.problem && damage.has(part.problem.code)) throw damagedZip(context.file, entry, part.problem);
    parts.push(part);
  }
  await group.finish();
  return parts;
}

function damagedZip({ name }: StoredFile, entry: FileEntry, { message }: PartProblem): StoreError {
  return new StoreError('BAD_ZIP', `"${name}" is a damaged zip: its entry "${entry.name}": ${message}`);
}

/** Problems that another download may not have. */
const damage: ReadonlySet<string> = new Set(['BAD_DATA', 'WRONG_CRC', 'WRONG_SIZE']);

/** Deletes the logs of other times from parts. */
async function trim(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
  { oldest, newest }: NonNullable<WindowDecision['onlyTimes']>,
): Promise<void> {
  for (const { part } of parts) {
    await dropSegmentsOfParts(connection, [part]);
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
    await recordAction(connection, 'trim part', { part, logs: rowsChanged, idsSha256: ids.get(part) ?? '' });
  }
}
