import { maxCodePoint } from './automaton.ts';
import type { EngineRefusal } from './refusal.ts';
import type { CodePointRange, RegexpTree } from './regexp-tree.ts';

/** The tree of a regular expression, or the reason why the text is not one. */
export type ParsedRegexp = { readonly tree: RegexpTree } | { readonly refusal: EngineRefusal };

/** The greatest number that the engine can read. */
const maxNumber = 2 ** 31 - 1;

/** A syntax error. Thrown and caught in this file only. */
class Unreadable extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** A text and the read position. */
interface Reader {
  readonly text: string;
  at: number;
}

/**
 * Parses the engine's whole syntax of regular expressions: `| & ~ ? * + {n,m} . # @ "text" <1-15>
 * [a-z] [^a-z] ( ) \`. A special character that can have no meaning at its position is literal,
 * for example a `*` at the start.
 */
export function parseRegexp(text: string): ParsedRegexp {
  if (text === '') return { tree: { kind: 'text', text } };
  const reader: Reader = { text, at: 0 };
  try {
    const tree = union(reader);
    if (reader.at < text.length) return { refusal: { message: 'The ")" closes nothing', at: reader.at } };
    return { tree };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { refusal: { message: error.message, at: error.at } };
  }
}

function union(reader: Reader): RegexpTree {
  const parts = [intersection(reader)];
  while (take(reader, '|')) parts.push(intersection(reader));
  return joined('union', parts);
}

function intersection(reader: Reader): RegexpTree {
  const parts = [concatenation(reader)];
  while (take(reader, '&')) parts.push(concatenation(reader));
  return parts.reduceRight((right, left) => ({ kind: 'intersection', left, right }));
}

function concatenation(reader: Reader): RegexpTree {
  const parts = [repetition(reader)];
  while (isBeforeOther(reader, ')|&')) parts.push(repetition(reader));
  return joined('concatenation', parts);
}

/**
 * Joins several trees into one; nested ones of the same kind are flattened, since the engine makes
 * no difference.
 */
function joined(kind: 'union' | 'concatenation', parts: readonly RegexpTree[]): RegexpTree {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [first, second] = flat;
  return first && !second ? first : { kind, parts: flat };
}

function repetition(reader: Reader): RegexpTree {
  let part = complement(reader);
  for (;;) {
    if (take(reader, '?')) part = { kind: 'repetition', part, min: 0, max: 1, optional: true };
    else if (take(reader, '*')) part = { kind: 'repetition', part, min: 0, max: undefined, optional: false };
    else if (take(reader, '+')) part = { kind: 'repetition', part, min: 1, max: undefined, optional: false };
    else if (take(reader, '{')) part = { kind: 'repetition', part, ...counts(reader), optional: false };
    else return part;
  }
}

function counts(reader: Reader): { min: number; max: number | undefined } {
  const min = number(reader);
  if (min === undefined) throw new Unreadable('A "{" requires a number', reader.at);
  const max = take(reader, ',') ? number(reader) : min;
  expect(reader, '}');
  return { min, max };
}

function number(reader: Reader): number | undefined {
  const from = reader.at;
  while (isBeforeAny(reader, '0123456789')) reader.at += 1;
  if (from === reader.at) return undefined;
  const value = Number(reader.text.slice(from, reader.at));
  if (maxNumber < value) throw new Unreadable(`The number is too large: ${maxNumber} is the greatest`, from);
  return value;
}

function complement(reader: Reader): RegexpTree {
  return take(reader, '~') ? { kind: 'complement', part: complement(reader) } : single(reader);
}

function single(reader: Reader): RegexpTree {
  const from = reader.at;
  if (take(reader, '[')) return brackets(reader);
  if (take(reader, '.')) return { kind: 'ranges', ranges: [[0, maxCodePoint]] };
  if (take(reader, '#')) return { kind: 'nothing' };
  if (take(reader, '@')) return { kind: 'anything' };
  if (take(reader, '"')) return { kind: 'text', text: upTo(reader, '"') };
  if (take(reader, '<')) return interval(upTo(reader, '>'), from);
  if (take(reader, '(')) return parentheses(reader);
  const codePoint = character(reader);
  return { kind: 'ranges', ranges: [[codePoint, codePoint]] };
}

function parentheses(reader: Reader): RegexpTree {
  if (take(reader, ')')) return { kind: 'text', text: '' };
  const tree = union(reader);
  expect(reader, ')');
  return tree;
}

function brackets(reader: Reader): RegexpTree {
  const negated = take(reader, '^');
  const ranges = [range(reader)];
  while (isBeforeOther(reader, ']')) ranges.push(range(reader));
  expect(reader, ']');
  if (negated) return { kind: 'ranges', ranges: allBut(ranges) };
  return joined(
    'union',
    ranges.map((each) => ({ kind: 'ranges', ranges: [each] })),
  );
}

function range(reader: Reader): CodePointRange {
  const at = reader.at;
  const min = character(reader);
  if (!take(reader, '-')) return [min, min];
  const max = character(reader);
  if (max < min) throw new Unreadable(`The range "${reader.text.slice(at, reader.at)}" runs backwards`, at);
  return [min, max];
}

function allBut(ranges: readonly CodePointRange[]): CodePointRange[] {
  const gaps: CodePointRange[] = [];
  let from = 0;
  for (const [min, max] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from < min) gaps.push([from, min - 1]);
    from = Math.max(from, max + 1);
  }
  if (from <= maxCodePoint) gaps.push([from, maxCodePoint]);
  return gaps;
}

/** The interval between `<` and `>`. The syntax also has names of automata, but the engine defines none. */
function interval(text: string, at: number): RegexpTree {
  const [, min, max] = /^(\+?\d+)-(\+?\d+)$/.exec(text) ?? [];
  if (min === undefined || max === undefined || maxNumber < Math.max(Number(min), Number(max))) {
    throw new Unreadable(`"<${text}>" requires two numbers, as in <1-15>`, at);
  }
  const [least, greatest] = [Math.min(Number(min), Number(max)), Math.max(Number(min), Number(max))];
  return { kind: 'interval', min: least, max: greatest, digits: min.length === max.length ? min.length : 0 };
}

function upTo(reader: Reader, end: string): string {
  const to = reader.text.indexOf(end, reader.at);
  if (to === -1) throw new Unreadable(`A "${end}" is missing`, reader.text.length);
  const text = reader.text.slice(reader.at, to);
  reader.at = to + 1;
  return text;
}

function character(reader: Reader): number {
  take(reader, '\\');
  const codePoint = reader.text.codePointAt(reader.at);
  if (codePoint === undefined) throw new Unreadable('A character is missing at the end', reader.at);
  reader.at += 0xffff < codePoint ? 2 : 1;
  return codePoint;
}

function expect(reader: Reader, what: string): void {
  if (!take(reader, what)) throw new Unreadable(`A "${what}" is missing`, reader.at);
}

function take(reader: Reader, what: string): boolean {
  if (reader.text[reader.at] !== what) return false;
  reader.at += 1;
  return true;
}

/** Returns whether the next character is one of these. */
function isBeforeAny({ text, at }: Reader, these: string): boolean {
  return at < text.length && these.includes(text.charAt(at));
}

/** Returns whether there is a next character, and it is none of these. */
function isBeforeOther({ text, at }: Reader, these: string): boolean {
  return at < text.length && !these.includes(text.charAt(at));
}
