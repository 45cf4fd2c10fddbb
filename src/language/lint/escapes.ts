/**
 * Returns whether a text has a backslash without effect: in front of a letter or a digit.
 * In `\uXXXX` it writes a character, and in `\AND` it makes a word of an operator.
 */
export function losesBackslash(text: string): boolean {
  if (!text.includes('\\') || /^\\(AND|OR|NOT|TO)$/.test(text)) return false;
  for (const [, escaped = ''] of text.matchAll(/\\(u[0-9a-fA-F]{4}|[\s\S])/g)) {
    if (/^[A-Za-z0-9]$/.test(escaped)) return true;
  }
  return false;
}

/** A text in which every backslash without effect is doubled, so that it stands for a backslash. */
export function doubleLostBackslashes(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (written, escaped: string) =>
    /^[A-Za-z0-9]$/.test(escaped) ? `\\${written}` : written,
  );
}
