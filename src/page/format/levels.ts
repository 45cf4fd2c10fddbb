/** The levels with a colour of their own. */
const known = new Set(['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG']);

/** The class of the colour of a level, or of the nth other value. */
export function colourClass(value: unknown, index = 0): string {
  const text = String(value ?? '');
  return known.has(text) ? `level-${text.toLowerCase()}` : `series-${index % 8}`;
}
