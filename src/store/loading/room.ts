/** A semaphore that counts bytes of memory. */
export interface Room {
  /** Acquires bytes; resolves when more can be acquired. */
  readonly take: (bytes: number) => Promise<void>;
  /** Releases acquired bytes. */
  readonly giveBack: (bytes: number) => void;
}

/** Creates a byte semaphore. An acquisition may exceed the limit, and then waits. */
export function openRoom(most: number): Room {
  let taken = 0;
  let waiting: (() => void)[] = [];
  return { take, giveBack };

  async function take(bytes: number): Promise<void> {
    taken += bytes;
    while (most < taken) await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function giveBack(bytes: number): void {
    taken -= bytes;
    if (most < taken) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
}
