import { displayWidth } from './width.ts';

/**
 * Wraps each line of a text for people at blanks, to at most `width` columns; without a terminal nothing is
 * wrapped. What follows hangs below the last column of its line. A word is never broken: a longer one, such
 * as a hash, can be copied.
 */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => (displayWidth(line) <= width ? [line] : wrapLine(line, width)))
    .join('\n');
}

/** Wraps a message. Lines that end with a command to paste, or with text below another, stay as they are. */
export function wrapMessage(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .map((line) => (/^ |(?:^|[^"\w])logquarry [a-z]/.test(line) ? line : wrapLines(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const start = lastColumn(line);
  // A narrow rest is better read from the left.
  const indent = ' '.repeat(start <= width / 2 ? start : 4);
  const lines: string[] = [];
  let current = line.slice(0, start);
  let isEmpty = true;
  for (const word of line.slice(start).match(/"logquarry [^"]*"\S*|\S+/g) ?? []) {
    const longer = isEmpty ? `${current}${word}` : `${current} ${word}`;
    if (!isEmpty && width < displayWidth(longer)) {
      lines.push(current);
      current = `${indent}${word}`;
    } else current = longer;
    isEmpty = false;
  }
  return [...lines, current];
}

/** The position of the last column of a line: behind its last two blanks, or its indent. */
function lastColumn(line: string): number {
  const gaps = [...line.matchAll(/^ +(?=\S)| {2,}(?=\S)/g)];
  const last = gaps.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
