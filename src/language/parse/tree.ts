import type { Token } from './token.ts';

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
