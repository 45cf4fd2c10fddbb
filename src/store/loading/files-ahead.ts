import type { Case } from '../case.ts';
import { type KeptFile, keepFile, type LogFile } from '../originals/evidence.ts';
import type { GivenEntry } from './add-entry.ts';
import type { AddOptions } from './add-options.ts';
import { inOrder } from './in-order.ts';
import { forgetUnlessUsed, type OpenKept, openKept } from './open-kept.ts';
import { readAhead } from './read-ahead.ts';

/** A file whose turn to be written has come. */
export type Coming =
  | SmallFile
  | LargerFile
  /** One with the bytes of an earlier one: what became of that was to be known before. */
  | { readonly file: LogFile }
  | { readonly file: LogFile; readonly error: unknown };

/** A small file whose entries were read already. */
export interface SmallFile {
  readonly size: 'small';
  readonly file: LogFile;
  readonly kept: KeptFile;
  readonly opened: OpenKept;
  readonly entries: readonly GivenEntry[];
}

/** One that is read when its turn has come: a medium one may share a transaction with others, a large one has its own. */
export interface LargerFile {
  readonly size: 'medium' | 'large';
  readonly file: LogFile;
  readonly kept: KeptFile;
}

/** A file that may share a transaction with others. */
export type GroupFile = SmallFile | (LargerFile & { readonly size: 'medium' });

/** Files that are kept, and read when they are small, before it is their turn. Those that are not settled in the end are taken back. */
export interface FilesAhead extends AsyncDisposable {
  /** The next file; undefined behind the last. */
  readonly next: () => Promise<Coming | undefined>;
  /** Says that it is decided whether a file is in the case. */
  readonly settle: (file: KeptFile) => void;
}

/** So many files are kept and read at once. */
const atOnce = 4;

/**
 * Inflated bytes that a medium file claims: some 400,000 usual logs. One
 * connection writes up to a third of a million as fast as two, in two thirds of
 * the memory; half a million take it a quarter longer.
 */
const mostBytesOfMedium = 192 * 1024 * 1024;

/** Begins to keep and read files for a case. */
export function filesAhead(into: Case, files: readonly LogFile[], options: AddOptions): FilesAhead {
  const seen = new Set<string>();
  const underWay = new Set<Promise<Coming>>();
  const unsettled = new Set<KeptFile>();
  /** Files are kept one after the other, so that of equal ones the first is known as the first. */
  let lastKept: Promise<unknown> = Promise.resolve();
  const inTurn = inOrder(files, begin, atOnce);
  return { next, settle, [Symbol.asyncDispose]: dispose };

  async function next(): Promise<Coming | undefined> {
    const { value } = await inTurn.next();
    return value ?? undefined;
  }

  function settle(file: KeptFile): void {
    unsettled.delete(file);
  }

  async function dispose(): Promise<void> {
    await Promise.all(underWay);
    for (const kept of unsettled) await forgetUnlessUsed(into, kept);
  }

  async function begin(file: LogFile): Promise<Coming> {
    const coming = prepare(file).catch((error: unknown) => ({ file, error }));
    underWay.add(coming);
    return await coming.finally(() => underWay.delete(coming));
  }

  async function prepare(file: LogFile): Promise<Coming> {
    const keeping = lastKept.then(() => {
      options.signal?.throwIfAborted();
      return keepFile(into, file, options.signal);
    });
    lastKept = keeping.catch(() => undefined);
    const kept = await keeping;
    unsettled.add(kept);
    if (seen.has(kept.sha256)) return { file };
    seen.add(kept.sha256);
    return { file, kept, ...(await prepareKept(into, kept, options)) };
  }
}

/** Tells how large a file is, and reads it where it is small. */
async function prepareKept(
  into: Case,
  kept: KeptFile,
  options: AddOptions,
): Promise<Pick<SmallFile, 'size' | 'opened' | 'entries'> | Pick<LargerFile, 'size'>> {
  // Who is told of progress hears of it in its turn.
  const { onProgress: _, ...silent } = options;
  using opened = await openKept(into, kept, silent);
  const entries = await readAhead(opened);
  if (entries) return { size: 'small', opened, entries };
  return { size: opened.claimedBytes <= mostBytesOfMedium ? 'medium' : 'large' };
}
