import { type ClassSet, characterClass, isInClassSet } from './character-class.ts';
import { classRuns } from './class-runs.ts';
import { codePointAt, codePointWidth } from './code-point.ts';

let table: Uint8Array | undefined;

/**
 * The class of every code point, indexed by it. Unpacked on the first call, so loading the module
 * costs nothing.
 */
export function classTable(): Uint8Array {
  table ??= unpack(classRuns);
  return table;
}

/** The class of the character at `at`, or `other` from `limit` on. */
export function classAt(text: string, at: number, limit: number): number {
  return at < limit ? (classTable()[codePointAt(text, at)] ?? 0) : characterClass.other;
}

/** The end of the run of characters of these classes that starts at `from`, at most `limit`. */
export function skipClasses(text: string, from: number, limit: number, set: ClassSet): number {
  const classes = classTable();
  let at = from;
  while (at < limit) {
    const code = codePointAt(text, at);
    if (!isInClassSet(set, classes[code] ?? 0)) break;
    at += codePointWidth(code);
  }
  return at;
}

/** Each run is the class as a character (`@` is 0, `A` is 1, …) and the length in base 36, omitted for 1. */
function unpack(runs: string): Uint8Array {
  const classes = new Uint8Array(0x110000);
  let at = 0;
  for (const [, letter = '@', length] of runs.matchAll(/([@-Z])([0-9a-z]*)/g)) {
    const end = at + (length ? Number.parseInt(length, 36) : 1);
    classes.fill(letter.charCodeAt(0) - 0x40, at, end);
    at = end;
  }
  return classes;
}
