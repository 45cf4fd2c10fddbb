import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Unsafe characters: those that could move the cursor, change the terminal or reverse the direction of
 * writing, and invisible ones. Control characters, line and paragraph separators, bidirectional
 * controls, unpaired surrogates, and the default ignorable characters of Unicode (soft hyphens, zero-
 * width characters, fillers, tags). Parts of emojis are allowed: the two style selectors, and joiners
 * between pictures.
 */
const unsafe =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})(?![\ufe0e\ufe0f])[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\ud800-\udfff\p{Default_Ignorable_Code_Point}]/gu;

/** Fast path: most texts are plain ASCII. */
const plain = /^[\x20-\x7e]*$/;

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Escapes unsafe characters of a text, including line breaks. */
export function escapeUnsafe(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unsafe, (character) => short.get(character) ?? escaped(character));
}

/** Maximum length of a shown file name; entries of zips may have any. */
const longestName = 120;

/** Formats a file or entry name for a message: escaped, and cut if long. */
export function escapeFileName(name: string): string {
  return escapeUnsafe(name.length <= longestName ? name : `${name.slice(0, longestName)}…`);
}

/** Escapes unsafe characters of a text, but keeps line breaks. */
export function escapeUnsafeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeUnsafe(line))
    .join('\n');
}

/** Escapes a text with line breaks for a terminal; a file or a pipe gets it unchanged. */
export function textFor({ width }: { readonly width: number | undefined }, text: string): string {
  return width === undefined ? text : escapeUnsafeLines(text);
}

/**
 * Formats a value as JSON with unsafe characters escaped, which changes nothing for JSON parsers. A
 * `bigint` becomes the text of its digits, so that no parser rounds it. `write` replaces
 * JSON.stringify if numbers must keep their spelling.
 */
export function toJson(value: unknown, indent?: number, write = jsonOf): string {
  // Line breaks of the indentation stay.
  return write(value, indent).replace(unsafe, (character) =>
    character === '\n' ? character : jsonEscaped(character),
  );
}

function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Only on failure: a replacer makes JSON.stringify several times slower.
    const textOf = (_key: string, member: unknown) => (typeof member === 'bigint' ? String(member) : member);
    return JSON.stringify(value, textOf, indent);
  }
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (0xffff < code) return `\\u{${code.toString(16)}}`;
  return code < 0x100 ? `\\x${hexadecimal(code, 2)}` : jsonEscaped(character);
}

/** Escapes a character by its UTF-16 units: JSON has no other escapes. */
function jsonEscaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${hexadecimal(character.charCodeAt(at), 4)}`,
  ).join('');
}

function hexadecimal(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}

/** Text styles of a terminal. Without colours each returns its text unchanged. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly green: (text: string) => string;
  /** Marks hits, readable in light and dark terminals. */
  readonly inverse: (text: string) => string;
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  blue: [34, 39],
  green: [32, 39],
  inverse: [7, 27],
} as const satisfies Record<keyof Style, readonly [on: number, off: number]>;

/** Creates styles with or without colours. */
export function toStyle(hasColours: boolean): Style {
  const style = (name: keyof Style) => {
    const [on, off] = codes[name];
    return (text: string) => (hasColours ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  };
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    yellow: style('yellow'),
    blue: style('blue'),
    green: style('green'),
    inverse: style('inverse'),
  };
}

/** Graphemes shown as pictures in two columns: by default, or by a variation selector. */
const picture = /^(?:\p{Emoji_Presentation}|.\ufe0f)/u;

/** Characters drawn onto the preceding one, or not at all. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into graphemes with their widths in terminal columns. */
export function* splitGraphemes(text: string): Generator<{ readonly text: string; readonly width: number }> {
  // Fast path for ASCII, since the segmenter is slow to create.
  if (/^[\x20-\x7e]*$/.test(text)) {
    for (const character of text) yield { text: character, width: 1 };
    return;
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield { text: segment, width: widthOfGrapheme(segment) };
}

/** Width of a text without control characters, in terminal columns. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const grapheme of splitGraphemes(text)) width += grapheme.width;
  return width;
}

/** Pads a text with blanks, after it by default, to a width. */
export function padToWidth(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** Cuts a text to a width, with an ellipsis if something is left out. */
export function shortenToWidth(text: string, width: number): string {
  if (text.length <= width && displayWidth(text) <= width) return text;
  // Pictures and accents take more units than columns.
  if (fitting(text, width).length === text.length) return text;
  return `${fitting(text, width - 1)}…`;
}

/** Wraps a text at blanks into lines of at most `width` columns. */
export function wrapToWidth(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (width < displayWidth(rest)) {
    const head = fitting(rest, width);
    const blank = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ');
    // Leading blanks are no place to break. A character wider than the line gets a line of its own.
    const end = rest.slice(0, Math.max(0, blank)).trim() === '' ? Math.max(1, breakOf(head)) : blank;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** The end of the first line of a long word: behind its last punctuation, or where nothing else is. */
function breakOf(word: string): number {
  const [, parts = ''] = /^(.*\w[/.:,;=&?_-])\w/.exec(word) ?? [];
  return parts.length || word.length;
}

/** The longest beginning of a text that fits. */
function fitting(text: string, width: number): string {
  let fitted = '';
  let used = 0;
  for (const grapheme of splitGraphemes(text)) {
    if (width < used + grapheme.width) break;
    fitted += grapheme.text;
    used += grapheme.width;
  }
  return fitted;
}

/** Columns of one grapheme, by its first character (Unicode Standard Annex #11). */
function widthOfGrapheme(grapheme: string): number {
  if (zeroWidth.test(grapheme)) return 0;
  return picture.test(grapheme) ? 2 : eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}

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

/** Yields the pieces of a JSON list while its items arrive. */
export async function* formatJsonList(
  items: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string, void, undefined> {
  let before = '[';
  for await (const item of items) {
    yield `${before}\n${toJson(item, 2).replace(/^/gm, '  ')}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

/** Returns if the locale of an environment says that a terminal shows ASCII alone; without a locale it does not. */
export function hasAsciiOnly(environment: { readonly [name: string]: string | undefined }): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return /^(C|POSIX)$/.test(locale) || /\.(?!utf-?8)/i.test(locale);
}

/** The signs that output is drawn with, each before the one in ASCII that stands for it. */
const drawnSigns: ReadonlyMap<string, string> = new Map(
  '…~ →> ·. −- –- ─- │| ├| └` ⋮: ×x ±~ ▏: ▎: ▍: ▌# ▋# ▊# ▉# █# ▁. ▂. ▃: ▄: ▅| ▆| ▇# ░. ▒:'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** The text with the signs that output is drawn with in ASCII, each as wide as before; letters stay as they are. */
export function toAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (sign) => drawnSigns.get(sign) ?? sign);
}
