import { createInterface } from 'node:readline';
import { Interrupted } from './endings.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Asks a person whether to go on. Anything but yes is no; Ctrl-C is an interruption. */
export function confirm(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  const answered = new Promise<boolean>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new Interrupted('Interrupted')));
    lines.once('close', () => resolve(false));
    lines.question(`${question} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
  });
  return answered.finally(() => lines.close());
}

/** Asks whether to go on unless that was said already. Where there is nobody to ask, it has to be said. */
export async function confirmed(
  { confirm: ask }: Pick<Terminal, 'confirm'>,
  { yes, question }: { readonly yes: boolean; readonly question: string },
): Promise<boolean> {
  if (yes) return true;
  if (!ask) throw new UsageError('There is nobody to ask: "--yes" is required to go on');
  return ask(question);
}
