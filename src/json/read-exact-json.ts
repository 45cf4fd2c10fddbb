import { ExactNumber } from './exact-number.ts';
import { readLiterals } from './read-literals.ts';

/**
 * The value of a JSON text, as `JSON.parse` has it, but a number that its double
 * would write in another way is an `ExactNumber`: `writeExactJson` writes it as it
 * stood. Throws the error of `JSON.parse`.
 */
export function readExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d/.test(text) ? readLiterals(text, toExact) : value;
}

function toExact(written: string): unknown {
  const value: unknown = JSON.parse(written);
  return typeof value !== 'number' || String(value) === written ? value : new ExactNumber(written);
}
