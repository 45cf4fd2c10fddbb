import { type Case, loading } from '../case.ts';
import type { KeptFile, LogFile } from '../originals/evidence.ts';
import { addFile, addKept, checkWritable } from './add-file.ts';
import type { AddedFile, AddOptions, AddProgress } from './add-options.ts';
import { openGroup } from './file-group.ts';
import { type Coming, type FilesAhead, filesAhead, type SmallFile } from './files-ahead.ts';

/** What came of adding one of several files. */
export type Addition =
  | { readonly file: LogFile; readonly added: AddedFile }
  /** What `addFile` would have rejected with. */
  | { readonly file: LogFile; readonly error: unknown };

/**
 * From so many logs of small files on a transaction ends. It takes about a
 * second: a process that is killed loses no more work. Mostly the logs are fewer
 * than the 122,880 rows that DuckDB compresses at a time, so that it does so
 * once, when they are all there. In ten times as many transactions, loading
 * takes half as much time again.
 */
const groupLogs = 100_000;

/** Keeping a file takes as long as loading so many logs of it: of tiny files, a transaction has a hundred. */
const logsForFile = 1_000;

/**
 * Adds files to a case, in their order, as `addFile` adds each of them. Where
 * they are small, the next ones are read while the first are written, and some
 * share a transaction: all of those are in the case, or none.
 *
 * Rejects when the case cannot be written to: `READ_ONLY`, `STORE_FAILED`.
 */
export async function* addFiles(
  into: Case,
  files: readonly LogFile[],
  options: AddOptions = {},
): AsyncGenerator<Addition, void, undefined> {
  checkWritable(into);
  await using ahead = filesAhead(into, files, options);
  for (let next = await ahead.next(); next; ) {
    if ('entries' in next) {
      const group = await addGroup(into, next, { ahead, onProgress: options.onProgress });
      yield* group.additions;
      next = group.next;
    } else {
      const addition = await addAlone(into, next, options);
      if ('kept' in next) ahead.settle(next.kept);
      yield addition;
      next = await ahead.next();
    }
  }
}

async function addAlone(
  into: Case,
  coming: Exclude<Coming, SmallFile>,
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

/** Writes small files in one transaction, and gives back what comes behind them. */
async function addGroup(
  into: Case,
  first: SmallFile,
  { ahead, onProgress }: { readonly ahead: FilesAhead; readonly onProgress: AddOptions['onProgress'] },
): Promise<{ readonly additions: readonly Addition[]; readonly next: Coming | undefined }> {
  const additions: Addition[] = [];
  /** Not the files as such: their records are let go of. */
  const written: KeptFile[] = [];
  let next: Coming | undefined = first;
  await loading(into, async (connection) => {
    await using group = await openGroup(connection);
    for (let logs = 0; next && 'entries' in next && logs < groupLogs; next = await ahead.next()) {
      const added = await group.write(next);
      written.push(next.kept);
      additions.push({ file: next.file, added });
      const progress = progressOf(added);
      onProgress?.(progress);
      logs += logsForFile + progress.logs;
    }
    await group.finish();
  });
  for (const kept of written) ahead.settle(kept);
  return { additions, next };
}

/** How far the adding of a file has come that is written. */
function progressOf({ name, parts }: AddedFile): AddProgress {
  const sum = (property: 'bytes' | 'logs' | 'unreadable') =>
    parts.reduce((total, part) => total + part[property], 0);
  const entry = parts.at(-1)?.entry ?? '';
  return { file: name, entry, bytes: sum('bytes'), logs: sum('logs'), unreadable: sum('unreadable') };
}
