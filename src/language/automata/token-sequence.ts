/** The length from which a sequence is preprocessed; comparing a shorter one at each position is faster. */
const prepared = 8;

/** Returns whether tokens contain the terms side by side. Time is linear in the sum of both lengths. */
export function hasSequence(terms: readonly string[], tokens: readonly string[]): boolean {
  if (terms.length < prepared) {
    return tokens.some((_, start) => terms.every((term, offset) => tokens[start + offset] === term));
  }
  if (tokens.length < terms.length) return false;
  const borders = bordersOf(terms);
  let matched = 0;
  for (const token of tokens) {
    while (0 < matched && terms[matched] !== token) matched = borders[matched - 1] ?? 0;
    if (terms[matched] === token) matched += 1;
    if (matched === terms.length) return true;
  }
  return false;
}

const known = new WeakMap<readonly string[], Int32Array>();

/**
 * The border length of each prefix: its longest proper prefix that is also a suffix (Knuth, Morris
 * and Pratt, 1977).
 */
function bordersOf(terms: readonly string[]): Int32Array {
  const found = known.get(terms);
  if (found) return found;
  const borders = new Int32Array(terms.length);
  let length = 0;
  for (let at = 1; at < terms.length; at += 1) {
    while (0 < length && terms[at] !== terms[length]) length = borders[length - 1] ?? 0;
    if (terms[at] === terms[length]) length += 1;
    borders[at] = length;
  }
  known.set(terms, borders);
  return borders;
}
