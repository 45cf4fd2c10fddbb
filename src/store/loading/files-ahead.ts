import { type Case, reading } from '../case/case.ts';
import { type KeptFile, keepFile, type LogFile, letGo } from '../originals/evidence.ts';
import { hasAnyOf } from './add-in-one-pass.ts';
import type { AddOptions } from './add-options.ts';
import { inOrder } from './in-order.ts';
import { largeBareLength, mostBytesOfSharing } from './large-file.ts';
import { type OpenKept, openKept } from './open-kept.ts';
import { type EntriesAhead, readEntriesAhead } from './read-ahead.ts';
import { openRoom } from './room.ts';

/** A file ready to be written. */
export type Coming =
  | SharingFile
  | LargeFile
  /** A file that is stored while it is loaded, or equals an earlier one, whose result must be known first. */
  | { readonly file: LogFile }
  | { readonly file: LogFile; readonly error: unknown };

/** A file that may share a transaction with others: its entries are being read. */
export interface SharingFile {
  readonly size: 'shares';
  readonly file: LogFile;
  readonly kept: KeptFile;
  readonly opened: OpenKept;
  readonly ahead: EntriesAhead;
  /** Starts to report progress: the file is being written. */
  readonly tell: () => void;
}

/** A file with its own transactions, which is read when it is written. */
export interface LargeFile {
  readonly size: 'large';
  readonly file: LogFile;
  readonly kept: KeptFile;
}

/**
 * Files that are stored, and read unless they are large, before they are written. Files that are
 * not released are released at disposal.
 */
export interface FilesAhead extends AsyncDisposable {
  /** Returns the next file; undefined after the last. */
  readonly next: () => Promise<Coming | undefined>;
  /** Releases files whose presence in the case is decided. */
  readonly settle: (files: readonly KeptFile[]) => Promise<void>;
}

/** Number of files stored and read concurrently. A large file counts until it is released. */
const atOnce = 4;

/** Maximum open files, including those whose records wait to be written. */
const mostOpen = 24;

/** Maximum bytes of waiting records: more than arrives while the database compresses its rows. */
const mostWaiting = 24 * 1024 * 1024;

/** Starts to store and read files for a case. */
export function filesAhead(into: Case, files: readonly LogFile[], options: AddOptions): FilesAhead {
  const seen = new Set<string>();
  /** Lengths of large bare files. */
  const lengths = new Set<number>();
  const underWay = new Set<Promise<Coming>>();
  const unsettled = new Map<KeptFile, Settling>();
  const beingRead = new Set<EntriesAhead>();
  const room = openRoom(mostWaiting);
  /** Promises that the latest files are read, oldest first. */
  const ends: Promise<unknown>[] = [];
  let isOver = false;
  /** Files are stored one after the other, so that the first of several equal files is known as the first. */
  let lastKept: Promise<unknown> = Promise.resolve();
  const inTurn = inOrder(files, begin, mostOpen);
  return { next, settle, [Symbol.asyncDispose]: dispose };

  async function next(): Promise<Coming | undefined> {
    const { value } = await inTurn.next();
    return value ?? undefined;
  }

  async function settle(files: readonly KeptFile[]): Promise<void> {
    for (const file of files) {
      unsettled.get(file)?.settle();
      unsettled.delete(file);
    }
    await letGo(into, files);
  }

  async function dispose(): Promise<void> {
    isOver = true;
    for (const ahead of beingRead) ahead.stop();
    for (const { settle } of unsettled.values()) settle();
    await Promise.all(underWay);
    await Promise.all(Array.from(beingRead, ({ read }) => read));
    await letGo(into, [...unsettled.keys()]);
  }

  async function begin(file: LogFile): Promise<Coming> {
    const before = ends.length < atOnce ? undefined : ends.shift();
    const coming = prepare(file, before).catch((error: unknown) => ({ file, error }));
    ends.push(coming.then(endOf));
    underWay.add(coming);
    return await coming.finally(() => underWay.delete(coming));
  }

  async function endOf(coming: Coming): Promise<void> {
    if (!('size' in coming)) return;
    await (coming.size === 'shares' ? coming.ahead.read : unsettled.get(coming.kept)?.settled);
  }

  async function prepare(file: LogFile, before: Promise<unknown> | undefined): Promise<Coming> {
    await before;
    const keeping = lastKept.then(async () => {
      checkGoesOn();
      return (await isKeptLater(file)) ? undefined : await keepFile(into, file, options.signal);
    });
    lastKept = keeping.catch(() => undefined);
    const kept = await keeping;
    if (!kept) return { file };
    unsettled.set(kept, settling());
    const isFirst = !seen.has(kept.sha256);
    seen.add(kept.sha256);
    const coming = isFirst
      ? await prepareKept(file, kept).catch((error: unknown) => ({ file, error }))
      : { file };
    // The stored copy is not used again if the file is refused, or is stored again later.
    if (!('kept' in coming)) await settle([kept]);
    return coming;
  }

  /**
   * Reports if a file is stored while it is loaded. A file as long as an earlier one may equal it,
   * so its hash is required first.
   */
  async function isKeptLater(file: LogFile): Promise<boolean> {
    const length = await largeBareLength(file);
    if (length === undefined || lengths.has(length)) return false;
    lengths.add(length);
    return !(await reading(into, (connection) => hasAnyOf(connection, length)));
  }

  /** Opens a file, and starts to read it unless it is large. */
  async function prepareKept(file: LogFile, kept: KeptFile): Promise<Coming> {
    let isTold = false;
    const { onProgress, ...others } = options;
    const told: AddOptions = { ...others, onProgress: (progress) => isTold && onProgress?.(progress) };
    const opened = await openKept(into, kept, told);
    if (mostBytesOfSharing < opened.claimedBytes || isOver) {
      opened[Symbol.dispose]();
      checkGoesOn();
      return { size: 'large', file, kept };
    }
    const ahead = readEntriesAhead(opened.adding, opened.missing, room);
    beingRead.add(ahead);
    void ahead.read.then(() => {
      beingRead.delete(ahead);
      opened[Symbol.dispose]();
    });
    const tell = () => {
      isTold = true;
    };
    return { size: 'shares', file, kept, opened, ahead, tell };
  }

  function checkGoesOn(): void {
    options.signal?.throwIfAborted();
    if (isOver) throw new Error('Nobody asks for more files');
  }
}

/** A file whose presence in the case is undecided. */
interface Settling {
  readonly settle: () => void;
  readonly settled: Promise<void>;
}

function settling(): Settling {
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { settle, settled };
}
