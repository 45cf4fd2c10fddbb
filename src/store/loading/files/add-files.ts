import { type Case, loadIntoCase } from '../../case/case.ts';
import type { LogFile, StoredFile } from '../../originals/evidence.ts';
import { addFile, addStoredFile, checkWritable } from './add-file.ts';
import type { AddedFile, AddOptions, AddProgress } from './add-options.ts';
import { openFileGroup } from './file-group.ts';
import { type PrefetchedFiles, type PreparedFile, prefetchFiles, type SmallFile } from './prefetch-files.ts';

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
 *
 * ```ts
 * for await (const addition of addFiles(incident, ['a.zip', 'b.ndjson']))
 *   if ('error' in addition) console.error(addition.file, addition.error);
 * ```
 */
export async function* addFiles(
  into: Case,
  files: readonly LogFile[],
  options: AddOptions = {},
): AsyncGenerator<Addition, void, undefined> {
  checkWritable(into);
  await using prefetched = prefetchFiles(into, files, options);
  let remaining = files.length;
  for (let next = await prefetched.next(); next; ) {
    if (isSmall(next)) {
      const group = await addGroup(into, next, { prefetched, options, remaining });
      remaining -= group.additions.length;
      yield* group.additions;
      next = group.next;
    } else {
      const addition = await addAlone(into, next, options);
      if ('stored' in next) await prefetched.release([next.stored]);
      remaining -= 1;
      yield addition;
      next = await prefetched.next();
    }
  }
}

function isSmall(prepared: PreparedFile): prepared is SmallFile {
  return 'size' in prepared && prepared.size === 'small';
}

async function addAlone(
  into: Case,
  prepared: Exclude<PreparedFile, SmallFile>,
  options: AddOptions,
): Promise<Addition> {
  const { file } = prepared;
  if ('error' in prepared) return prepared;
  try {
    const add =
      'stored' in prepared ? addStoredFile(into, prepared.stored, options) : addFile(into, file, options);
    return { file, added: await add };
  } catch (error) {
    return { file, error };
  }
}

/** Files that follow a file. */
interface Following {
  readonly prefetched: PrefetchedFiles;
  readonly options: AddOptions;
  /** Number of remaining files, including the first. */
  readonly remaining: number;
}

/** Writes files that share one transaction; returns the first file that does not. */
async function addGroup(
  into: Case,
  first: SmallFile,
  { prefetched, options, remaining }: Following,
): Promise<{ readonly additions: readonly Addition[]; readonly next: PreparedFile | undefined }> {
  const additions: Addition[] = [];
  /** Descriptions only: the records of the files are released. */
  const written: StoredFile[] = [];
  let next: PreparedFile | undefined = first;
  await loadIntoCase(into, async (connection, beside) => {
    await using group = await openFileGroup(connection, beside, { first, remaining });
    while (next && isSmall(next) && group.acceptsMore()) {
      const { file, stored, prefetched: entries }: SmallFile = next;
      const added = await group.write(next);
      entries.stop();
      if (!added) {
        next = { size: 'large', file, stored };
        break;
      }
      written.push(stored);
      additions.push({ file, added });
      options.onProgress?.(progressOf(added));
      next = await prefetched.next();
    }
    await group.finish();
  });
  await prefetched.release(written);
  return { additions, next };
}

/** Returns the progress of a file that is written. */
function progressOf({ name, parts }: AddedFile): AddProgress {
  const sum = (property: 'bytes' | 'logs' | 'unreadable') =>
    parts.reduce((total, part) => total + part[property], 0);
  const entry = parts.at(-1)?.entry ?? '';
  return { file: name, entry, bytes: sum('bytes'), logs: sum('logs'), unreadable: sum('unreadable') };
}
