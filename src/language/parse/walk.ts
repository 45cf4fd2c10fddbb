import type { Token } from './token.ts';
import type { Kind, Node, NodeOf } from './tree.ts';

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
