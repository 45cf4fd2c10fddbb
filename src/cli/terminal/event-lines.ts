import { toJson } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Prints events as they arrive, each as a line of JSON. */
export function printEventLines({ print }: Pick<Terminal, 'print'>) {
  const lines: Promise<void>[] = [];
  return {
    /** Prints an event; undefined prints nothing. */
    add(event: object | undefined): void {
      // A closed pipe is reported when the result is printed.
      if (event !== undefined) lines.push(print(`${toJson(event)}\n`).catch(() => {}));
    },
    /** Waits until all events are printed. */
    async printed(): Promise<void> {
      await Promise.all(lines);
    },
  };
}
