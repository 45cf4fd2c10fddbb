import { ClientError } from '../../client/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { Interrupted, type Terminal } from '../terminal/terminal.ts';

/**
 * Sends a change to the deployment. If it is interrupted or its reply is lost, reports `doubt`: the
 * possible outcome and how to check it.
 */
export async function sendChange<T>(
  change: () => Promise<T>,
  { terminal, doubt }: { readonly terminal: Pick<Terminal, 'message'>; readonly doubt: () => string },
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isOpen = error instanceof Interrupted || (error instanceof ClientError && error.inDoubt);
    if (isOpen) terminal.message(doubt());
    throw error;
  }
}

/** Asks for confirmation unless `yes` is given. Throws `UsageError` if nobody can be asked. */
export async function requireConfirmation(
  { confirm: ask }: Pick<Terminal, 'confirm'>,
  { yes, question }: { readonly yes: boolean; readonly question: string },
): Promise<boolean> {
  if (yes) return true;
  if (!ask) throw new UsageError('There is no terminal to ask for confirmation: --yes is required');
  return ask(question);
}

/** True if a request may be sent after its check. Warns if "--force" sends errors. */
export function maySend(
  findings: readonly { readonly severity: 'error' | 'warning' }[],
  { force, terminal }: { readonly force: boolean; readonly terminal: Terminal },
): boolean {
  if (findings.every(({ severity }) => severity !== 'error')) return true;
  if (force) {
    const { message, stderr } = terminal;
    message(
      `${stderr.style.red('WARNING')}: --force sends it despite these errors. The deployment may refuse it, or accept it and fail later.`,
    );
  }
  return force;
}
