import { existsSync } from 'node:fs';
import { type Case, type OpenOptions, openCase } from '../../store/index.ts';
import { printable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** How a case is opened to put something into it. */
interface FillOptions extends Pick<OpenOptions, 'memory'> {
  readonly terminal: Terminal;
}

/**
 * Runs work that puts something into a case, which is made when it is not
 * there. Where nothing came of the work, no new case is left behind, which is
 * said. Rejects as the work does, or with a `StoreError`.
 */
export async function fillCase<T>(
  path: string,
  { terminal, ...options }: FillOptions,
  work: (into: Case) => Promise<T>,
): Promise<T> {
  const into = await openCase(path, { ...options, access: 'write', create: 'if filled' });
  try {
    return await work(into);
  } finally {
    await into[Symbol.asyncDispose]();
    if (!existsSync(path)) terminal.say(`"${printable(path)}" was not made: nothing came into it.`);
  }
}
