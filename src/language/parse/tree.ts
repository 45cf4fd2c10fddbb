/**
 * The syntax tree of a query.
 *
 * Nodes are plain, immutable values: no methods, no parent links and no results of analysis. The
 * tree has a node for every part of the text, broken ones included, and holds every token. Its
 * tokens in order, each with the white space before it, are the text.
 *
 * The engine has no precedence: the content of a group, or the whole query, is one flat list of
 * clauses (section 2 of the language specification). `resolve` gives them a meaning.
 */
export type Node = Query | Part | FieldName | Item | Bound;

/** A half-open range of UTF-16 offsets into the text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The whole text. */
export interface Query extends Span {
  readonly kind: 'Query';
  readonly parts: readonly Part[];
  readonly end: Token;
}

/** An element of a list of clauses. */
export type Part = Clause | Stray;

/** `AND NOT msg:timeout`: a conjunction, a modifier and a field, each if written, and the item. */
export interface Clause extends Span {
  readonly kind: 'Clause';
  /** `AND`, `OR`, `&&` or `||`. */
  readonly conjunction: Token | undefined;
  /** `NOT`, `!`, `+` or `-`. */
  readonly modifier: Token | undefined;
  readonly field: FieldName | undefined;
  readonly item: Item;
}

/** `msg:`, the field of a clause. The name may be the `*` of `*:*`. */
export interface FieldName extends Span {
  readonly kind: 'FieldName';
  readonly name: Token;
  readonly colon: Token;
}

/** The content of a clause. */
export type Item = Word | Wildcard | Regexp | Phrase | Range | Group | Missing;

/** `timeout`, or a lone `+`, `-` or `!`. */
export interface Word extends Span {
  readonly kind: 'Word';
  readonly term: Token;
  /** `~1` and `^2`, in either order. */
  readonly suffixes: readonly Token[];
}

/** `time*`, `t?me`, `*`. */
export interface Wildcard extends Span {
  readonly kind: 'Wildcard';
  readonly term: Token;
  readonly suffixes: readonly Token[];
}

/** `/time(out)?/`. */
export interface Regexp extends Span {
  readonly kind: 'Regexp';
  readonly term: Token;
  readonly suffixes: readonly Token[];
}

/** `"timed out"`; without its last quote it extends to the end of the text. */
export interface Phrase extends Span {
  readonly kind: 'Phrase';
  readonly term: Token;
  readonly suffixes: readonly Token[];
}

/** `[9000 TO 9999]`, with any of its parts missing where the text is broken. */
export interface Range extends Span {
  readonly kind: 'Range';
  readonly open: Token;
  readonly lower: Bound | undefined;
  readonly separator: Token | undefined;
  readonly upper: Bound | undefined;
  /** Tokens between the upper bound and the closing bracket, which the engine refuses. */
  readonly strays: readonly Token[];
  readonly close: Token | undefined;
  readonly boost: Token | undefined;
}

/** One end of a range: `9000`, `"a b"`, `*`. */
export interface Bound extends Span {
  readonly kind: 'Bound';
  readonly term: Token;
}

/** `(a OR b)`. */
export interface Group extends Span {
  readonly kind: 'Group';
  readonly open: Token;
  readonly parts: readonly Part[];
  readonly close: Token | undefined;
  readonly boost: Token | undefined;
}

/** A missing required part, for example after the last word of `a AND`. */
export interface Missing extends Span {
  readonly kind: 'Missing';
}

/** A token that the grammar does not allow here, for example the second colon of `a:b:c`. */
export interface Stray extends Span {
  readonly kind: 'Stray';
  readonly token: Token;
}

/** The name of a kind of node. */
export type Kind = Node['kind'];

/** The node of a kind. */
export type NodeOf<K extends Kind> = Extract<Node, { kind: K }>;

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

/** A child of a node: another node, a token, or undefined for an optional part that was not written. */
export type Child = Node | Token | undefined;

/**
 * The children of each kind in the order of the text. The type requires every kind, so a new kind
 * without an entry does not compile.
 */
const childrenOf: { readonly [K in Kind]: (node: NodeOf<K>) => readonly Child[] } = {
  Query: (node) => [...node.parts, node.end],
  Clause: (node) => [node.conjunction, node.modifier, node.field, node.item],
  Stray: (node) => [node.token],
  FieldName: (node) => [node.name, node.colon],
  Word: (node) => [node.term, ...node.suffixes],
  Wildcard: (node) => [node.term, ...node.suffixes],
  Regexp: (node) => [node.term, ...node.suffixes],
  Phrase: (node) => [node.term, ...node.suffixes],
  Range: (node) => [
    node.open,
    node.lower,
    node.separator,
    node.upper,
    ...node.strays,
    node.close,
    node.boost,
  ],
  Bound: (node) => [node.term],
  Group: (node) => [node.open, ...node.parts, node.close, node.boost],
  Missing: () => [],
};

/** One function for each kind of node that a caller handles. */
export type Visitor = { readonly [K in Kind]?: (node: NodeOf<K>) => void };

/**
 * Calls the visitor for `node` and all its descendants, parents first, in the order of the text.
 *
 * ```ts
 * walk(parse('a OR b').query, { Clause: (clause) => console.log(clause.item.kind) });
 * ```
 */
export function walk(node: Node, visitor: Visitor): void {
  visit(node, visitor);
  for (const child of children(node)) {
    if (child && !isToken(child)) walk(child, visitor);
  }
}

/**
 * The tokens of a node and its descendants, in the order of the text.
 *
 * ```ts
 * tokensOf(parse('a OR b').query).map(({ text }) => text);
 * ```
 */
export function tokensOf(node: Node): Token[] {
  const tokens: Token[] = [];
  collect(node, tokens);
  return tokens;
}

function collect(node: Node, tokens: Token[]): void {
  for (const child of children(node)) {
    if (!child) continue;
    if (isToken(child)) tokens.push(child);
    else collect(child, tokens);
  }
}

/**
 * The children of a node, in the order of the text.
 *
 * ```ts
 * const [first] = children(parse('a OR b').query);
 * ```
 */
export function children(node: Node): readonly Child[] {
  // The table has the function of each kind under that kind, which the compiler cannot infer from the index.
  return (childrenOf[node.kind] as (node: Node) => readonly Child[])(node);
}

function visit(node: Node, visitor: Visitor): void {
  (visitor[node.kind] as ((node: Node) => void) | undefined)?.(node);
}

function isToken(child: Node | Token): child is Token {
  return 'before' in child;
}

/**
 * The text of a node exactly as written, including the white space before each of its tokens.
 *
 * ```ts
 * print(parse('a  OR  b').query); // 'a  OR  b', as it was written
 * ```
 */
export function print(node: Node): string {
  let text = '';
  for (const token of tokensOf(node)) text += token.before + token.text;
  return text;
}
