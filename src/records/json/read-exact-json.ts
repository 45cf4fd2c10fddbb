import { ExactNumber } from './exact-number.ts';
import { readLiterals } from './read-literals.ts';

/**
 * Parses JSON like `JSON.parse`, but keeps a number that its double would write differently as an
 * `ExactNumber`, which `writeExactJson` writes unchanged. Throws the error of `JSON.parse`.
 *
 * ```ts
 * readExactJson('{"id":9007199254740993}'); // keeps all digits
 * ```
 */
export function readExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d/.test(text) ? readLiterals(text, toExact) : value;
}

function toExact(written: string): unknown {
  const value: unknown = JSON.parse(written);
  return typeof value !== 'number' || String(value) === written ? value : new ExactNumber(written);
}
