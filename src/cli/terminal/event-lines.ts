import { toJson } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Prints events while they come, each as a line of JSON. */
export function eventLines({ print }: Pick<Terminal, 'print'>) {
  const lines: Promise<void>[] = [];
  return {
    /** Prints an event; none is no line. */
    add(event: object | undefined): void {
      // A closed pipe is met when the result is printed.
      if (event !== undefined) lines.push(print(`${toJson(event)}\n`).catch(() => {}));
    },
    /** Waits until all of them are printed. */
    async printed(): Promise<void> {
      await Promise.all(lines);
    },
  };
}
