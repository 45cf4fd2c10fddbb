/**
 * Returns SQL of the words of a text column, joined and surrounded by single blanks; NULL if it has none. A case has
 * the function `words` while this program has it open.
 */
export function wordsSql(column: string): string {
  return `words(${column})`;
}

/** Returns the condition that a text column has a word; never NULL. Cutting is slow: a first letter or digit suffices. */
export function hasWordSql(column: string): string {
  const begins = `regexp_matches(${column}, '^[0-9A-Za-z]')`;
  return `(${column} IS NOT NULL AND (${begins} OR ${wordsSql(column)} IS NOT NULL))`;
}

/**
 * Returns the condition that the joined words of a text column contain `joined`, which consists of `pieces`. Words are
 * parts of the text in lower case, so that few texts must be cut.
 */
export function wordsContainSql(
  column: string,
  { pieces, joined }: { readonly pieces: readonly string[]; readonly joined: string },
  bind: (value: string) => string,
): string {
  const parts = [...new Set(pieces)].map((piece) => `contains(lower(${column}), ${bind(piece)})`);
  return `(${[...parts, `contains(${wordsSql(column)}, ${bind(joined)})`].join(' AND ')})`;
}
