import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { AnyLogSource } from '../../analysis/index.ts';
import { type Case, type OpenOptions, openCase } from '../../case/index.ts';
import { PageRefusal } from '../../server/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Open cases of one source, closed together. */
export interface SourceCases extends AsyncDisposable {
  readonly cases: readonly Case[];
  /** The cases, then the logs of clusters. */
  readonly logs: readonly AnyLogSource[];
  readonly names: readonly string[];
  /** What the logs of clusters lack. */
  readonly remarks?: readonly string[];
}

/** Borrowed open cases of a source. */
export interface BorrowedSource {
  readonly source: SourceCases;
  readonly release: () => void;
}

/** A source that any number of calls read, and that one command at a time may fill. */
export interface SharedSource extends AsyncDisposable {
  /** The words of a command line that name it. */
  readonly args: readonly string[];
  /** True while a command fills it. */
  readonly isFilling: () => boolean;
  /**
   * Borrows the open cases, which the caller must give back. Opens them if they are not open, with
   * progress and messages on the terminal. Rejects with a `PageRefusal` if the file is gone.
   */
  readonly acquire: (terminal?: Terminal) => Promise<BorrowedSource>;
  /**
   * Runs work on the case open for writing, as soon as nobody reads it; whoever borrows later reads
   * what is written. Rejects with a `PageRefusal` if it is being filled already.
   */
  readonly fill: <T>(options: FillOptions, work: (into: Case) => Promise<T>) => Promise<T>;
}

/** Options of opening the case to be filled. */
export type FillOptions = Pick<OpenOptions, 'create' | 'memory'>;

/** A source and the way to open it for reading. */
interface SourceFacts {
  readonly args: readonly string[];
  /** Path of the file; absent for several files and for what is no file. */
  readonly path?: string;
  readonly open: (terminal?: Terminal) => Promise<SourceCases>;
}

/** Shares a source, which is opened when it is first borrowed. */
export function shareSource({ args: words, path, open }: SourceFacts): SharedSource {
  let current: Promise<SourceCases> | undefined;
  let users = 0;
  let isFilling = false;
  let notifyIdle = () => {};

  const untilIdle = () =>
    new Promise<void>((resolve) => {
      if (users === 0) resolve();
      else notifyIdle = resolve;
    });
  const setCurrent = (next: Promise<SourceCases>) => {
    current = next;
    // The next borrower tries again.
    next.catch(() => {
      if (current === next) current = undefined;
    });
    return next;
  };
  const closeCurrent = async (before: Promise<SourceCases> | undefined) => {
    await untilIdle();
    const source = await before?.catch(() => undefined);
    await source?.[Symbol.asyncDispose]();
  };
  return {
    args: words,
    isFilling: () => isFilling,
    async acquire(terminal) {
      for (;;) {
        checkExistence(path);
        const opening = current ?? setCurrent(open(terminal));
        const source = await opening;
        // Replaced meanwhile; from here to the count of users nothing else runs.
        if (opening !== current) continue;
        users += 1;
        return { source, release: once(() => --users === 0 && notifyIdle()) };
      }
    },
    async fill(options, work) {
      if (isFilling || path === undefined) throw new PageRefusal('The case is being filled already', 409);
      isFilling = true;
      const before = current;
      const filled = setCurrent(closeCurrent(before).then(() => openForWriting(path, options)));
      try {
        const [into] = (await filled).cases;
        if (!into) throw new Error(`"${path}" is not open`);
        return await work(into);
      } finally {
        const after = closeCurrent(filled);
        current = undefined;
        void setCurrent(after.then(() => open()));
        await after;
        isFilling = false;
      }
    },
    [Symbol.asyncDispose]: async () => {
      const source = await current?.catch(() => undefined);
      await source?.[Symbol.asyncDispose]();
    },
  };
}

function checkExistence(path: string | undefined): void {
  if (path !== undefined && !existsSync(path))
    throw new PageRefusal(`The file "${path}" is not there; it may have been deleted or renamed`, 410);
}

function once(act: () => unknown): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

async function openForWriting(path: string, options: FillOptions): Promise<SourceCases> {
  const into = await openCase(path, { ...options, access: 'write' });
  return {
    cases: [into],
    logs: [into],
    names: [basename(path)],
    [Symbol.asyncDispose]: () => into[Symbol.asyncDispose](),
  };
}
