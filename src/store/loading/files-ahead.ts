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
  /** One that is read now. */
  | { readonly file: LogFile; readonly kept: KeptFile }
  /** One with the bytes of an earlier one: what became of that was to be known before. */
  | { readonly file: LogFile }
  | { readonly file: LogFile; readonly error: unknown };

/** A small file whose entries were read already. */
export interface SmallFile {
  readonly file: LogFile;
  readonly kept: KeptFile;
  readonly opened: OpenKept;
  readonly entries: readonly GivenEntry[];
}

/** Files that are kept, and read when they are small, before it is their turn. Those that are not settled in the end are taken back. */
export interface FilesAhead extends AsyncDisposable {
  /** The next file; undefined behind the last. */
  readonly next: () => Promise<Coming | undefined>;
  /** Says that it is decided whether a file is in the case. */
  readonly settle: (file: KeptFile) => void;
}

/** So many files are kept and read at once. */
const atOnce = 4;

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
    const small = await prepareSmall(into, kept, options);
    return small ? { file, kept, ...small } : { file, kept };
  }
}

/** Reads a file that is small; undefined where it is not. */
async function prepareSmall(
  into: Case,
  kept: KeptFile,
  options: AddOptions,
): Promise<Pick<SmallFile, 'opened' | 'entries'> | undefined> {
  // Who is told of progress hears of it in its turn.
  const { onProgress: _, ...silent } = options;
  using opened = await openKept(into, kept, silent);
  const entries = await readAhead(opened);
  return entries && { opened, entries };
}
