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

/** Whether one of these characters stands in a text without a backslash before it. */
export function hasUnescaped(text: string, characters: RegExp): boolean {
  return characters.test(text) && characters.test(text.replace(/\\[\s\S]/g, ''));
}

/** A text in which every backslash that says nothing is doubled, so that it says a backslash. */
export function doubleLost(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (written, escaped: string) =>
    /^[A-Za-z0-9]$/.test(escaped) ? `\\${written}` : written,
  );
}
