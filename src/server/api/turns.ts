import { PageRefusal } from './refusal.ts';

/** Turns on the open cases: many calls read at a time, or one writes, for which its case is opened again. */
export interface Turns {
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reads until the stream has ended or is closed. */
  readonly stream: <T>(work: () => AsyncIterable<T>) => AsyncIterable<T>;
  /** Waits until nobody reads. Rejects with a `PageRefusal` if a reader takes longer than the patience. */
  readonly write: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Creates turns that nobody has. A writer that waits is before readers that come later. `patience` is the longest wait
 * of a writer for readers, in milliseconds.
 */
export function makeTurns(patience: number): Turns {
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
      timer = setTimeout(() => reject(new PageRefusal(stillRead, 409)), patience);
    });
    try {
      await Promise.race([Promise.all(readers), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const stillRead = 'Another view or a download still reads the case. Try again when it is done.';
