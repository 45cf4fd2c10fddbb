import { escapeUnsafe } from '../terminal/text.ts';

/** Quotes a path for a shell. A path that begins with a hyphen would be an option. */
export function shellWord(path: string): string {
  return quoteForShell(path.startsWith('-') ? `./${path}` : path);
}

/** Quotes any word for a shell, if necessary. */
export function quoteForShell(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${escapeUnsafe(word).replaceAll("'", `'\\''`)}'`;
}
