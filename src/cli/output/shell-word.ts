import { escapeUnsafe } from '../terminal/printable.ts';

/** Quotes a path for a shell. */
export function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${escapeUnsafe(path).replaceAll("'", `'\\''`)}'`;
}
