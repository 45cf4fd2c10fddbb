import { applyFix, type Finding, type Fix, type Severity, type Span } from '../../language/index.ts';
import { displayWidth, escapeUnsafe, type Style, splitGraphemes, wrapToWidth } from '../terminal/text.ts';

/** Options of drawing findings. */
export interface DrawOptions {
  readonly style: Style;
  /** Available columns. */
  readonly width: number;
  /** True on a terminal: long messages are wrapped. */
  readonly wraps?: boolean;
  /** Origin of the text, shown with line and column before each finding. */
  readonly source?: { readonly name: string; readonly line: number; readonly queryName?: string } | undefined;
}

/** Maximum number of findings drawn for a text; more of them mean it is not a query. */
const mostDrawn = 20;

/**
 * Draws findings under their text, each with its fixes.
 *
 *     error: This parenthesis is not closed [unclosed-group]
 *       logLevel:SEVERE AND (msg:timeout
 *                           ^
 *       Close it at the end:
 *       logLevel:SEVERE AND (msg:timeout)
 */
export function drawFindings(text: string, findings: readonly Finding[], options: DrawOptions): string[] {
  const drawn = findings.slice(0, mostDrawn).flatMap((finding) => drawFinding(text, finding, options));
  const more = findings.length - mostDrawn;
  return 0 < more ? [...drawn, `and ${more} more findings in this query`] : drawn;
}

function drawFinding(text: string, finding: Finding, options: DrawOptions): string[] {
  const { style } = options;
  const mark = markOf(finding.severity, style);
  const { text: line, column, columns } = cutExcerpt(text, finding, options.width - indent.length);
  return [
    ...headingLines(text, finding, options),
    indent + line,
    `${indent}${' '.repeat(column)}${mark('^'.repeat(Math.max(1, columns)))}`,
    ...finding.fixes.flatMap((fix) => drawFix(text, fix, options)),
  ];
}

const indent = '  ';

/** The place, severity, message and code of a finding: one line, but on a terminal no wider than that. */
function headingLines(text: string, finding: Finding, options: DrawOptions): string[] {
  const { style, width, wraps = false } = options;
  const [position, message] = [placeOf(text, finding, options), escapeUnsafe(finding.message)];
  const severity = markOf(finding.severity, style)(finding.severity);
  const end = ` [${finding.code}]${queryNameOf(options)}`;
  const whole = `${position}${finding.severity}: ${message}${end}`;
  if (!wraps || displayWidth(whole) <= width) return [`${position}${severity}: ${style.bold(message)}${end}`];
  const [first = '', ...others] = wrapToWidth(whole, width - indent.length);
  const begin = `${position}${finding.severity}: `;
  // A place as long as the terminal has a line of its own.
  const head = first.startsWith(begin) ? `${position}${severity}: ${first.slice(begin.length)}` : first;
  return [head, ...others.map((line) => indent + line)];
}

function markOf(severity: Severity, style: Style): (text: string) => string {
  return { error: style.red, warning: style.yellow, hint: style.blue }[severity];
}

function placeOf(text: string, { from }: Finding, { source }: DrawOptions): string {
  if (!source) return '';
  const { line, column } = lineAndColumn(text, from);
  return `${escapeUnsafe(source.name)}:${source.line + line - 1}:${column}: `;
}

function queryNameOf({ source }: DrawOptions): string {
  return source?.queryName === undefined ? '' : ` in "${escapeUnsafe(source.queryName)}"`;
}

function drawFix(text: string, fix: Fix, { style, width }: DrawOptions): string[] {
  const [first] = fix.edits;
  const title = `${indent}${style.green(`${escapeUnsafe(fix.title)}:`)}`;
  if (!first) return [title];
  // Only the visible part is edited: a long text may have many findings.
  const begin = Math.max(0, first.from - width);
  const end = first.to + width;
  const edits = fix.edits
    .filter((edit) => edit.to <= end)
    .map((edit) => ({ ...edit, from: edit.from - begin, to: edit.to - begin }));
  const fixed = applyFix(text.slice(begin, end), { ...fix, edits });
  const at = first.from - begin;
  return [title, indent + cutExcerpt(fixed, { from: at, to: at }, width - indent.length).text];
}

/** The visible part of a line, safe to print, with the columns of a span in it. */
interface Excerpt {
  readonly text: string;
  /** First column of the span, from 0. */
  readonly column: number;
  /** Number of visible columns of the span; 0 for a position between two characters. */
  readonly columns: number;
}

/** Replacement of a tab, whose width depends on its column. */
const tab = '    ';

/** Cuts the line around the beginning of a span to `width` columns, on both sides. */
function cutExcerpt(text: string, span: Span, width: number): Excerpt {
  const line = lineAround(text, span.from);
  // A column takes at least one UTF-16 unit, so no more of a long line is visible.
  const cells = cellsOf(text, {
    from: Math.max(line.from, span.from - width),
    to: Math.min(line.to, span.from + width),
  });
  const { first, end } = visible(cells, { at: span.from, width, line });
  const shown = cells.slice(first, end);
  const before = shown[0] && line.from < shown[0].from ? '…' : '';
  const after = (shown.at(-1)?.to ?? line.to) < line.to ? '…' : '';
  const widthWhere = (holds: (cell: Cell) => boolean) =>
    shown.reduce((sum, cell) => sum + (holds(cell) ? cell.width : 0), 0);
  return {
    text: before + shown.map((cell) => cell.shown).join('') + after,
    column: before.length + widthWhere((cell) => cell.to <= span.from),
    columns: widthWhere((cell) => span.from < cell.to && cell.from < span.to),
  };
}

/** Line number of an offset, and its position in the line in UTF-16 units; both from 1. */
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
  for (const { text: character, width } of splitGraphemes(text.slice(from, to))) {
    const shown = character === '\t' ? tab : escapeUnsafe(character);
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

/** Range of visible cells: all if they fit, else those around the position, two thirds after it. */
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
