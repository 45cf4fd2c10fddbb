import { endsEscaped } from './escape.ts';
import { maxDepth, type Token, type TokenKind } from './token.ts';

/** How a character takes part in a term. The numbers are arbitrary; what is not in the table is ordinary. */
const ordinary = 0;
const blank = 1;
const special = 2;
const inner = 3;
const wild = 4;
const escaping = 5;

/**
 * The part that each ASCII character takes. White space is just the four here
 * and U+3000; other Unicode blanks belong to a term. The special characters end
 * a term, the inner ones can only go on in one (section 1.1 of the language specification).
 */
const parts = new Uint8Array(128);
const fill = (characters: string, part: number) => {
  for (const character of characters) parts[character.charCodeAt(0)] = part;
};
fill(' \t\n\r', blank);
fill('!():^[]"{}~/', special);
fill('+-', inner);
fill('*?', wild);
fill('\\', escaping);

function partAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 128) return parts[unit] ?? ordinary;
  return unit === 0x3000 ? blank : ordinary;
}

/** Terms that are operators when they stand alone. */
const operators: ReadonlyMap<string, TokenKind> = new Map([
  ['AND', 'And'],
  ['&&', 'And'],
  ['OR', 'Or'],
  ['||', 'Or'],
  ['NOT', 'Not'],
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
  let previous: TokenKind | undefined;
  for (;;) {
    const from = skipBlanks(text, end, inRange);
    const before = from === end ? '' : text.slice(end, from);
    if (from === text.length) {
      tokens.push({ kind: 'End', before, text: '', from, to: from });
      return tokens;
    }
    const lexeme: Lexeme = inRange ? lexInRange(text, from) : lexOutside(text, from);
    const kind = inContext(text, lexeme, { depth, previous });
    const to = lexeme[1];
    if (lexeme[0] === 'Open') depth += 1;
    if (lexeme[0] === 'Close') depth = Math.max(0, depth - 1);
    inRange = kind === 'RangeOpen' || (inRange && kind !== 'RangeClose');
    tokens.push({ kind, before, text: text.slice(from, to), from, to });
    end = to;
    previous = kind;
  }
}

interface LexContext {
  /** How many parentheses are open. */
  readonly depth: number;
  readonly previous: TokenKind | undefined;
}

/** What a lexeme is where it stands. */
function inContext(text: string, [kind, to]: Lexeme, { depth, previous }: LexContext): TokenKind {
  switch (kind) {
    case 'Term':
    case 'Star':
      // Behind a colon it is a value, whatever follows.
      return previous !== 'Colon' && text[skipBlanks(text, to, false)] === ':' ? 'Field' : kind;
    case 'Open':
      return maxDepth <= depth ? 'TooDeep' : kind;
    case 'Close':
      if (depth === 0) return 'Junk';
      return maxDepth < depth ? 'TooDeep' : kind;
    default:
      return kind;
  }
}

/** In a range only the space separates; every other blank belongs to the bound. */
function skipBlanks(text: string, from: number, inRange: boolean): number {
  let position = from;
  while (position < text.length && (inRange ? text[position] === ' ' : partAt(text, position) === blank)) {
    position += 1;
  }
  return position;
}

type Lexeme = readonly [kind: TokenKind, to: number];

function lexOutside(text: string, from: number): Lexeme {
  switch (text[from]) {
    case ':':
      return ['Colon', from + 1];
    case '(':
      return ['Open', from + 1];
    case ')':
      return ['Close', from + 1];
    case '[':
    case '{':
      return ['RangeOpen', from + 1];
    case '+':
      return lexSign(text, from, 'Plus');
    case '-':
      return lexSign(text, from, 'Minus');
    case '!':
      return lexSign(text, from, 'Not');
    case '"':
      return lexQuoted(text, from);
    case '/':
      return lexRegexp(text, from);
    case '~':
      return ['Tilde', endOfTerm(text, from + 1, { wildcards: false }).to];
    case '^':
      return lexBoost(text, from);
    default:
      return lexTerm(text, from);
  }
}

/** A sign in front of a blank is a word of its own. The engine takes the blank into the token; here it stays with the next one. */
function lexSign(text: string, from: number, kind: TokenKind): Lexeme {
  const alone = partAt(text, from + 1) === blank;
  return [alone ? 'Bare' : kind, from + 1];
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
  const { to, wilds } = endOfTerm(text, from, { wildcards: true });
  if (to === from) return ['Junk', from + 1];
  if (wilds === 0) {
    // Most words are longer than any operator and need not be looked up.
    return [(to - from < 4 && operators.get(text.slice(from, to))) || 'Term', to];
  }
  const word = text.slice(from, to);
  if (word === '*') return ['Star', to];
  return [wilds === 1 && word.endsWith('*') && !endsEscaped(word) ? 'Prefix' : 'Wildcard', to];
}

interface TermOptions {
  /** Whether `*` and `?` belong to the run. */
  readonly wildcards: boolean;
}

/**
 * Where a run of term characters ends, and how many unescaped `*` and `?` are
 * in it. A `\` with nothing after it ends the run. A `+` or `-` in front of a term
 * is a token of its own, which the caller has taken.
 */
function endOfTerm(text: string, from: number, options: TermOptions): { to: number; wilds: number } {
  let position = from;
  let wilds = 0;
  for (; position < text.length; position += 1) {
    const part = partAt(text, position);
    if (part === ordinary) continue;
    if (part === escaping && position + 1 < text.length) position += 1;
    else if (part === wild && options.wildcards) wilds += 1;
    else if (part !== inner) break;
  }
  return { to: position, wilds };
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
