import { type Case, loading } from '../case/case.ts';
import type { KeptFile, LogFile } from '../originals/evidence.ts';
import { addFile, addKept, checkWritable } from './add-file.ts';
import type { AddedFile, AddOptions, AddProgress } from './add-options.ts';
import { openGroup } from './file-group.ts';
import { type Coming, type FilesAhead, filesAhead, type SharingFile } from './files-ahead.ts';

/** Result of adding one of several files. */
export type Addition =
  | { readonly file: LogFile; readonly added: AddedFile }
  /** The error that `addFile` would have rejected with. */
  | { readonly file: LogFile; readonly error: unknown };

/**
 * Adds files to a case in order, as `addFile` adds each. Small files share transactions: all files
 * of one are in the case, or none. Files are read while earlier ones are written.
 *
 * Rejects if the case is not writable: `READ_ONLY`, `STORE_FAILED`.
 */
export async function* addFiles(
  into: Case,
  files: readonly LogFile[],
  options: AddOptions = {},
): AsyncGenerator<Addition, void, undefined> {
  checkWritable(into);
  await using ahead = filesAhead(into, files, options);
  let left = files.length;
  for (let next = await ahead.next(); next; ) {
    if (isSharing(next)) {
      const group = await addGroup(into, next, { ahead, options, left });
      left -= group.additions.length;
      yield* group.additions;
      next = group.next;
    } else {
      const addition = await addAlone(into, next, options);
      if ('kept' in next) await ahead.settle([next.kept]);
      left -= 1;
      yield addition;
      next = await ahead.next();
    }
  }
}

function isSharing(coming: Coming): coming is SharingFile {
  return 'size' in coming && coming.size === 'shares';
}

async function addAlone(
  into: Case,
  coming: Exclude<Coming, SharingFile>,
  options: AddOptions,
): Promise<Addition> {
  const { file } = coming;
  if ('error' in coming) return coming;
  try {
    const add = 'kept' in coming ? addKept(into, coming.kept, options) : addFile(into, file, options);
    return { file, added: await add };
  } catch (error) {
    return { file, error };
  }
}

/** Files that follow a file. */
interface Following {
  readonly ahead: FilesAhead;
  readonly options: AddOptions;
  /** Number of remaining files, including the first. */
  readonly left: number;
}

/** Writes files that share one transaction; returns the first file that does not. */
async function addGroup(
  into: Case,
  first: SharingFile,
  { ahead, options, left }: Following,
): Promise<{ readonly additions: readonly Addition[]; readonly next: Coming | undefined }> {
  const additions: Addition[] = [];
  /** Descriptions only: the records of the files are released. */
  const written: KeptFile[] = [];
  let next: Coming | undefined = first;
  await loading(into, async (connection, beside) => {
    await using group = await openGroup(connection, beside, { first, left });
    while (next && isSharing(next) && group.hasRoom()) {
      const { file, kept, ahead: entries }: SharingFile = next;
      const added = await group.write(next);
      entries.stop();
      if (!added) {
        next = { size: 'large', file, kept };
        break;
      }
      written.push(kept);
      additions.push({ file, added });
      options.onProgress?.(progressOf(added));
      next = await ahead.next();
    }
    await group.finish();
  });
  await ahead.settle(written);
  return { additions, next };
}

/** Returns the progress of a file that is written. */
function progressOf({ name, parts }: AddedFile): AddProgress {
  const sum = (property: 'bytes' | 'logs' | 'unreadable') =>
    parts.reduce((total, part) => total + part[property], 0);
  const entry = parts.at(-1)?.entry ?? '';
  return { file: name, entry, bytes: sum('bytes'), logs: sum('logs'), unreadable: sum('unreadable') };
}
