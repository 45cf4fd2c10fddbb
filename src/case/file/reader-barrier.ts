/** Barrier for readers: while it is closed between two commits that belong together, none begins. */
export interface ReaderBarrier {
  /** Runs `begin` once the barrier is open. It must be short: `close` waits for it. */
  readonly enter: <T>(begin: () => Promise<T>) => Promise<T>;
  /**
   * Closes the barrier and resolves when nothing is beginning any more, with the function that opens it. One
   * caller at a time.
   */
  readonly close: () => Promise<() => void>;
}

/** Creates an open barrier. */
export function makeReaderBarrier(): ReaderBarrier {
  const entering = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  return { enter, close };

  async function enter<T>(begin: () => Promise<T>): Promise<T> {
    while (closed !== undefined) await closed;
    const entry = begin();
    entering.add(entry);
    return await entry.finally(() => entering.delete(entry));
  }

  async function close(): Promise<() => void> {
    let open = () => {};
    closed = new Promise((resolve) => {
      open = () => {
        closed = undefined;
        resolve();
      };
    });
    await Promise.allSettled(entering);
    return open;
  }
}
