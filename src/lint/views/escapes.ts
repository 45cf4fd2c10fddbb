/**
 * Whether a text has a backslash that says nothing: in front of a letter or a
 * digit. `\uXXXX` says a character, and `\AND` that a word is no operator.
 */
export function losesBackslash(text: string): boolean {
  if (!text.includes('\\') || /^\\(AND|OR|NOT|TO)$/.test(text)) return false;
  for (const [, escaped = ''] of text.matchAll(/\\(u[0-9a-fA-F]{4}|[\s\S])/g)) {
    if (/^[A-Za-z0-9]$/.test(escaped)) return true;
  }
  return false;
}

/** A text in which every backslash that says nothing is doubled, so that it says a backslash. */
export function doubleLost(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (written, escaped: string) =>
    /^[A-Za-z0-9]$/.test(escaped) ? `\\${written}` : written,
  );
}
