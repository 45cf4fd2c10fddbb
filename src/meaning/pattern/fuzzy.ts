import { parseFloat32 } from './java-float.ts';
import type { Refusal } from './refusal.ts';

/** How many edits the engine knows how to allow. */
export type Edits = 0 | 1 | 2;

/**
 * How many edits a `~` allows. `written` is what stands after it, and the
 * length of the term is in code points.
 *
 * A number from 1 on is the edits themselves, a smaller one the part of the
 * term that stays as it is: `~0.7` allows one edit in a term of four, and none
 * in one of three. Without a number it is two edits (section 6 of the language
 * specification). What `checkSimilarity` refuses is taken as far as it can be.
 */
export function fuzzyEdits(written: string, termLength: number): Edits {
  const similarity = parseFloat32(written) ?? 2;
  const edits = 1 <= similarity ? similarity : similarity === 0 ? 0 : (1 - similarity) * termLength;
  if (2 <= edits) return 2;
  return 1 <= edits ? 1 : 0;
}

/** Why the engine refuses what stands after the `~` of a word. */
export function checkSimilarity(written: string): Refusal | undefined {
  const similarity = parseFloat32(written) ?? 2;
  if (similarity < 0) return { message: `The similarity "${written}" requires a number from 0 on` };
  // The engine compares the number with itself as an integer, in which larger ones do not fit.
  const fits = Number.isInteger(similarity) && similarity <= 2 ** 31;
  if (1 <= similarity && !fits) {
    return { message: `The number of edits "${written}" requires a whole number` };
  }
  return undefined;
}

/**
 * A test whether a text is at most so many edits away from a term. An edit
 * adds, removes or replaces a code point, or swaps two neighbours; what was
 * swapped is not edited again, as the engine has it.
 *
 * The engine looks for the 50 nearest terms of a field only and forgets the
 * others. Which ones those are depends on everything that is in its index, so
 * here every text near enough is accepted.
 */
export function fuzzyTest(term: string, edits: Edits): (text: string) => boolean {
  // The engine takes the empty term for its own unchanged beginning.
  if (edits === 0 || term === '') return (text) => text === term;
  const wanted = codePointsOf(term);
  return (text) => {
    // A code point has two units at most, so this spares most texts the rest.
    if (2 * (wanted.length + edits) < text.length) return false;
    const found = codePointsOf(text);
    return Math.abs(found.length - wanted.length) <= edits && isNear(wanted, found, edits);
  };
}

function codePointsOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/**
 * Whether two texts are so near. A row holds the distances of what was read of
 * the one to the beginnings of the other; only those around the diagonal can
 * be small enough.
 */
function isNear(wanted: readonly number[], found: readonly number[], edits: number): boolean {
  const tooFar = edits + 1;
  let before: number[] = [];
  let last = Array.from({ length: found.length + 1 }, (_, column) => Math.min(column, tooFar));
  for (let row = 1; row <= wanted.length; row += 1) {
    const own: number[] = new Array(found.length + 1).fill(tooFar);
    if (row <= edits) own[0] = row;
    let least = own[0] ?? tooFar;
    const end = Math.min(found.length, row + edits);
    for (let column = Math.max(1, row - edits); column <= end; column += 1) {
      const distance = nearest([wanted, found], [before, last, own], [row, column]);
      own[column] = Math.min(distance, tooFar);
      least = Math.min(least, distance);
    }
    if (edits < least) return false;
    [before, last] = [last, own];
  }
  return (last[found.length] ?? tooFar) <= edits;
}

type Triple<T> = readonly [before: T, last: T, own: T];

/** The least distance over the ways to arrive at a place: one edit, or none where the code points are the same. */
function nearest(
  [wanted, found]: readonly [readonly number[], readonly number[]],
  [before, last, own]: Triple<readonly number[]>,
  [row, column]: readonly [number, number],
): number {
  const far = Number.POSITIVE_INFINITY;
  const same = wanted[row - 1] === found[column - 1] ? 0 : 1;
  const distance = Math.min(
    (last[column] ?? far) + 1,
    (own[column - 1] ?? far) + 1,
    (last[column - 1] ?? far) + same,
  );
  const swapped = wanted[row - 1] === found[column - 2] && wanted[row - 2] === found[column - 1];
  return swapped ? Math.min(distance, (before[column - 2] ?? far) + 1) : distance;
}
