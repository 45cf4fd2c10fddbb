/** A semaphore that counts bytes of memory. */
export interface ByteSemaphore {
  /** Acquires bytes; resolves when more can be acquired. */
  readonly acquire: (bytes: number) => Promise<void>;
  /** Releases acquired bytes. */
  readonly release: (bytes: number) => void;
}

/** Creates a byte semaphore. An acquisition may exceed the limit, and then waits. */
export function byteSemaphore(limit: number): ByteSemaphore {
  let taken = 0;
  let waiting: (() => void)[] = [];
  return { acquire, release };

  async function acquire(bytes: number): Promise<void> {
    taken += bytes;
    while (limit < taken) await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function release(bytes: number): void {
    taken -= bytes;
    if (limit < taken) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
}
