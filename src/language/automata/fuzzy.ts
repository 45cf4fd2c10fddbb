import type { Engine } from '../parse/engine.ts';
import type { EngineRefusal } from './automaton.ts';

/** The numbers of edits that the engine supports. */
export type Edits = 0 | 1 | 2;

/**
 * Returns the number of edits that a `~` allows. `written` is the text after it; `termLength`
 * counts code points.
 *
 * A number from 1 on is the edits themselves. A smaller one is the part of the term that stays
 * unchanged: `~0.7` allows one edit in a term of four, and none in one of three. Without a number
 * it is two edits, or depends on the length of the term: none up to two code points, one up to
 * five (section 6 of the language specification). A number that `checkSimilarity` refuses is
 * clamped.
 */
export function fuzzyEdits(
  written: string,
  termLength: number,
  { bareTilde, tildeNumber }: Pick<Engine, 'bareTilde' | 'tildeNumber'>,
): Edits {
  const isAutomatic = tildeNumber === 'edits' && /^auto$/i.test(written);
  if (isAutomatic || (bareTilde === 'auto' && written === '')) return automaticEdits(termLength);
  const similarity = parseFloat32(written) ?? 2;
  const edits = 1 <= similarity ? similarity : similarity === 0 ? 0 : (1 - similarity) * termLength;
  if (2 <= edits) return 2;
  return 1 <= edits ? 1 : 0;
}

function automaticEdits(termLength: number): Edits {
  if (termLength <= 2) return 0;
  return termLength <= 5 ? 1 : 2;
}

/** Returns why an engine refuses the text after the `~` of a word, or undefined if it accepts it. */
export function checkSimilarity(
  written: string,
  { tildeNumber }: Pick<Engine, 'tildeNumber'>,
): EngineRefusal | undefined {
  return tildeNumber === 'similarity' ? checkNumber(written) : checkEdits(written);
}

/** Elasticsearch accepts `~AUTO`, or any spelling of the numbers 0, 1 and 2. */
function checkEdits(written: string): EngineRefusal | undefined {
  if (written === '' || /^auto$/i.test(written)) return undefined;
  if ([0, 1, 2].includes(parseFloat32(written) ?? -1)) return undefined;
  return { message: `The number of edits must be 0, 1, 2 or AUTO, got "${written}"` };
}

function checkNumber(written: string): EngineRefusal | undefined {
  const similarity = parseFloat32(written) ?? 2;
  if (similarity < 0) return { message: `The similarity must be a number of at least 0, got "${written}"` };
  // The engine compares the number with its 32-bit integer, which larger numbers overflow.
  const fits = Number.isInteger(similarity) && similarity <= 2 ** 31;
  if (1 <= similarity && !fits) {
    return { message: `The number of edits must be a whole number, got "${written}"` };
  }
  return undefined;
}

/**
 * Returns a test for texts at most `edits` away from a term. An edit adds, removes or replaces a
 * code point, or swaps two neighbours; swapped code points are not edited again, as in the engine.
 *
 * The test accepts every text that is near enough: an engine's limit on expanded terms depends on
 * its whole index.
 */
export function fuzzyTest(term: string, edits: Edits): (text: string) => boolean {
  // The engine treats the empty term as its own unchanged prefix.
  if (edits === 0 || term === '') return (text) => text === term;
  const wanted = codePointsOf(term);
  return (text) => {
    // A code point has at most two units, so this excludes most texts early.
    if (2 * (wanted.length + edits) < text.length) return false;
    const found = codePointsOf(text);
    return distance(wanted, found, edits) <= edits;
  };
}

/**
 * Returns the engine's similarity of a term and a text within `edits`: 1 if they are equal, less
 * with each edit and more so for shorter texts. Undefined for a text further away.
 */
export function fuzzySimilarity(term: string, edits: Edits, text: string): number | undefined {
  if (text === term) return 1;
  if (!fuzzyTest(term, edits)(text)) return undefined;
  const [wanted, found] = [codePointsOf(term), codePointsOf(text)];
  const away = Math.fround(distance(wanted, found, edits) / Math.min(wanted.length, found.length));
  return Math.fround(1 - away);
}

function codePointsOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/**
 * The edit distance of two texts, or any larger value than `edits` when it exceeds them. A row
 * holds the distances between a prefix of the one and prefixes of the other, on the diagonals that
 * `edits` can reach.
 */
function distance(wanted: readonly number[], found: readonly number[], edits: number): number {
  if (edits < Math.abs(found.length - wanted.length)) return far;
  const diagonals = 2 * edits + 1;
  let before: number[] = [];
  let last = Array.from({ length: diagonals }, (_, diagonal) => (diagonal < edits ? far : diagonal - edits));
  for (let row = 1; row <= wanted.length; row += 1) {
    const own: number[] = [];
    for (let diagonal = 0; diagonal < diagonals; diagonal += 1) {
      const column = row + diagonal - edits;
      const same = wanted[row - 1] === found[column - 1];
      const swapped = wanted[row - 1] === found[column - 2] && wanted[row - 2] === found[column - 1];
      const min = Math.min(
        (last[diagonal + 1] ?? far) + 1,
        (own[diagonal - 1] ?? far) + 1,
        (last[diagonal] ?? far) + (same ? 0 : 1),
        swapped ? (before[diagonal] ?? far) + 1 : far,
      );
      own.push(column < 0 ? far : min);
    }
    if (edits < Math.min(...own)) return far;
    [before, last] = [last, own];
  }
  return last[found.length - wanted.length + edits] ?? far;
}

/** The distance of an unreachable cell. */
const far = Number.POSITIVE_INFINITY;

const number = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;

/**
 * The number after a `~` as the engine reads it, a 32-bit float, or undefined. The syntax is
 * Java's: an exponent, a final `f` or `d`, `NaN` and `Infinity`. Hexadecimal numbers are not
 * supported.
 */
export function parseFloat32(text: string): number | undefined {
  const trimmed = text.replace(/^[\0- ]+|[\0- ]+$/g, '');
  if (!number.test(trimmed)) return undefined;
  return Math.fround(Number(trimmed.replace(/(?<=[\d.])[fFdD]$/, '')));
}
