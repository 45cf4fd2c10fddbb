import type { DuckDBConnection } from '@duckdb/node-api';
import { type Case, writing } from '../case/case.ts';
import type { Part } from '../case/parts.ts';
import { StoreError } from '../database/store-error.ts';
import { type KeptFile, keepFile, type LogFile, letGo } from '../originals/evidence.ts';
import { addEntry } from './add-entry.ts';
import { addInOnePass } from './add-in-one-pass.ts';
import type { AddedFile, AddOptions } from './add-options.ts';
import { largeBareLength } from './large-file.ts';
import { noteFile, type OpenKept, openKept } from './open-kept.ts';

/**
 * Adds a log file to a case: a zip of entries in any supported format, or one bare entry. The
 * original is stored unmodified beside the case: before loading or, if it is large and bare, during
 * it. An unreadable entry does not stop the others: its part states the problem.
 *
 * Rejects with the signal's reason, or a `StoreError`: `FILE_NOT_FOUND`, `FILE_UNREADABLE`,
 * `TRUNCATED_ZIP`, `BAD_ZIP`, `TOO_BIG`, `READ_ONLY`, `STORE_FAILED`. A file of which nothing was
 * loaded leaves nothing behind.
 */
export async function addFile(into: Case, file: LogFile, options: AddOptions = {}): Promise<AddedFile> {
  checkWritable(into);
  options.signal?.throwIfAborted();
  const isLargeBare = (await largeBareLength(file)) !== undefined;
  const added = isLargeBare ? await addInOnePass(into, file, options) : undefined;
  if (added) return added;
  const kept = await keepFile(into, file, options.signal);
  try {
    return await addKept(into, kept, options);
  } finally {
    await letGo(into, [kept]);
  }
}

/** Throws `READ_ONLY` for a case that was opened for reading only. */
export function checkWritable({ access, path }: Case): void {
  if (access === 'read') throw new StoreError('READ_ONLY', `"${path}" was opened for reading only`);
}

/** Adds a file that is already stored with the case, as `addFile` does. The caller releases it. */
export async function addKept(into: Case, file: KeptFile, options: AddOptions): Promise<AddedFile> {
  using opened = await openKept(into, file, options);
  return toAdded(opened, await addEntries(opened));
}

/** Describes a file that was added. */
export function toAdded({ adding: { file }, already }: OpenKept, parts: readonly Part[]): AddedFile {
  return { name: file.name, sha256: file.sha256, bytes: file.bytes, already, parts };
}

/** Adds the missing entries, each in its own transaction. The last one also records the file. */
async function addEntries({ adding, entries, known, missing, already }: OpenKept): Promise<readonly Part[]> {
  const parts = new Map(known);
  const allParts = () => entries.flatMap(({ number }) => parts.get(number) ?? []);
  const last = missing.at(-1);
  for (const entry of missing) {
    const note = async (connection: DuckDBConnection, part: Part) => {
      parts.set(entry.number, part);
      if (entry === last && !already)
        await noteFile(connection, { adding, parts: allParts(), added: Date.now() });
    };
    await addEntry(adding, entry, { earlier: known.get(entry.number), note });
  }
  if (!last && !already)
    await writing(adding.into, (connection) =>
      noteFile(connection, { adding, parts: allParts(), added: Date.now() }),
    );
  return allParts();
}
