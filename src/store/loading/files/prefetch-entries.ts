import { EntryProblem } from '../../originals/entry-problem.ts';
import type { FileEntry } from '../../originals/file-entry.ts';
import { type RecordBatch, recordBatchBytes } from '../../rows/record-batch.ts';
import { type ReadSummary, readFileEntry, type TakeBatch } from '../entries/read-entry.ts';
import { type AddContext, type EntrySource, refusedEntrySource } from '../entries/write-part.ts';
import type { ByteSemaphore } from './byte-semaphore.ts';

/** Entries that are read while others are written. */
export interface PrefetchedEntries {
  readonly entries: readonly EntrySource[];
  /** Resolves when nothing more is read. */
  readonly read: Promise<void>;
  /** Aborts reading, and releases the waiting records. */
  readonly stop: () => void;
}

/** An entry that is read before it is written. */
interface PrefetchedEntry extends EntrySource {
  readonly read: Promise<unknown>;
  readonly stop: () => void;
}

/** Aborts the reading of unwanted records. */
class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/**
 * Starts to read entries, one after the other. Records wait as long as the semaphore has memory for
 * them; reading then continues when the entry is written. An entry whose records depend on the
 * state of the case then yields an error at that time.
 */
export function prefetchEntries(
  context: AddContext,
  missing: readonly FileEntry[],
  semaphore: ByteSemaphore,
): PrefetchedEntries {
  const entries: PrefetchedEntry[] = [];
  for (const entry of missing)
    entries.push(prefetchEntry(context, entry, { semaphore, after: entries.at(-1)?.read }));
  const read = Promise.allSettled(entries.map(({ read }) => read)).then(() => undefined);
  return { entries, read, stop: () => void entries.map(({ stop }) => stop()) };
}

/** Memory for waiting records, and the reading of the entry before. */
interface PrefetchOptions {
  readonly semaphore: ByteSemaphore;
  readonly after: Promise<unknown> | undefined;
}

function prefetchEntry(
  context: AddContext,
  entry: FileEntry,
  { semaphore, after }: PrefetchOptions,
): PrefetchedEntry {
  const waiting: { readonly batch: RecordBatch; readonly before: number; readonly bytes: number }[] = [];
  let resume = () => {};
  /** Resolves when no record waits and the taker receives what is read, or nobody wants it. */
  const drained = new Promise<void>((resolve) => {
    resume = resolve;
  });
  /** Receives the records, once the waiting ones are taken. */
  let taker: TakeBatch | undefined;
  let failure: unknown;
  const read = start();
  // The consumer of the records receives a failure; no unhandled rejection until then.
  read.catch((error: unknown) => {
    failure = error;
  });
  return { entry, read, feed, stop };

  async function start(): Promise<ReadSummary> {
    await after?.catch(() => undefined);
    if (taker === refuse) throw new Unwanted();
    return await readFileEntry({ ...context, isPrefetch: true }, entry, takeOrWait);
  }

  async function takeOrWait(batch: RecordBatch, before: number): Promise<void> {
    if (taker) return await taker(batch, before);
    const bytes = recordBatchBytes(batch);
    waiting.push({ batch, before, bytes });
    // Later entries may hold all memory: this one still continues once its waiting records are
    // written.
    await Promise.race([semaphore.acquire(bytes), drained]);
  }

  async function feed(take: TakeBatch): Promise<ReadSummary> {
    try {
      if (failure instanceof EntryProblem)
        return await refusedEntrySource({ entry, problem: failure.problem }).feed(take);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        semaphore.release(next.bytes);
        await take(next.batch, next.before);
      }
      taker = take;
      resume();
      return await read;
    } finally {
      stop();
    }
  }

  function stop(): void {
    taker = refuse;
    resume();
    for (const { bytes } of waiting.splice(0)) semaphore.release(bytes);
  }
}

async function refuse(): Promise<never> {
  throw new Unwanted();
}
