import { Interrupted } from '../terminal/endings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Makes a change at the deployment; when it is interrupted, `doubt` says what may have come of it and how to look. */
export async function inFlight<T>(
  change: () => Promise<T>,
  { terminal, doubt }: { readonly terminal: Pick<Terminal, 'say'>; readonly doubt: () => string },
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof Interrupted) terminal.say(doubt());
    throw error;
  }
}
