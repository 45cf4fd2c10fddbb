import { ClientError } from '../../client/index.ts';
import { Interrupted } from '../terminal/endings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Sends a change to the deployment. If it is interrupted or its reply is lost, reports `doubt`: the
 * possible outcome and how to check it.
 */
export async function sendChange<T>(
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
