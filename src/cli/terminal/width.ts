import { eastAsianWidth } from 'get-east-asian-width';

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
    const most = fitting(rest, width);
    const blank = rest[most.length] === ' ' ? most.length : most.lastIndexOf(' ');
    // Leading blanks are no place to break. A character wider than the line gets a line of its own.
    const end = rest.slice(0, Math.max(0, blank)).trim() === '' ? Math.max(1, breakOf(most)) : blank;
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
