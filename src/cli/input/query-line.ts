/**
 * True if a line of a query file is a query: neither blank nor a comment, which begins with `#`. A
 * query that begins with this character is written `\#…` or in quotes.
 */
export function isQueryLine(line: string): boolean {
  const text = line.trimStart();
  return text !== '' && !text.startsWith('#');
}

/** Returns the name that a comment gives to the next query: `# name: Slow maps`; undefined for any other line. */
export function readQueryName(line: string): string | undefined {
  return /^\s*#\s*name:\s*(\S.*?)\s*$/.exec(line)?.[1];
}
