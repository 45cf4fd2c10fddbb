import { endsEscaped } from './escape.ts';
import { maxDepth, type Token, type TokenKind } from './token.ts';

/** White space between tokens. Other Unicode blanks are part of a term (section 1.1 of the language specification). */
const blanks = new Set([' ', '\t', '\n', '\r', '\u3000']);

/** The characters that cannot begin a term. `+` and `-` may go on in one. */
const special = new Set('+-!():^[]"{}~*?\\/');

/** Terms that are operators when they stand alone. */
const operators: ReadonlyMap<string, TokenKind> = new Map([
  ['AND', 'And'],
  ['&&', 'And'],
  ['OR', 'Or'],
  ['||', 'Or'],
  ['NOT', 'Not'],
]);

/** Tokens of one character, whatever follows. */
const singles: ReadonlyMap<string, TokenKind> = new Map([
  [':', 'Colon'],
  ['[', 'RangeOpen'],
  ['{', 'RangeOpen'],
]);

const signs: ReadonlyMap<string, TokenKind> = new Map([
  ['+', 'Plus'],
  ['-', 'Minus'],
  ['!', 'Not'],
]);

/**
 * The tokens of a text, an `End` token last, which carries the white space at
 * the end. Total and linear: every text has tokens, and joining `before` and
 * `text` of all of them gives the text back. The longest match wins, as in the
 * engine (section 1.2 of the language specification).
 */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  let depth = 0;
  let inRange = false;
  for (;;) {
    const from = skipBlanks(text, end, inRange);
    const before = text.slice(end, from);
    if (from === text.length) {
      tokens.push({ kind: 'End', before, text: '', from, to: from });
      return tokens;
    }
    const [found, to] = inRange ? lexInRange(text, from) : lexOutside(text, from);
    const kind = nested(found, depth);
    if (found === 'Open') depth += 1;
    if (found === 'Close') depth = Math.max(0, depth - 1);
    inRange = kind === 'RangeOpen' || (inRange && kind !== 'RangeClose');
    tokens.push({ kind, before, text: text.slice(from, to), from, to });
    end = to;
  }
}

/** What a parenthesis is at this depth: one that closes nothing is junk, and there is a limit. */
function nested(kind: TokenKind, depth: number): TokenKind {
  if (kind === 'Open' && maxDepth <= depth) return 'TooDeep';
  if (kind === 'Close' && depth === 0) return 'Junk';
  if (kind === 'Close' && maxDepth < depth) return 'TooDeep';
  return kind;
}

/** In a range only the space separates; every other blank belongs to the bound. */
function skipBlanks(text: string, from: number, inRange: boolean): number {
  let position = from;
  while (position < text.length && (inRange ? text[position] === ' ' : blanks.has(text.charAt(position)))) {
    position += 1;
  }
  return position;
}

type Lexeme = [kind: TokenKind, to: number];

function lexOutside(text: string, from: number): Lexeme {
  const first = text.charAt(from);
  const single = singles.get(first);
  if (single) return [single, from + 1];
  const sign = signs.get(first);
  // The engine takes the blank into the token; here it stays with the next one.
  if (sign) return [blanks.has(text.charAt(from + 1)) ? 'Bare' : sign, from + 1];
  switch (first) {
    case '(':
      return ['Open', from + 1];
    case ')':
      return ['Close', from + 1];
    case '"':
      return lexQuoted(text, from);
    case '/':
      return lexRegexp(text, from);
    case '~':
      return ['Tilde', endOfTerm(text, from + 1, { inside: true, wildcards: false }).to];
    case '^':
      return lexBoost(text, from);
    default:
      return lexTerm(text, from);
  }
}

function lexQuoted(text: string, from: number): Lexeme {
  for (let position = from + 1; position < text.length; position += 1) {
    const character = text[position];
    if (character === '"') return ['Quoted', position + 1];
    if (character === '\\') position += 1;
  }
  return ['UnclosedQuoted', text.length];
}

function lexRegexp(text: string, from: number): Lexeme {
  const to = endOfDelimited(text, from, '/');
  return to === undefined ? ['Junk', from + 1] : ['Regexp', to];
}

function lexBoost(text: string, from: number): Lexeme {
  const number = /\d+(?:\.\d+)?/y;
  number.lastIndex = from + 1;
  return number.test(text) ? ['Boost', number.lastIndex] : ['Junk', from + 1];
}

function lexTerm(text: string, from: number): Lexeme {
  const { to, wild } = endOfTerm(text, from, { inside: false, wildcards: true });
  if (to === from) return ['Junk', from + 1];
  const word = text.slice(from, to);
  if (wild === 0) return [operators.get(word) ?? 'Term', to];
  if (word === '*') return ['Star', to];
  return [wild === 1 && word.endsWith('*') && !endsEscaped(word) ? 'Prefix' : 'Wildcard', to];
}

interface TermOptions {
  /** Whether the first character may be one that only goes on in a term, `+` or `-`. */
  readonly inside: boolean;
  /** Whether `*` and `?` belong to the run. */
  readonly wildcards: boolean;
}

/**
 * Where a run of term characters ends, and how many unescaped `*` and `?` are
 * in it. A `\` with nothing after it ends the run.
 */
function endOfTerm(text: string, from: number, options: TermOptions): { to: number; wild: number } {
  let position = from;
  let wild = 0;
  for (; position < text.length; position += 1) {
    const character = text.charAt(position);
    if (character === '\\') {
      if (position + 1 === text.length) break;
      position += 1;
    } else if (options.wildcards && (character === '*' || character === '?')) {
      wild += 1;
    } else if (blanks.has(character)) {
      break;
    } else if (special.has(character)) {
      const goesOn = (character === '+' || character === '-') && (options.inside || from < position);
      if (!goesOn) break;
    }
  }
  return { to: position, wild };
}

function lexInRange(text: string, from: number): Lexeme {
  const first = text.charAt(from);
  if (first === ']' || first === '}') return ['RangeClose', from + 1];
  let bound = from;
  while (bound < text.length && !' ]}'.includes(text.charAt(bound))) bound += 1;
  const quoted = first === '"' ? endOfDelimited(text, from, '"') : undefined;
  // An empty pair of quotes is no quoted bound for the engine.
  if (quoted !== undefined && from + 2 < quoted && bound <= quoted) return ['RangeQuoted', quoted];
  return [text.slice(from, bound) === 'TO' ? 'RangeTo' : 'RangeBound', bound];
}

/**
 * Where a text between two delimiters ends, or undefined when it does not. A
 * `\` in front of the delimiter does not end the token if a later one does:
 * the engine takes the longest match, and `\` is an ordinary character inside.
 */
function endOfDelimited(text: string, from: number, delimiter: string): number | undefined {
  let end: number | undefined;
  for (let at = text.indexOf(delimiter, from + 1); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    end = at + 1;
    if (text[at - 1] !== '\\') break;
  }
  return end;
}
