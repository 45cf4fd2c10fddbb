import type { Span } from '../../language/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { displayWidth, shortenToWidth, wrapToWidth } from '../terminal/width.ts';

/** A text of a table, or one with marked spans. */
export type TableCell = string | MarkedText;

/** A text with spans to mark, and its style. */
export interface MarkedText {
  readonly text: string;
  /** Spans in UTF-16 units, sorted and disjoint. */
  readonly spans?: readonly Span[];
  readonly style?: keyof Style | undefined;
  /** Names of fields beyond the table with marked spans of the same row. */
  readonly elsewhere?: readonly string[];
}

/** A cell that is safe to show, with the style of its marks. */
export interface SafeCell {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly style?: keyof Style | undefined;
  readonly mark: keyof Style;
  readonly elsewhere: readonly string[];
}

/** The text of a cell as it is. */
export function cellText(cell: TableCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Escapes unsafe characters of a cell, of which at most `length` UTF-16 units are shown. */
export function toSafeCell(cell: TableCell, length?: number): SafeCell {
  const {
    text,
    spans = [],
    style,
    elsewhere = [],
  }: MarkedText = typeof cell === 'string' ? { text: cell } : cell;
  const cut = text.slice(0, length);
  const marked: Span[] = [];
  let [safe, at] = ['', 0];
  for (const { from, to } of spans) {
    if (cut.length <= from) break;
    safe += escapeUnsafe(cut.slice(at, from));
    const start = safe.length;
    safe += escapeUnsafe(cut.slice(from, to));
    marked.push({ from: start, to: safe.length });
    at = to;
  }
  safe += escapeUnsafe(cut.slice(at));
  const whole = escapeUnsafe(cut);
  // A mark within one drawn character would change how it is escaped.
  return { text: whole, spans: safe === whole ? marked : [], style, mark: 'inverse', elsewhere };
}

/** Puts the names of fields in front of a cell: the marked spans of its row are in them. */
export function withFieldNote(cell: SafeCell, names: readonly string[]): SafeCell {
  const note = `[${names.map((name) => escapeUnsafe(name)).join(', ')}]`;
  return {
    ...cell,
    text: `${note} ${cell.text}`.trimEnd(),
    spans: [{ from: 0, to: note.length }],
    mark: 'dim',
  };
}

/** Cuts a cell to a width; a part around its first mark is shown if the beginning has none. */
export function shortenCell(cell: SafeCell, width: number): SafeCell {
  const text = shortenToWidth(cell.text, width);
  if (text === cell.text) return cell;
  const kept = text.length - 1;
  const [first] = cell.spans;
  if (first === undefined || first.to <= kept) return { ...cell, text, spans: clip(cell.spans, kept) };
  const start = beginningBefore(cell.text, first, width);
  if (start === 0) return { ...cell, text, spans: clip(cell.spans, kept) };
  const moved = cell.spans.map(({ from, to }) => ({ from: from - start + 1, to: to - start + 1 }));
  const rest = shortenToWidth(`…${cell.text.slice(start)}`, width);
  return { ...cell, text: rest, spans: clip(moved, rest.endsWith('…') ? rest.length - 1 : rest.length) };
}

/** A place before a mark from which a width shows the mark, with some text in front of it. */
function beginningBefore(text: string, { from }: Span, width: number): number {
  const filling = text.length - (width - 1);
  let start = Math.max(0, Math.min(from - Math.floor(width / 3), filling));
  // Not within a character of two units, nor on one that is drawn onto it.
  while (start < from && displayWidth(text.slice(start, start + 1)) === 0) start += 1;
  return /^[\udc00-\udfff]/.test(text.slice(start)) ? start + 1 : start;
}

function clip(spans: readonly Span[], length: number): readonly Span[] {
  return spans
    .filter(({ from }) => from < length)
    .map(({ from, to }) => ({ from, to: Math.min(to, length) }));
}

/** Writes a cell with its style and its marks. */
export function paintCell({ text, spans, style: base, mark }: SafeCell, style: Style): string {
  const plain = (piece: string) => (piece === '' || base === undefined ? piece : style[base](piece));
  let [painted, at] = ['', 0];
  for (const { from, to } of spans) {
    painted += plain(text.slice(at, from)) + style[mark](text.slice(from, to));
    at = to;
  }
  return painted + plain(text.slice(at));
}

/** Cuts a cell to a width, and pads it with blanks, after it by default. */
export function fitCell(
  cell: SafeCell,
  {
    width,
    align = 'left',
    style,
  }: { readonly width: number; readonly align?: 'left' | 'right' | undefined; readonly style: Style },
): string {
  const fitted = shortenCell(cell, width);
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(fitted.text)));
  const painted = paintCell(fitted, style);
  return align === 'left' ? painted + blanks : blanks + painted;
}

/** Wraps a cell into painted lines of at most `width` columns. */
export function wrapCell(cell: SafeCell, width: number, style: Style): string[] {
  let at = 0;
  return wrapToWidth(cell.text, width).map((line) => {
    const start = cell.text.indexOf(line, at);
    at = start + line.length;
    const spans = cell.spans.map(({ from, to }) => ({ from: Math.max(0, from - start), to: to - start }));
    return paintCell(
      {
        ...cell,
        text: line,
        spans: clip(
          spans.filter(({ to }) => 0 < to),
          line.length,
        ),
      },
      style,
    );
  });
}
