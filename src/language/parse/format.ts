import { syntaxFindings } from './syntax.ts';
import {
  type Clause,
  type Group,
  type Item,
  type Part,
  print,
  type Query,
  type Range,
  type Token,
} from './tree.ts';

/** The layout of a formatted query. */
export interface FormatOptions {
  /** The length in UTF-16 units above which a level is broken into lines; 100 unless given. */
  readonly width?: number;
}

/**
 * Normalises white space; text, order, operators and meaning stay. A query that fits the width is
 * one line. In a longer one every operator begins a line, and groups are indented. Formatting
 * twice changes nothing. A query that the engine refuses is returned unchanged.
 *
 * ```ts
 * format(parse('a  AND( b OR msg : c )').query); // 'a AND (b OR msg:c)'
 * ```
 */
export function format(query: Query, options: FormatOptions = {}): string {
  if (0 < syntaxFindings(query).length) return print(query);
  return level(query.parts, options.width ?? 100) + blankBehind(query.parts);
}

interface Layout {
  readonly width: number;
  readonly indent: string;
}

function level(parts: readonly Part[], width: number): string {
  const line = parts.map((part) => flat(part)).join(' ');
  return line.length <= width ? line : lines(parts, { width, indent: '' });
}

/** Puts each operator and each group on its own line, and other clauses side by side as far as they fit. */
function lines(parts: readonly Part[], layout: Layout): string {
  const width = layout.width - layout.indent.length;
  const output: string[] = [];
  let space = 0;
  for (const part of parts) {
    const text = flat(part);
    const last = output.length - 1;
    if (0 <= last && continuesLine(part) && text.length < space) {
      output[last] += ` ${text}`;
      space -= text.length + 1;
    } else {
      const fits = text.length <= width;
      output.push(fits ? text : broken(part, layout));
      space = fits ? width - text.length : 0;
    }
  }
  return output.join(`\n${layout.indent}`);
}

function continuesLine(part: Part): boolean {
  return part.kind === 'Clause' && !part.conjunction && !part.modifier && part.item.kind !== 'Group';
}

/** A part too long for its line: only a group can be broken further. */
function broken(part: Part, layout: Layout): string {
  if (part.kind !== 'Clause' || part.item.kind !== 'Group') return flat(part);
  const inner = { ...layout, indent: `${layout.indent}  ` };
  const { parts, boost } = part.item;
  return `${head(part)}(\n${inner.indent}${lines(parts, inner)}\n${layout.indent})${boost?.text ?? ''}`;
}

function flat(part: Part): string {
  return part.kind === 'Clause' ? head(part) + flatItem(part.item) : part.token.text;
}

/** The operators and the field of a clause, with the required blanks. */
function head({ conjunction, modifier, field }: Clause): string {
  const joint = conjunction ? `${conjunction.text} ` : '';
  const sign = modifier ? modifier.text + (modifier.text === 'NOT' ? ' ' : '') : '';
  return joint + sign + (field ? `${field.name.text}:` : '');
}

function flatItem(item: Item): string {
  switch (item.kind) {
    case 'Group':
      return flatGroup(item);
    case 'Range':
      return flatRange(item);
    case 'Missing':
      return '';
    default:
      return flatSingle(item.term, item.suffixes);
  }
}

function flatGroup({ parts, boost }: Group): string {
  return `(${parts.map((part) => flat(part)).join(' ')}${blankBehind(parts)})${boost?.text ?? ''}`;
}

function flatRange({ open, lower, upper, close, boost }: Range): string {
  const bounds = `${lower?.term.text} TO ${upper?.term.text}`;
  return `${open.text}${bounds}${close?.text}${boost?.text ?? ''}`;
}

function flatSingle(term: Token, suffixes: readonly Token[]): string {
  const blank = term.kind === 'Bare' && 0 < suffixes.length ? ' ' : '';
  return term.text + blank + suffixes.map(({ text }) => text).join('');
}

/** The blank that keeps a lone sign at the end a word; behind the last clause nothing else provides it. */
function blankBehind(parts: readonly Part[]): string {
  const last = parts.at(-1);
  if (last?.kind !== 'Clause' || last.item.kind !== 'Word' || 0 < last.item.suffixes.length) return '';
  return last.item.term.kind === 'Bare' ? ' ' : '';
}
