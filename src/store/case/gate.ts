/** Barrier for readers: while it is closed between two commits that belong together, none begins. */
export interface Gate {
  /** Runs `begin` once the barrier is open. It must be short: `close` waits for it. */
  readonly pass: <T>(begin: () => Promise<T>) => Promise<T>;
  /**
   * Closes the barrier and resolves when nothing is beginning any more, with the function that opens it. One
   * caller at a time.
   */
  readonly close: () => Promise<() => void>;
}

/** Creates an open barrier. */
export function makeGate(): Gate {
  const passing = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  return { pass, close };

  async function pass<T>(begin: () => Promise<T>): Promise<T> {
    while (closed !== undefined) await closed;
    const begun = begin();
    passing.add(begun);
    return await begun.finally(() => passing.delete(begun));
  }

  async function close(): Promise<() => void> {
    let open = () => {};
    closed = new Promise((resolve) => {
      open = () => {
        closed = undefined;
        resolve();
      };
    });
    await Promise.allSettled(passing);
    return open;
  }
}
