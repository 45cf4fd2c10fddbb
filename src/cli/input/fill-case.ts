import { existsSync } from 'node:fs';
import { type Case, type OpenOptions, openCase } from '../../case/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options of opening a case for writing. */
interface FillOptions extends Pick<OpenOptions, 'memory'> {
  readonly terminal: Terminal;
}

/**
 * Runs work that adds to a case, creating the case if missing. If nothing was added, no new case is
 * left, and a message says so. Rejects as the work does, or with a `StoreError`.
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
    if (!existsSync(path))
      terminal.say(`"${escapeUnsafe(path)}" was not created, because there was nothing to store.`);
  }
}
