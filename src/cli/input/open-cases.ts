import { basename } from 'node:path';
import type { Case } from '../../store/index.ts';

/** Open case files with their names. */
export interface OpenCases extends AsyncDisposable {
  readonly cases: readonly Case[];
  readonly names: readonly string[];
}

/** Opens case files for reading; loads the database only if there are any. */
export async function openCases(paths: readonly string[]): Promise<OpenCases> {
  const cases: Case[] = [];
  const close = async () => {
    for (const each of cases.toReversed()) await each[Symbol.asyncDispose]();
  };
  try {
    const named = [...new Set(paths)];
    if (0 < named.length) {
      const { openCase } = await import('../../store/index.ts');
      for (const path of named) cases.push(await openCase(path, { access: 'read' }));
    }
    return { cases, names: named.map((path) => basename(path)), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
