import { Interrupted } from './endings.ts';

/** Asks a person for confirmation. Anything but yes is no; Ctrl-C throws `Interrupted`. */
export async function askConfirmation(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<boolean> {
  // Loaded on demand: few commands ask anything.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input, output });
  const answered = new Promise<boolean>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new Interrupted('Interrupted')));
    lines.once('close', () => resolve(false));
    lines.question(`${question} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
  });
  return answered.finally(() => lines.close());
}
