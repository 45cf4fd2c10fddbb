import type { Case } from '../../case/case.ts';
import { StoreError } from '../../database/store-error.ts';
import { type LogFile, releaseFiles, type StoredFile, storeFile } from '../../originals/evidence.ts';
import { addEntries } from './add-entries.ts';
import { addInOnePass } from './add-in-one-pass.ts';
import type { AddedFile, AddOptions } from './add-options.ts';
import { largeBareLength } from './large-file.ts';
import { openStoredFile, toAddedFile } from './open-stored-file.ts';

/**
 * Adds a log file to a case: a zip of entries in any supported format, or one bare entry. The
 * original is stored unmodified beside the case: before loading or, if it is large and bare, during
 * it. An unreadable entry does not stop the others: its part states the problem.
 *
 * Rejects with the signal's reason, or a `StoreError`: `FILE_NOT_FOUND`, `FILE_UNREADABLE`,
 * `TRUNCATED_ZIP`, `BAD_ZIP`, `TOO_BIG`, `READ_ONLY`, `STORE_FAILED`. A file of which nothing was
 * loaded leaves nothing behind.
 *
 * ```ts
 * const { parts } = await addFile(incident, 'logs.zip');
 * for (const { message } of lossesOf(parts)) console.warn(message);
 * ```
 */
export async function addFile(into: Case, file: LogFile, options: AddOptions = {}): Promise<AddedFile> {
  checkWritable(into);
  options.signal?.throwIfAborted();
  const isLargeBare = (await largeBareLength(file)) !== undefined;
  const added = isLargeBare ? await addInOnePass(into, file, options) : undefined;
  if (added) return added;
  const stored = await storeFile(into, file, options.signal);
  try {
    return await addStoredFile(into, stored, options);
  } finally {
    await releaseFiles(into, [stored]);
  }
}

/** Throws `READ_ONLY` for a case that was opened for reading only. */
export function checkWritable({ access, path }: Case): void {
  if (access === 'read') throw new StoreError('READ_ONLY', `"${path}" was opened for reading only`);
}

/** Adds a file that is already stored with the case, as `addFile` does. The caller releases it. */
export async function addStoredFile(into: Case, file: StoredFile, options: AddOptions): Promise<AddedFile> {
  using opened = await openStoredFile(into, file, options);
  return toAddedFile(opened, await addEntries(opened));
}
