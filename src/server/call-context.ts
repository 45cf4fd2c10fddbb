import { type AnyLogSource, caseWith, isCase, type RuleSet } from '../analysis/index.ts';
import { type Case, reopenCase } from '../case/index.ts';
import type { Filter, Schema } from '../language/index.ts';

/** The cases that the page shows, with the names to show. */
export interface OpenedCases {
  readonly cases: readonly Case[];
  /** The cases, then the logs of clusters. */
  readonly logs: readonly AnyLogSource[];
  readonly names: readonly string[];
  /** What the sources lack, to be shown beside every answer. */
  readonly remarks?: readonly string[];
  /** The words of a command line that name the same sources. */
  readonly paths: readonly string[];
  /** Options of a command line that read them alike, such as the zone of log files. */
  readonly readingOptions?: readonly string[];
}

/** The context that all calls of the page share. */
export interface SharedContext {
  readonly lock: ReadWriteLock;
  /** Rules that are evaluated. */
  readonly rules: RuleSet;
  /** Their folder or file; absent for the rules of Logquarry. */
  readonly rulesPath?: string;
  /** Author of notes and saved searches. */
  readonly author: string;
  /** Fields of the query bar, if they are not the documented ones. */
  readonly schema?: Schema;
}

/** Context of one call of the page. The signal aborts when the page is gone or asks something else. */
export interface CallContext extends SharedContext {
  readonly opened: OpenedCases;
  readonly signal: AbortSignal;
}

/** Returns the sources of a call, whose questions end with it. */
export function logsOf({ opened, signal }: CallContext): readonly AnyLogSource[] {
  return opened.logs.map((log) => (isCase(log) ? log : log.until(signal)));
}

/** Copies of the logs of clusters by their filter: the views of a selection share one. */
const copies = new WeakMap<OpenedCases, { readonly key: string; readonly cases: Promise<readonly Case[]> }>();

/**
 * Returns the cases of a call, with temporary copies of the selected logs of clusters: for analyses that only a case
 * answers. Rejects if there are too many.
 */
export async function casesWith(filter: Filter, { opened }: CallContext): Promise<readonly Case[]> {
  if (opened.logs.every(isCase)) return opened.cases;
  const key = JSON.stringify(filter, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const known = copies.get(opened);
  if (known?.key === key) return await known.cases;
  const cases = Promise.all(opened.logs.map((log) => caseWith(log, filter)));
  copies.set(opened, { key, cases });
  cases.catch(() => copies.delete(opened));
  return await cases;
}

/** Runs work while nobody writes, on cases that are open. */
export function runReading<T>(context: CallContext, work: () => Promise<T>): Promise<T> {
  return context.lock.read(async () => {
    await reopenAll(context);
    return await work();
  });
}

/** Streams while nobody writes, until the stream has ended or is closed. */
export function readingStream<T>(context: CallContext, work: () => AsyncIterable<T>): AsyncIterable<T> {
  return context.lock.stream(async function* () {
    await reopenAll(context);
    yield* work();
  });
}

/** Opens cases again that another program kept from being opened after a note. */
async function reopenAll({ opened }: CallContext): Promise<void> {
  for (const openedCase of opened.cases) await reopenCase(openedCase);
}

/** Lock of the open cases: many calls read at a time, or one writes, for which its case is opened again. */
export interface ReadWriteLock {
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reads until the stream has ended or is closed. */
  readonly stream: <T>(work: () => AsyncIterable<T>) => AsyncIterable<T>;
  /** Waits until nobody reads. Rejects with a `PageRefusal` if a reader takes longer than the timeout. */
  readonly write: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Creates a lock that nobody holds. A writer that waits is before readers that come later. `timeout` is the longest wait
 * of a writer for readers, in milliseconds.
 */
export function makeReadWriteLock(timeout: number): ReadWriteLock {
  const readers = new Set<Promise<void>>();
  let writing: Promise<unknown> = Promise.resolve();
  return { read, stream, write };

  async function read<T>(work: () => Promise<T>): Promise<T> {
    const leave = await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async function* stream<T>(work: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const leave = await enter();
    try {
      yield* work();
    } finally {
      leave();
    }
  }

  async function enter(): Promise<() => void> {
    for (let before: unknown; before !== writing; ) {
      before = writing;
      await writing;
    }
    let leave = () => {};
    const reading = new Promise<void>((resolve) => {
      leave = () => {
        readers.delete(reading);
        resolve();
      };
    });
    readers.add(reading);
    return leave;
  }

  function write<T>(work: () => Promise<T>): Promise<T> {
    const before = writing;
    const done = (async () => {
      await before;
      await readersToLeave();
      return await work();
    })();
    writing = done.catch(() => undefined);
    return done;
  }

  async function readersToLeave(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new PageRefusal(stillRead, 409)), timeout);
    });
    try {
      await Promise.race([Promise.all(readers), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const stillRead = 'Another view or a download still reads the case. Try again when it is done.';

/** A refusal that the page shows: a query with errors, SQL that cannot run. */
export class PageRefusal extends Error {
  /** HTTP status of the answer. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = 'PageRefusal';
    this.status = status;
  }
}
