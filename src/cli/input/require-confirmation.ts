import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Asks for confirmation unless `yes` is given. Throws `UsageError` if nobody can be asked. */
export async function requireConfirmation(
  { confirm: ask }: Pick<Terminal, 'confirm'>,
  { yes, question }: { readonly yes: boolean; readonly question: string },
): Promise<boolean> {
  if (yes) return true;
  if (!ask) throw new UsageError('There is no terminal to ask for confirmation: --yes is required');
  return ask(question);
}
