import { type Case, reading } from '../case/case.ts';
import { type KeptFile, keepFile, type LogFile, letGo } from '../originals/evidence.ts';
import { hasAnyOf } from './add-in-one-pass.ts';
import type { AddOptions } from './add-options.ts';
import { inOrder } from './in-order.ts';
import { largeBareLength, mostBytesOfSharing } from './large-file.ts';
import { type OpenKept, openKept } from './open-kept.ts';
import { type EntriesAhead, readEntriesAhead } from './read-ahead.ts';
import { openRoom } from './room.ts';

/** A file whose turn to be written has come. */
export type Coming =
  | SharingFile
  | LargeFile
  /** One that is kept while it is loaded, or has the bytes of an earlier one: what became of that was to be known before. */
  | { readonly file: LogFile }
  | { readonly file: LogFile; readonly error: unknown };

/** A file that may share a transaction with others: it is being read. */
export interface SharingFile {
  readonly size: 'shares';
  readonly file: LogFile;
  readonly kept: KeptFile;
  readonly opened: OpenKept;
  readonly ahead: EntriesAhead;
  /** Says that it is being written: from now on progress is told. */
  readonly tell: () => void;
}

/** A file that has transactions of its own, and is read when its turn has come. */
export interface LargeFile {
  readonly size: 'large';
  readonly file: LogFile;
  readonly kept: KeptFile;
}

/** Files that are kept, and read unless they are large, before it is their turn. Those that are not settled are let go in the end. */
export interface FilesAhead extends AsyncDisposable {
  /** The next file; undefined behind the last. */
  readonly next: () => Promise<Coming | undefined>;
  /** Lets files go of which it is decided whether they are in the case. */
  readonly settle: (files: readonly KeptFile[]) => Promise<void>;
}

/** So many files are kept and read at once. A large one counts until it is settled. */
const atOnce = 4;

/** So many files are open: of the first of them, what was read waits to be written. */
const mostOpen = 24;

/** Bytes of what was read and waits: more than comes while the database compresses the rows that it has. */
const mostWaiting = 24 * 1024 * 1024;

/** Begins to keep and read files for a case. */
export function filesAhead(into: Case, files: readonly LogFile[], options: AddOptions): FilesAhead {
  const seen = new Set<string>();
  /** The lengths of large bare files. */
  const lengths = new Set<number>();
  const underWay = new Set<Promise<Coming>>();
  const unsettled = new Map<KeptFile, Settling>();
  const beingRead = new Set<EntriesAhead>();
  const room = openRoom(mostWaiting);
  /** When the last files that were begun are read, the first of them first. */
  const ends: Promise<unknown>[] = [];
  let isOver = false;
  /** Files are kept one after the other, so that of equal ones the first is known as the first. */
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
    // Nobody asks for what was kept of one that is refused already, or is kept once more in its turn.
    if (!('kept' in coming)) await settle([kept]);
    return coming;
  }

  /** Whether a file is kept while it is loaded. What has the length of another one may be that, so its hash is asked before. */
  async function isKeptLater(file: LogFile): Promise<boolean> {
    const length = await largeBareLength(file);
    if (length === undefined || lengths.has(length)) return false;
    lengths.add(length);
    return !(await reading(into, (connection) => hasAnyOf(connection, length)));
  }

  /** Tells whether a file is large, and begins to read it where it is not. */
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

/** A file of which it is not decided yet whether it is in the case. */
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
