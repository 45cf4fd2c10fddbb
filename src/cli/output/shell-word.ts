import { printable } from '../terminal/printable.ts';

/** A path as a word of a shell. */
export function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${printable(path).replaceAll("'", `'\\''`)}'`;
}
