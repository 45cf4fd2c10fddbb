/**
 * Characters that take two columns: the East Asian ones that Unicode calls wide
 * or full width, and those shown as pictures.
 */
const wide =
  /^(?:[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u;

/** Characters that are drawn onto the one before them, or not at all. */
const weightless = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** What a reader sees as one character, each with the columns that it takes in a terminal. */
export function* graphemes(text: string): Generator<{ readonly text: string; readonly width: number }> {
  // Most logs and queries are ASCII, and the segmenter takes its time to be made.
  if (/^[\x20-\x7e]*$/.test(text)) {
    for (const character of text) yield { text: character, width: 1 };
    return;
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield { text: segment, width: widthOfOne(segment) };
}

/** The columns that a text without control characters takes in a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += grapheme.width;
  return width;
}

/** The text with blanks after it, or before it, up to a width. */
export function padded(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** As much of the text as fits, with an ellipsis where something was left out. */
export function shortened(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text;
  return `${fitting(text, width - 1)}…`;
}

/** The text in lines of at most so many columns, broken at blanks where there are some. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (width < widthOf(rest)) {
    const most = fitting(rest, width);
    const blank = rest[most.length] === ' ' ? most.length : most.lastIndexOf(' ');
    // Blanks at the beginning are none to break at. A character that is too wide has a line of its own.
    const end = rest.slice(0, Math.max(0, blank)).trim() === '' ? Math.max(1, most.length) : blank;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** As much of the beginning of a text as fits. */
function fitting(text: string, width: number): string {
  let kept = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    if (width < used + grapheme.width) break;
    kept += grapheme.text;
    used += grapheme.width;
  }
  return kept;
}

function widthOfOne(grapheme: string): number {
  if (weightless.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
