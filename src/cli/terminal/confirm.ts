import { Interrupted } from './endings.ts';

/** Asks a person whether to go on. Anything but yes is no; Ctrl-C is an interruption. */
export async function confirm(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<boolean> {
  // Few commands ask anything, so the others need not load what it takes.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input, output });
  const answered = new Promise<boolean>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new Interrupted('Interrupted')));
    lines.once('close', () => resolve(false));
    lines.question(`${question} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
  });
  return answered.finally(() => lines.close());
}
