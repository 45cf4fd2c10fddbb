import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Asks whether to go on unless that was said already. Where there is nobody to ask, it has to be said. */
export async function confirmed(
  { confirm: ask }: Pick<Terminal, 'confirm'>,
  { yes, question }: { readonly yes: boolean; readonly question: string },
): Promise<boolean> {
  if (yes) return true;
  if (!ask) throw new UsageError('There is nobody to ask: "--yes" is required to go on');
  return ask(question);
}
