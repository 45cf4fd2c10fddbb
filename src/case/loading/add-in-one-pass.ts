import type { DuckDBConnection } from '@duckdb/node-api';
import { type Case, loadIntoCase } from '../file/case.ts';
import type { ConnectBeside } from '../file/transaction.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import { type LogFile, releaseFiles, type StoredFile } from '../originals/evidence.ts';
import { sizeCheck } from '../originals/limits.ts';
import { openSinglePassFile, type SinglePassFile } from '../originals/single-pass-file.ts';
import type { AddedFile, AddOptions } from './add-options.ts';
import { countedContext, findLoaded, recordFile } from './open-stored-file.ts';
import { type AddContext, openPartGroup } from './part-group.ts';
import { readFileEntry } from './read-entry.ts';

/** Ends the pass over a file that must be stored before it is read. */
class StoreFirst extends Error {}

/**
 * Adds a bare file as `addFile` does, and stores it meanwhile: each byte is read once, and copied,
 * hashed and loaded. Only the hash shows what the case has of a file, so a file that it may have is
 * not added here. Returns undefined then, or if the file is no longer bare; the case is unchanged.
 */
export async function addInOnePass(
  into: Case,
  file: LogFile,
  options: AddOptions,
): Promise<AddedFile | undefined> {
  await using singlePass = await openSinglePassFile(into, file);
  const checkSize = sizeCheck(singlePass.name, singlePass.bytes, options.limits);
  checkSize(singlePass.bytes);
  const counting = { options, checkSize, totalBytes: singlePass.bytes };
  const reading = countedContext(into, singlePass, counting);
  let stored: StoredFile | undefined;
  const store = async (sha256: string) => {
    stored = await singlePass.store(sha256);
    return stored;
  };
  try {
    return await loadIntoCase(into, (connection, beside) =>
      load(connection, { ...reading, beside }, { ...singlePass, store }),
    );
  } catch (error) {
    if (error instanceof StoreFirst || error instanceof EntryProblem) return undefined;
    throw error;
  } finally {
    if (stored) await releaseFiles(into, [stored]);
  }
}

/** Loads a file as one part within a transaction. The file is stored before the transaction ends. */
async function load(
  connection: DuckDBConnection,
  { beside, ...reading }: Omit<AddContext, 'file'> & { readonly beside: ConnectBeside },
  { store, ...file }: Omit<SinglePassFile, symbol>,
): Promise<AddedFile> {
  if (await hasFileOfLength(connection, file.bytes)) throw new StoreFirst();
  const entry = { number: 0, ...file };
  await using group = await openPartGroup(connection, { beside, likelyBytes: file.bytes });
  const read = await readFileEntry(reading, entry, (batch, before) => group.add(entry, batch, before));
  const { entrySha256: sha256 } = read;
  // The file may have changed meanwhile to one that the case has, or to a zip.
  if (!sha256 || read.format === 'zip' || (await isKnown(connection, sha256))) throw new StoreFirst();
  const context = { ...reading, file: await store(sha256) };
  const part = group.end(context, entry, read);
  await group.finish();
  await recordFile(connection, { context, parts: [part], added: Date.now() });
  const { name, bytes } = context.file;
  return { name, sha256, bytes, already: false, parts: [part] };
}

/** Reports if a case has a file of a length, whole or in part. Files of other lengths differ. */
async function hasFileOfLength(connection: DuckDBConnection, bytes: number): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `SELECT 1 FROM stored.files WHERE bytes = $1::BIGINT
     UNION ALL SELECT 1 FROM stored.parts WHERE bytes = $1::BIGINT LIMIT 1`,
    [bytes],
  );
  return 0 < result.getRowsJS().length;
}

async function isKnown(connection: DuckDBConnection, sha256: string): Promise<boolean> {
  const { parts, already } = await findLoaded(connection, { sha256 });
  return already || 0 < parts.length;
}
