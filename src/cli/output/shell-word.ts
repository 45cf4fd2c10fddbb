import { printable } from '../terminal/printable.ts';

/** Quotes a path for a shell. */
export function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${printable(path).replaceAll("'", `'\\''`)}'`;
}
