/**
 * The smallest parts of a query. Every character of a text belongs to exactly one token: as its
 * text, or as the white space before it.
 */

/**
 * The kinds of tokens, in the terms of section 1.2 of the language specification.
 *
 * `Field` is the name of a field: a term, or a lone `*`, before a colon. `Junk` is a token that
 * the engine refuses everywhere: a closing bracket without an opening one, a lone `^`, a `\` at
 * the end of the text. `TooDeep` is a parenthesis beyond `maxDepth`.
 */
export const tokenKinds = [
  'And',
  'Or',
  'Not',
  'Plus',
  'Minus',
  'Bare',
  'Open',
  'Close',
  'Field',
  'Colon',
  'Star',
  'Term',
  'Prefix',
  'Wildcard',
  'Regexp',
  'Quoted',
  'UnclosedQuoted',
  'Tilde',
  'Boost',
  'RangeOpen',
  'RangeTo',
  'RangeQuoted',
  'RangeBound',
  'RangeClose',
  'Junk',
  'TooDeep',
  'End',
] as const;

/** The kind of a token. */
export type TokenKind = (typeof tokenKinds)[number];

/** One token. The offsets are UTF-16 units into the text; `before` ends at `from`. */
export interface Token {
  readonly kind: TokenKind;
  /** The white space between the previous token and this one. */
  readonly before: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The maximum nesting of parentheses. Engines stop at 200 (current clusters) or crash (older
 * ones), so a query near the limit runs nowhere (section 7.8 of the language specification).
 */
export const maxDepth = 200;
