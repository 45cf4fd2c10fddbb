import type { Span } from '../../language/tree.ts';
import { printable } from './printable.ts';
import { graphemes } from './width.ts';

/** The part of a line that is shown, safe to print, and the columns of a place in it. */
export interface Excerpt {
  readonly text: string;
  /** The column at which the place begins, from 0. */
  readonly column: number;
  /** How many columns of it are shown; 0 for a place between two characters. */
  readonly columns: number;
}

/** A tab is shown as this, since the columns of a real one depend on where it stands. */
const tab = '    ';

/** The line around the beginning of a place in a text, cut on both sides to fit into `width` columns. */
export function excerpt(text: string, place: Span, width: number): Excerpt {
  const line = lineAround(text, place.from);
  // A character has at least one UTF-16 unit, so more than this much of a long line is never shown.
  const cells = cellsOf(text, {
    from: Math.max(line.from, place.from - width),
    to: Math.min(line.to, place.from + width),
  });
  const { first, end } = visible(cells, { at: place.from, width, line });
  const shown = cells.slice(first, end);
  const before = shown[0] && line.from < shown[0].from ? '…' : '';
  const after = (shown.at(-1)?.to ?? line.to) < line.to ? '…' : '';
  const widthWhere = (holds: (cell: Cell) => boolean) =>
    shown.reduce((sum, cell) => sum + (holds(cell) ? cell.width : 0), 0);
  return {
    text: before + shown.map((cell) => cell.shown).join('') + after,
    column: before.length + widthWhere((cell) => cell.to <= place.from),
    columns: widthWhere((cell) => place.from < cell.to && cell.from < place.to),
  };
}

/** The number of the line in which an offset lies, and the offset in it in UTF-16 units; both from 1. */
export function lineAndColumn(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

interface Cell extends Span {
  readonly shown: string;
  readonly width: number;
}

function lineAround(text: string, offset: number): Span {
  const from = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return { from, to: end === -1 ? text.length : end };
}

function cellsOf(text: string, { from, to }: Span): Cell[] {
  const cells: Cell[] = [];
  let at = from;
  for (const { text: character, width } of graphemes(text.slice(from, to))) {
    const shown = character === '\t' ? tab : printable(character);
    cells.push({
      from: at,
      to: at + character.length,
      shown,
      width: shown === character ? width : shown.length,
    });
    at += character.length;
  }
  return cells;
}

interface View {
  readonly at: number;
  readonly width: number;
  readonly line: Span;
}

/** Which cells fit: all where possible, else those around the place, two thirds of them after it. */
function visible(cells: readonly Cell[], { at, width, line }: View): { first: number; end: number } {
  const total = cells.reduce((sum, cell) => sum + cell.width, 0);
  const whole = cells[0]?.from === line.from && cells.at(-1)?.to === line.to;
  if (cells.length === 0 || (whole && total <= width)) return { first: 0, end: cells.length };
  const room = Math.max(2, width - 2);
  const here = cells.findIndex((cell) => at < cell.to);
  let first = here === -1 ? cells.length : here;
  let used = 0;
  while (0 < first && used + (cells[first - 1]?.width ?? 0) <= room / 3) {
    first -= 1;
    used += cells[first]?.width ?? 0;
  }
  let end = here === -1 ? cells.length : here;
  while (end < cells.length && used + (cells[end]?.width ?? 0) <= room) {
    used += cells[end]?.width ?? 0;
    end += 1;
  }
  return { first, end };
}
