import type { Token } from './token.ts';
import type { Bound, Clause, FieldName, Group, Item, Part, Query, Range, Span, Stray } from './tree.ts';

export function queryNode(parts: readonly Part[], end: Token): Query {
  return { kind: 'Query', from: 0, to: end.to, parts, end };
}

/** A clause of an item alone. */
export function clauseNode(item: Item): Clause {
  const { from, to } = item;
  return { kind: 'Clause', from, to, conjunction: undefined, modifier: undefined, field: undefined, item };
}

/** A clause with a field and the item that follows, if any. */
export function clauseWithField(field: FieldName, item = missing(field.to)): Clause {
  const { from } = field;
  return { kind: 'Clause', from, to: item.to, conjunction: undefined, modifier: undefined, field, item };
}

/** A clause with a modifier before the rest, if any. */
export function clauseWithModifier(
  modifier: Token,
  { field, item } = clauseNode(missing(modifier.to)),
): Clause {
  const { from } = modifier;
  return { kind: 'Clause', from, to: item.to, conjunction: undefined, modifier, field, item };
}

/** A clause with a conjunction before the rest, if any. */
export function clauseWithConjunction(
  conjunction: Token,
  { modifier, field, item } = clauseNode(missing(conjunction.to)),
): Clause {
  const { from } = conjunction;
  return { kind: 'Clause', from, to: item.to, conjunction, modifier, field, item };
}

export function strayNode(token: Token): Stray {
  return { kind: 'Stray', from: token.from, to: token.to, token };
}

export function fieldNameNode(name: Token, colon: Token): FieldName {
  return { kind: 'FieldName', from: name.from, to: colon.to, name, colon };
}

const noSuffixes: readonly Token[] = [];

/** An item of one token and its suffixes. */
export function termNode<K extends 'Word' | 'Wildcard' | 'Regexp' | 'Phrase'>(
  kind: K,
  term: Token,
  suffixes = noSuffixes,
): { kind: K; term: Token; suffixes: readonly Token[] } & Span {
  return { kind, from: term.from, to: (suffixes.at(-1) ?? term).to, term, suffixes };
}

export function rangeNode(pieces: Omit<Range, 'kind' | 'from' | 'to'>): Range {
  const { open, lower, separator, upper, strays, close, boost } = pieces;
  const last = boost ?? close ?? strays.at(-1) ?? upper ?? separator ?? lower ?? open;
  return { kind: 'Range', from: open.from, to: last.to, open, lower, separator, upper, strays, close, boost };
}

export function boundNode(term: Token): Bound {
  return { kind: 'Bound', from: term.from, to: term.to, term };
}

export function groupNode({ open, parts, close, boost }: Omit<Group, 'kind' | 'from' | 'to'>): Group {
  const last = boost ?? close ?? parts.at(-1) ?? open;
  return { kind: 'Group', from: open.from, to: last.to, open, parts, close, boost };
}

function missing(at: number): Item {
  return { kind: 'Missing', from: at, to: at };
}

const noToken: Token = { kind: 'End', before: '', from: 0, to: 0, text: '' };
const noItem = termNode('Word', noToken);

/**
 * Nodes that the rules return while Chevrotain records the grammar, when there is no text to read.
 * Constants are cheaper than `ACTION`, which allocates a function for each node.
 */
export const placeholders = {
  token: noToken,
  item: noItem,
  query: queryNode([], noToken),
  stray: strayNode(noToken),
  clause: clauseNode(noItem),
  bound: boundNode(noToken),
  group: groupNode({ open: noToken, parts: [], close: undefined, boost: undefined }),
} as const;
