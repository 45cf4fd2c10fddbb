/** Compares texts by their code units, for orders that depend on no language. */
export function compareTexts(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
