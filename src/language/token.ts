/**
 * The smallest parts of a query. Every character of a text belongs to exactly
 * one token: as its text, or as the white space before it.
 */

/**
 * What a token is, in the words of section 1.2 of the language specification.
 *
 * `Field` is a term, or a lone `*`, that a colon follows: the name of a field.
 * `Junk` is what the engine refuses wherever it stands: a closing bracket that
 * nothing opened, a lone `^`, a `\` at the end of the text. `TooDeep` is a
 * parenthesis beyond `maxDepth`.
 */
export type TokenKind =
  | 'And'
  | 'Or'
  | 'Not'
  | 'Plus'
  | 'Minus'
  | 'Bare'
  | 'Open'
  | 'Close'
  | 'Field'
  | 'Colon'
  | 'Star'
  | 'Term'
  | 'Prefix'
  | 'Wildcard'
  | 'Regexp'
  | 'Quoted'
  | 'UnclosedQuoted'
  | 'Tilde'
  | 'Boost'
  | 'RangeOpen'
  | 'RangeTo'
  | 'RangeQuoted'
  | 'RangeBound'
  | 'RangeClose'
  | 'Junk'
  | 'TooDeep'
  | 'End';

/** One token. The offsets are UTF-16 units into the text; `before` lies in front of `from`. */
export interface Token {
  readonly kind: TokenKind;
  /** The white space between the token before and this one. */
  readonly before: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Parentheses may be nested this deep. The engines stop between 200 (current
 * clusters) and a crash (older ones), so a query near the limit would not run
 * anywhere (section 7.8 of the language specification).
 */
export const maxDepth = 200;
