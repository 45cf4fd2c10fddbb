import type { Token } from './token.ts';
import type {
  Bound,
  Clause,
  FieldName,
  Group,
  Item,
  Missing,
  Part,
  Query,
  Range,
  Span,
  Stray,
} from './tree.ts';

export function query(parts: readonly Part[], end: Token): Query {
  return { kind: 'Query', from: 0, to: end.to, parts, end };
}

/** A clause as its pieces were read. Without an item it ends in a `Missing` node. */
export function clause(pieces: {
  readonly conjunction?: Token | undefined;
  readonly modifier?: Token | undefined;
  readonly field?: FieldName | undefined;
  readonly item?: Item | undefined;
}): Clause {
  const { conjunction, modifier, field } = pieces;
  const last = pieces.item ?? field ?? modifier ?? conjunction;
  const item = pieces.item ?? missing(last?.to ?? 0);
  const from = (conjunction ?? modifier ?? field ?? item).from;
  return { kind: 'Clause', from, to: item.to, conjunction, modifier, field, item };
}

export function stray(token: Token): Stray {
  return { kind: 'Stray', from: token.from, to: token.to, token };
}

export function fieldName(name: Token, colon: Token): FieldName {
  return { kind: 'FieldName', from: name.from, to: colon.to, name, colon };
}

/** An item of one token and its suffixes. */
export function single<K extends 'Word' | 'Wildcard' | 'Regexp' | 'Phrase'>(
  kind: K,
  term: Token,
  suffixes: readonly Token[] = [],
): { kind: K; term: Token; suffixes: readonly Token[] } & Span {
  return { kind, from: term.from, to: (suffixes.at(-1) ?? term).to, term, suffixes };
}

export function range(pieces: Omit<Range, 'kind' | 'from' | 'to'>): Range {
  const { open, lower, separator, upper, strays, close, boost } = pieces;
  const last = boost ?? close ?? strays.at(-1) ?? upper ?? separator ?? lower ?? open;
  return { kind: 'Range', from: open.from, to: last.to, open, lower, separator, upper, strays, close, boost };
}

export function bound(term: Token): Bound {
  return { kind: 'Bound', from: term.from, to: term.to, term };
}

export function group({ open, parts, close, boost }: Omit<Group, 'kind' | 'from' | 'to'>): Group {
  const last = boost ?? close ?? parts.at(-1) ?? open;
  return { kind: 'Group', from: open.from, to: last.to, open, parts, close, boost };
}

function missing(at: number): Missing {
  return { kind: 'Missing', from: at, to: at };
}
