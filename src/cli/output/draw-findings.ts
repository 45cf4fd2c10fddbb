import { applyFix, type Finding, type Fix, type Severity } from '../../language/index.ts';
import { cutExcerpt, lineAndColumn } from '../terminal/excerpt.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { displayWidth, wrapToWidth } from '../terminal/width.ts';

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
  const [place, message] = [placeOf(text, finding, options), escapeUnsafe(finding.message)];
  const severity = markOf(finding.severity, style)(finding.severity);
  const end = ` [${finding.code}]${queryNameOf(options)}`;
  const whole = `${place}${finding.severity}: ${message}${end}`;
  if (!wraps || displayWidth(whole) <= width) return [`${place}${severity}: ${style.bold(message)}${end}`];
  const [first = '', ...others] = wrapToWidth(whole, width - indent.length);
  const begin = `${place}${finding.severity}: `;
  // A place as long as the terminal has a line of its own.
  const head = first.startsWith(begin) ? `${place}${severity}: ${first.slice(begin.length)}` : first;
  return [head, ...others.map((each) => indent + each)];
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
