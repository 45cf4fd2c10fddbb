/** Memory that several have between them. */
export interface Room {
  /** Takes so many bytes. Resolves when there is room for more. */
  readonly take: (bytes: number) => Promise<void>;
  /** Gives so many bytes back that were taken. */
  readonly giveBack: (bytes: number) => void;
}

/** Room for so many bytes. Who takes the last of them may take more than there is, and then waits. */
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
