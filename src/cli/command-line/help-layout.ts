import { displayWidth, padToWidth, wrapToWidth } from '../terminal/text.ts';

/** A term of the help with its explanation. */
export interface HelpItem {
  readonly term: string;
  readonly about: string;
}

/** Least columns for explanations beside their terms; below that they stand under them. */
const leastBeside = 36;

/** Widest term that others are aligned to; a wider one gets a line of its own. */
const widestTerm = 32;

/** Lines of a list with its heading: explanations beside the terms, or under them in few columns. */
export function layOutItems(heading: string, items: readonly HelpItem[], width: number): string[] {
  if (items.length === 0) return [];
  const widths = items.map(({ term }) => displayWidth(term)).filter((termWidth) => termWidth <= widestTerm);
  const column = Math.max(0, ...widths) + 4;
  const isBeside = leastBeside <= width - column;
  const lines = items.flatMap((item) =>
    isBeside ? besideTerm(item, column, width) : underTerm(item, width),
  );
  return ['', `${heading}:`, ...lines];
}

function besideTerm({ term, about }: HelpItem, column: number, width: number): string[] {
  const [first = '', ...rest] = wrapToWidth(about, width - column);
  const indent = ' '.repeat(column);
  const further = rest.map((line) => indent + line);
  if (column - 4 < displayWidth(term)) return [`  ${term}`, indent + first, ...further];
  return [`  ${padToWidth(term, column - 2)}${first}`.trimEnd(), ...further];
}

function underTerm({ term, about }: HelpItem, width: number): string[] {
  return [`  ${term}`, ...wrapToWidth(about, width - 6).map((line) => `      ${line}`)];
}

/** Lines of a list of terms alone, several to a line. */
export function layOutTerms(heading: string, terms: readonly string[], width: number): string[] {
  if (terms.length === 0) return [];
  return [
    '',
    `${heading}:`,
    ...joinWords(terms, { width: width - 2, between: '  ' }).map((line) => `  ${line}`),
  ];
}

/** Lines of an example: its purpose, and its command line with a backslash where it is continued. */
export function layOutExample(
  { about, run }: { readonly about: string; readonly run: string },
  width: number,
): string[] {
  const words: readonly string[] = run.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  // A shell reads no further line after a remark.
  const lines = words.includes('#') ? [run] : joinWords(words, { width: width - 6, between: ' ' });
  const args = lines.map(
    (line, at) => `${at === 0 ? '  ' : '    '}${line}${at < lines.length - 1 ? ' \\' : ''}`,
  );
  return [...wrapToWidth(about, width - 4).map((line) => `  # ${line}`), ...args];
}

/** Joins words into lines, none broken: a word that is wider than a line keeps its width. */
function joinWords(
  words: readonly string[],
  { width, between }: { readonly width: number; readonly between: string },
): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const joined = `${last}${between}${word}`;
    if (last !== undefined && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

/** Shortens an explanation to a width at the end of a clause; unchanged if no clause fits. */
export function shortenAbout(about: string, width: number): string {
  if (displayWidth(about) <= width) return about;
  const ends = [...about.matchAll(/; |: | \(|, /g)].map(({ index }) => index);
  const end = ends.findLast((end) => end <= width && isEndOfClause(about, end));
  return end === undefined ? about : about.slice(0, end);
}

/** False within brackets, and for a comma in a list of choices, which begins with a colon. */
function isEndOfClause(text: string, at: number): boolean {
  const before = text.slice(0, at);
  return before.lastIndexOf('(') <= before.lastIndexOf(')') && !before.includes(': ');
}
