/**
 * Suggests known words for a misspelt one: at most three, the nearest first, with at most one edit
 * per `perEdit` characters. Case is ignored.
 */
export function nearestWords(word: string, known: readonly string[], perEdit = 3): string[] {
  // Much longer texts are no misspelling, and comparing them would take long.
  if (64 < word.length) return [];
  const limit = Math.max(1, Math.floor(word.length / perEdit));
  const lower = word.toLowerCase();
  return known
    .map((candidate) => ({ candidate, edits: editDistance(lower, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/**
 * Like `nearestWords`, for names. Related names are near as well. Such a name contains the word
 * (`level` in `logLevel`, even misspelt), is continued by it (`timestamp`), or abbreviates it
 * (`msg` for `message`).
 */
export function nearestNames(word: string, known: readonly string[]): string[] {
  const misspelt = nearestWords(word, known);
  const related = known.filter((candidate) => isRelated(word.toLowerCase(), candidate));
  return [...new Set([...misspelt, ...related])].slice(0, 3);
}

function isRelated(word: string, name: string): boolean {
  // One or two letters occur in many names.
  if (word.length < 3 || 64 < word.length) return false;
  const known = name.toLowerCase();
  if (known.includes(word) || word.startsWith(known) || abbreviates(known, word)) return true;
  // Short parts of a name would be near too many words.
  const pieces = name.split(/(?=[A-Z])|[._-]/).filter((piece) => 4 <= piece.length);
  return 0 < nearestWords(word, pieces, 4).length;
}

/**
 * Returns whether a short text has the first letter of a longer one, and then more of its letters
 * in order.
 */
function abbreviates(short: string, long: string): boolean {
  if (4 < short.length || short[0] !== long[0]) return false;
  let at = 0;
  return [...short].every((letter) => {
    at = long.indexOf(letter, at) + 1;
    return 0 < at;
  });
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
