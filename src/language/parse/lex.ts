import { maxDepth, type Token, type TokenKind } from './tree.ts';

/**
 * The role of a character in a term. The numbers are arbitrary; a character outside the table is
 * ordinary.
 */
const ordinary = 0;
const blank = 1;
const special = 2;
const inner = 3;
const wild = 4;
const escaping = 5;

/**
 * The role of each ASCII character. White space is these four characters and U+3000; other Unicode
 * blanks belong to a term. Special characters end a term; inner ones can continue a term but not
 * begin it (section 1.1 of the language specification).
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
 * Returns the tokens of a text; the last is `End`, which carries trailing white space. Total and
 * linear: every text has tokens, and `before` and `text` of all tokens joined are the text. The
 * longest match wins, as in the engine (section 1.2 of the language specification).
 *
 * ```ts
 * for (const { kind, text } of lex('msg:timeout')) console.log(kind, text);
 * ```
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
  /** The number of open parentheses. */
  readonly depth: number;
  readonly previous: TokenKind | undefined;
}

/** The kind of a lexeme in its context. */
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

function skipBlanks(text: string, from: number, inRange: boolean): number {
  let position = from;
  while (inRange ? isRangeBlank(text, position) : partAt(text, position) === blank) position += 1;
  return position;
}

/**
 * Returns whether the engine skips a character at the start of a token in a range: a space, or another blank that would
 * be a bound of its own, since of equal matches the skipped one wins. Several others in a row are a bound.
 */
function isRangeBlank(text: string, at: number): boolean {
  if (partAt(text, at) !== blank) return false;
  return text[at] === ' ' || at + 1 === text.length || ' ]}'.includes(text.charAt(at + 1));
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

/**
 * A sign before a blank is a word. The engine takes the blank into the token; here the blank stays
 * with the next one.
 */
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
    // Most words are longer than any operator and need no lookup.
    return [(to - from < 4 && operators.get(text.slice(from, to))) || 'Term', to];
  }
  const word = text.slice(from, to);
  if (word === '*') return ['Star', to];
  return [wilds === 1 && word.endsWith('*') && !endsEscaped(word) ? 'Prefix' : 'Wildcard', to];
}

interface TermOptions {
  /** True if `*` and `?` belong to the run. */
  readonly wildcards: boolean;
}

/**
 * Returns the end of a run of term characters, and the number of its unescaped `*` and `?`. A `\`
 * at the end of the text ends the run. The caller has consumed a `+` or `-` in front of the term.
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
  // The engine reads an empty pair of quotes as an unquoted bound.
  if (quoted !== undefined && from + 2 < quoted && bound <= quoted) return ['RangeQuoted', quoted];
  return [text.slice(from, bound) === 'TO' ? 'RangeTo' : 'RangeBound', bound];
}

/**
 * Returns the end of a delimited text, or undefined when it is not closed. A `\` before the
 * delimiter continues the token if another delimiter follows: the engine takes the longest match,
 * and `\` is an ordinary character inside.
 */
function endOfDelimited(text: string, from: number, delimiter: string): number | undefined {
  let end: number | undefined;
  for (let at = text.indexOf(delimiter, from + 1); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    end = at + 1;
    if (text[at - 1] !== '\\') break;
  }
  return end;
}

/** A text with its escapes resolved, and the first escape that the engine refuses, if any. */
export interface Unescaped {
  readonly text: string;
  readonly error: EscapeError | undefined;
}

/** A `\u` without four hexadecimal digits, or a `\` at the end. The offset is into the escaped text. */
export interface EscapeError {
  readonly kind: 'truncated' | 'not-hexadecimal' | 'nothing-escaped';
  readonly at: number;
}

/**
 * Resolves escapes: `\` and a character are that character, `\u` and four hexadecimal digits are
 * that UTF-16 unit (section 3 of the language specification). A refused escape stays as written.
 *
 * ```ts
 * const { text } = withoutEscapes('a\\:b'); // 'a:b'
 * ```
 */
export function withoutEscapes(raw: string): Unescaped {
  if (!raw.includes('\\')) return { text: raw, error: undefined };
  let error: EscapeError | undefined;
  const text = raw.replace(
    /\\(u([\s\S]{0,4})|[\s\S]|$)/g,
    (sequence: string, rest: string, digits: string | undefined, at: number) => {
      if (digits === undefined && rest !== '') return rest;
      if (digits && /^[0-9a-fA-F]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
      error ??= { kind: errorKind(digits), at };
      return sequence;
    },
  );
  return { text, error };
}

function errorKind(digits: string | undefined): EscapeError['kind'] {
  if (digits === undefined) return 'nothing-escaped';
  return /^[0-9a-fA-F]*$/.test(digits) ? 'truncated' : 'not-hexadecimal';
}

/** Escapes a text as one word of a query: special characters and reserved words. */
export function withEscapes(text: string): string {
  if (/^(AND|OR|NOT|&&|\|\|)$/.test(text)) return `\\${text}`;
  return text.replace(/[+\-!():^[\]"{}~*?\\/\s]/g, '\\$&');
}

/** The text inside a phrase or a quoted bound, whose last quote may be missing. */
export function withoutQuotes(quoted: string): string {
  const closed = 1 < quoted.length && quoted.endsWith('"') && !endsEscaped(quoted);
  return quoted.slice(1, closed ? -1 : undefined);
}

/** Returns whether the last character of a text is escaped: an odd number of backslashes precedes it. */
export function endsEscaped(text: string): boolean {
  let backslashes = 0;
  while (text[text.length - 2 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Returns whether a text contains one of these characters without a backslash before it. */
export function hasUnescaped(text: string, characters: RegExp): boolean {
  return characters.test(text) && characters.test(text.replace(/\\[\s\S]/g, ''));
}

/**
 * Query text for exactly this value. On a text field it matches the words of the value next to
 * each other, on a keyword or number field the whole value. Safe for any text, whatever characters
 * or reserved words it holds.
 *
 * ```ts
 * `source:${quote('Roads/Traffic.MapServer')}`; // source:"Roads/Traffic.MapServer"
 * quote('say "hi"'); // "say \"hi\""
 * ```
 *
 * Only a phrase protects everything, including `<` and `>`; in it only the quotation mark and the
 * backslash are escaped (section 3 of the language specification). An empty value gives `""`,
 * which has no terms.
 */
export function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Returns whether a value can stand in a query unquoted: no character or word of it is special. */
export function isPlainValue(value: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.]*$/u.test(value) && !/^(AND|OR|NOT|TO)$/.test(value);
}
