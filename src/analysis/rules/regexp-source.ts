import { lowerCase } from '../../language/index.ts';
import { refuseRule } from './refusal.ts';

/** Code points from the first to the last of each pair. */
export type CodePointRanges = readonly (readonly [first: number, last: number])[];

/** A part of a regular expression of a rule. */
export type RegexpPart =
  | { readonly kind: 'points'; readonly points: CodePointRanges }
  | { readonly kind: 'anchor'; readonly at: 'start' | 'end' }
  | { readonly kind: 'group'; readonly branches: readonly (readonly RegexpPart[])[] }
  | { readonly kind: 'repeat'; readonly part: RegexpPart; readonly times: string };

/** Flags of a regular expression: the modifiers `i`, `m` and `s`. */
export interface RegexpFlags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
}

/** A text and the read position. */
interface Reader {
  readonly text: string;
  readonly flags: RegexpFlags;
  at: number;
  depth: number;
}

const last = 0x10ffff;
const newLine = 10;
const maxDepth = 40;

const digits: CodePointRanges = [[0x30, 0x39]];
const wordCharacters: CodePointRanges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const blanks: CodePointRanges = [
  [9, 13],
  [0x20, 0x20],
];

/** Escapes that stand for sets of characters. */
const sets: Readonly<Record<string, CodePointRanges>> = {
  d: digits,
  w: wordCharacters,
  s: blanks,
  D: allBut(digits),
  W: allBut(wordCharacters),
  S: allBut(blanks),
};

const controls: Readonly<Record<string, number>> = { t: 9, n: newLine, v: 11, f: 12, r: 13, e: 27, a: 7 };

/**
 * Parses a regular expression in the flavour of Sigma (modifiers appendix 2.1) with the usual
 * escapes. Look-around, back-references, word boundaries and others are a `RuleRefusal`.
 */
export function parseExpression(text: string, flags: RegexpFlags): readonly (readonly RegexpPart[])[] {
  const [inline = '', letters = ''] = /^\(\?([ims]+)\)/.exec(text) ?? [];
  const all = {
    ignoreCase: flags.ignoreCase || letters.includes('i'),
    multiLine: flags.multiLine || letters.includes('m'),
    dotAll: flags.dotAll || letters.includes('s'),
  };
  const reader: Reader = { text, flags: all, at: inline.length, depth: 0 };
  const branches = readBranches(reader);
  return reader.at < text.length
    ? refuseRule('The regular expression closes a group that is not open')
    : branches;
}

/** True if the expression sets the flag `i` itself, at its start. */
export function ignoresCase(text: string): boolean {
  return /^\(\?[ms]*i[ims]*\)/.test(text);
}

/** True if the expression sets the flag `m` itself, at its start. */
export function isMultiLine(text: string): boolean {
  return /^\(\?[is]*m[ims]*\)/.test(text);
}

function readBranches(reader: Reader): RegexpPart[][] {
  reader.depth += 1;
  if (maxDepth < reader.depth) refuseRule(`The regular expression nests more than ${maxDepth} groups`);
  const branches = [readSequence(reader)];
  while (take(reader, '|')) branches.push(readSequence(reader));
  reader.depth -= 1;
  return branches;
}

function readSequence(reader: Reader): RegexpPart[] {
  const parts: RegexpPart[] = [];
  while (reader.at < reader.text.length && !'|)'.includes(reader.text.charAt(reader.at))) {
    const part = readPart(reader);
    parts.push(readTimes(part, reader));
  }
  return parts;
}

function readTimes(part: RegexpPart, reader: Reader): RegexpPart {
  const [times] =
    /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})/.exec(reader.text.slice(reader.at, reader.at + 12)) ?? [];
  if (times === undefined) return part;
  if (part.kind === 'anchor') refuseRule('The regular expression repeats an anchor');
  reader.at += times.length;
  // A lazy quantifier matches the same texts.
  if (!take(reader, '?') && take(reader, '+'))
    refuseRule('The regular expression has a possessive quantifier');
  return { kind: 'repeat', part, times };
}

function readPart(reader: Reader): RegexpPart {
  const character = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0);
  reader.at += character.length;
  switch (character) {
    case '^':
      return { kind: 'anchor', at: 'start' };
    case '$':
      return { kind: 'anchor', at: 'end' };
    case '.':
      return { kind: 'points', points: reader.flags.dotAll ? [[0, last]] : allBut([[newLine, newLine]]) };
    case '(':
      return readGroup(reader);
    case '[':
      return { kind: 'points', points: readClass(reader) };
    case '\\':
      return readEscape(reader);
    case '*':
    case '+':
    case '?':
      return refuseRule(`The regular expression repeats nothing with "${character}"`);
    default:
      return literal(character, reader);
  }
}

function readGroup(reader: Reader): RegexpPart {
  const [opening] = /^\?(?::|P?<[A-Za-z_]\w*>)/.exec(reader.text.slice(reader.at)) ?? [];
  if (opening !== undefined) reader.at += opening.length;
  else if (reader.text.charAt(reader.at) === '?')
    refuseRule(
      `The regular expression has "(${reader.text.slice(reader.at, reader.at + 2)}": look-around is not supported`,
    );
  const branches = readBranches(reader);
  if (!take(reader, ')')) refuseRule('A group of the regular expression is not closed');
  return { kind: 'group', branches };
}

function readEscape(reader: Reader): RegexpPart {
  const letter = reader.text.charAt(reader.at);
  if (letter === 'A' || letter === 'z' || letter === 'Z') {
    reader.at += 1;
    return { kind: 'anchor', at: letter === 'A' ? 'start' : 'end' };
  }
  const set = sets[letter];
  if (set && Object.hasOwn(sets, letter)) {
    reader.at += 1;
    return { kind: 'points', points: folded(set, reader) };
  }
  return literal(readEscaped(reader), reader);
}

/** A literal character behind a backslash. */
function readEscaped(reader: Reader): string {
  const rest = reader.text.slice(reader.at, reader.at + 10);
  const [hexadecimal, short, braced] =
    /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|x\{([\da-fA-F]{1,6})\})/.exec(rest) ?? [];
  const code = short ?? braced ?? hexadecimal?.slice(1).replace(/[{}]/g, '');
  if (hexadecimal !== undefined && code !== undefined) {
    reader.at += hexadecimal.length;
    return String.fromCodePoint(Math.min(last, Number.parseInt(code, 16)));
  }
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (rest === '') refuseRule('The regular expression ends with a backslash');
  reader.at += character.length;
  const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
  if (control !== undefined) return String.fromCodePoint(control);
  return /[A-Za-z0-9]/.test(character)
    ? refuseRule(`The regular expression has "\\${character}", which is not supported`)
    : character;
}

function literal(character: string, { flags }: Reader): RegexpPart {
  const code = (flags.ignoreCase ? lowerCase(character) : character).codePointAt(0) ?? 0;
  return { kind: 'points', points: [[code, code]] };
}

function readClass(reader: Reader): CodePointRanges {
  const isNegated = take(reader, '^');
  const points: (readonly [number, number])[] = [];
  // A bracket in the first place is literal.
  for (let isFirst = true; isFirst || reader.text.charAt(reader.at) !== ']'; isFirst = false) {
    if (reader.text.length <= reader.at) return refuseRule('A "[" of the regular expression is not closed');
    points.push(...readRange(reader));
  }
  reader.at += 1;
  const all = folded(points, reader);
  return isNegated ? allBut(all) : all;
}

function readRange(reader: Reader): CodePointRanges {
  if (reader.text.startsWith('[:', reader.at)) refuseRule('The regular expression names a class with "[:"');
  const set = sets[reader.text.charAt(reader.at + 1)];
  if (reader.text.charAt(reader.at) === '\\' && set) {
    reader.at += 2;
    return set;
  }
  const first = readMember(reader);
  const isRange = reader.text.charAt(reader.at) === '-' && reader.text.charAt(reader.at + 1) !== ']';
  if (!isRange) return [[first, first]];
  reader.at += 1;
  const end = readMember(reader);
  if (end < first) refuseRule('A range of the regular expression runs backwards');
  return [[first, end]];
}

function readMember(reader: Reader): number {
  if (take(reader, '\\')) {
    if (take(reader, 'b')) return 8;
    return readEscaped(reader).codePointAt(0) ?? 0;
  }
  const code =
    reader.text.codePointAt(reader.at) ?? refuseRule('A "[" of the regular expression is not closed');
  reader.at += 0xffff < code ? 2 : 1;
  return code;
}

/** Ranges up to this size are converted to lower case character by character. */
const maxFolded = 5_000;

/** The lower case of characters, where case is ignored: values are compared in lower case. */
function folded(points: CodePointRanges, { flags }: Reader): CodePointRanges {
  if (!flags.ignoreCase) return points;
  return points.flatMap(([first, end]) => {
    // Letters with another case beyond these planes are of dead scripts.
    const until = Math.min(end, first + maxFolded);
    const lower = Array.from({ length: until - first + 1 }, (_, index) => {
      const code = lowerCase(String.fromCodePoint(first + index)).codePointAt(0) ?? 0;
      return [code, code] as const;
    });
    return [[first, end] as const, ...lower.filter(([code]) => code < first || end < code)];
  });
}

/** All other code points. */
export function allBut(points: CodePointRanges): CodePointRanges {
  const gaps: (readonly [number, number])[] = [];
  let from = 0;
  for (const [first, end] of points.toSorted(([a], [b]) => a - b)) {
    if (from < first) gaps.push([from, first - 1]);
    from = Math.max(from, end + 1);
  }
  if (from <= last) gaps.push([from, last]);
  return gaps;
}

function take(reader: Reader, character: string): boolean {
  if (reader.text.charAt(reader.at) !== character) return false;
  reader.at += 1;
  return true;
}
