import { ClientError } from '../../client/index.ts';
import { Interrupted } from '../terminal/endings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Makes a change at the deployment. When it is interrupted, or its answer gets
 * lost, `doubt` says what may have come of it and how to look.
 */
export async function inFlight<T>(
  change: () => Promise<T>,
  { terminal, doubt }: { readonly terminal: Pick<Terminal, 'say'>; readonly doubt: () => string },
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isOpen = error instanceof Interrupted || (error instanceof ClientError && error.inDoubt);
    if (isOpen) terminal.say(doubt());
    throw error;
  }
}
