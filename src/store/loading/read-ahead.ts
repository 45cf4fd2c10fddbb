import { EntryProblem } from '../originals/entry-problem.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import { bytesOfRecords, type RecordBatch } from '../rows/record-batch.ts';
import { type Adding, type GivenEntry, given } from './add-entry.ts';
import { type Read, readEntry, type TakeBatch } from './read-entry.ts';
import type { Room } from './room.ts';

/** Entries that are read while others are written. */
export interface EntriesAhead {
  readonly entries: readonly GivenEntry[];
  /** Resolves when nothing more is read. */
  readonly read: Promise<void>;
  /** Aborts reading, and releases the waiting records. */
  readonly stop: () => void;
}

/** An entry that is read before it is written. */
interface EntryAhead extends GivenEntry {
  readonly read: Promise<unknown>;
  readonly stop: () => void;
}

/** Aborts the reading of unwanted records. */
class NotWanted extends Error {
  override readonly name = 'NotWanted';
}

/**
 * Starts to read entries, one after the other. Records wait as long as the semaphore has memory for
 * them; reading then continues when the entry is written. An entry whose records depend on the
 * state of the case then yields an error at that time.
 */
export function readEntriesAhead(adding: Adding, missing: readonly FileEntry[], room: Room): EntriesAhead {
  const entries: EntryAhead[] = [];
  for (const entry of missing) entries.push(readAhead(adding, entry, { room, after: entries.at(-1)?.read }));
  const read = Promise.allSettled(entries.map(({ read }) => read)).then(() => undefined);
  return { entries, read, stop: () => void entries.map(({ stop }) => stop()) };
}

/** Memory for waiting records, and the reading of the entry before. */
interface Ahead {
  readonly room: Room;
  readonly after: Promise<unknown> | undefined;
}

function readAhead(adding: Adding, entry: FileEntry, { room, after }: Ahead): EntryAhead {
  const held: { readonly batch: RecordBatch; readonly before: number; readonly bytes: number }[] = [];
  let goOn = () => {};
  /** Resolves when no record waits and the taker receives what is read, or nobody wants it. */
  const drained = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  /** Receives the records, once the waiting ones are taken. */
  let taker: TakeBatch | undefined;
  let failure: unknown;
  const read = begin();
  // The consumer of the records receives a failure; no unhandled rejection until then.
  read.catch((error: unknown) => {
    failure = error;
  });
  return { entry, read, give, stop };

  async function begin(): Promise<Read> {
    await after?.catch(() => undefined);
    if (taker === refuse) throw new NotWanted();
    return await readEntry({ ...adding, isTogether: true }, entry, takeOrHold);
  }

  async function takeOrHold(batch: RecordBatch, before: number): Promise<void> {
    if (taker) return await taker(batch, before);
    const bytes = bytesOfRecords(batch);
    held.push({ batch, before, bytes });
    // Later entries may hold all memory: this one still continues once its waiting records are
    // written.
    await Promise.race([room.take(bytes), drained]);
  }

  async function give(take: TakeBatch): Promise<Read> {
    try {
      if (failure instanceof EntryProblem) return await given({ entry, problem: failure.problem }).give(take);
      for (let next = held.shift(); next; next = held.shift()) {
        room.giveBack(next.bytes);
        await take(next.batch, next.before);
      }
      taker = take;
      goOn();
      return await read;
    } finally {
      stop();
    }
  }

  function stop(): void {
    taker = refuse;
    goOn();
    for (const { bytes } of held.splice(0)) room.giveBack(bytes);
  }
}

async function refuse(): Promise<never> {
  throw new NotWanted();
}
