/** What readers of a case begin through, so that none begins between two commits that belong together. */
export interface Gate {
  /** Begins something, once the gate is open. It has to be short: who closes the gate waits for it. */
  readonly pass: <T>(begin: () => Promise<T>) => Promise<T>;
  /** Resolves when nothing is beginning; from then on nothing does, until what it gives is called. One may close it at a time. */
  readonly close: () => Promise<() => void>;
}

/** A gate, which is open. */
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
