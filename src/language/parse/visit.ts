import { group } from './build.ts';
import type { Bound, Clause, FieldName, Item, Kind, Node, NodeOf, Part, Query, Token } from './tree.ts';
import { tokensOf } from './tree.ts';

/** An answer of a visitor: the children of the node, and its `leave`, are not visited. */
export const skip: unique symbol = Symbol.for('logquarry.skip');

/** An answer of a visitor: the visit ends. What was edited before stays edited. */
export const stop: unique symbol = Symbol.for('logquarry.stop');

/**
 * An answer of a visitor: the node is left out. Without its item a clause is left out, without its
 * last clause a group; without a bound a range is open.
 */
export const remove: unique symbol = Symbol.for('logquarry.remove');

/** Where a node is in the tree. */
export interface NodePosition {
  /** The node that holds it, as it was before its children were visited; undefined for the query. */
  readonly parent: Node | undefined;
  /** The nodes from the query down to the parent. */
  readonly ancestors: readonly Node[];
  /** The keys from the query down to the node, for example `['parts', 0, 'item']`. */
  readonly path: readonly (string | number)[];
}

/** What may stand in place of a node of this kind. In place of an item, a query becomes a group. */
export type Replacement<K extends Kind> =
  NodeOf<K> extends Item ? Item | Query : NodeOf<K> extends Part ? Part : NodeOf<K>;

/** What a function of a visitor answers; undefined keeps the node. */
export type Answer<K extends Kind> = Replacement<K> | typeof skip | typeof stop | typeof remove | undefined;

/** A function of a visitor. */
export type Visit<K extends Kind> = (node: NodeOf<K>, position: NodePosition) => Answer<K>;

/** Functions for kinds of nodes. A function alone is called before the children of the node. */
export type EditingVisitor = {
  readonly [K in Kind]?: Visit<K> | { readonly enter?: Visit<K>; readonly leave?: Visit<K> };
} & {
  /** Called for each node before its children, if its kind has no function. */
  readonly enter?: (node: Node, position: NodePosition) => Answer<Kind>;
  /** Called for each node after its children, if its kind has no function. */
  readonly leave?: (node: Node, position: NodePosition) => Answer<Kind>;
};

/**
 * Calls the functions of the visitor for all nodes in the order of the text, and returns the tree
 * with their answers in it. Neither tree is changed: parts that stay as they were and where they
 * were are the same objects in both, and without an edit the query itself is returned.
 *
 * ```ts
 * const { query } = parse('a AND message:b');
 * print(visit(query, { FieldName: () => field('msg') })); // 'a AND msg:b'
 * print(visit(query, { Clause: ({ field }) => (field ? remove : undefined) })); // 'a'
 * ```
 *
 * A replacement takes the white space, and a clause the conjunction, that stood before the node.
 * What `enter` returns is not visited again; `leave` gets the node with its edited children. A
 * removed clause takes its conjunction with it, and the clause that becomes the first loses its
 * own. In a list that mixes operators without parentheses the others may then mean something else,
 * as they do for the engine.
 *
 * @throws {TypeError} if an answer cannot stand in place of its node.
 */
export function visit(query: Query, visitor: EditingVisitor): Query {
  const state: State = { visitor, stopped: false };
  const top: NodePosition = { parent: undefined, ancestors: [], path: [] };
  const edited = edit(query, top, state, editParts, (node) => {
    if (node.kind === 'Query') return node;
    throw misfit(node, query);
  });
  return relocate(edited ?? { ...query, parts: [] });
}

interface State {
  readonly visitor: EditingVisitor;
  stopped: boolean;
}

/** Visits a node, its children with `inner`, and returns what stands in its place; undefined if it is removed. */
function edit<N extends Node>(
  node: N,
  position: NodePosition,
  state: State,
  inner: (node: N, position: NodePosition, state: State) => N | undefined,
  admit: (replacement: Node) => N,
): N | undefined {
  if (state.stopped) return node;
  const entered = answer('enter', node, position, state);
  if (entered === remove) return;
  if (entered === skip || state.stopped) return node;
  if (entered !== undefined) return admit(entered);
  const within = inner(node, position, state);
  if (!within || state.stopped) return within;
  const left = answer('leave', within, position, state);
  if (left === remove) return;
  return left === undefined || left === skip || state.stopped ? within : admit(left);
}

type NodeAnswer = Node | typeof skip | typeof remove | undefined;

function answer(when: 'enter' | 'leave', node: Node, position: NodePosition, state: State): NodeAnswer {
  const ofKind = state.visitor[node.kind];
  const own = typeof ofKind === 'function' ? (when === 'enter' ? ofKind : undefined) : ofKind?.[when];
  // The function under a kind takes the nodes of that kind, which the compiler cannot infer from the index.
  const call = (ofKind ? own : state.visitor[when]) as Visit<Kind> | undefined;
  const answer = call?.(node, position);
  if (answer !== stop) return answer;
  state.stopped = true;
  return;
}

function below(position: NodePosition, parent: Node, ...keys: (string | number)[]): NodePosition {
  return { parent, ancestors: [...position.ancestors, parent], path: [...position.path, ...keys] };
}

/** Visits the clauses of a query or a group. A group that loses the last of them is removed. */
function editParts<N extends NodeOf<'Query' | 'Group'>>(
  node: N,
  position: NodePosition,
  state: State,
): N | undefined {
  const results = node.parts.map((part, index) =>
    edit<Part>(part, below(position, node, 'parts', index), state, editPart, (replacement) =>
      fitPart(replacement, part),
    ),
  );
  if (results.every((result, index) => result === node.parts[index])) return node;
  const parts = joinParts(results, node.parts);
  return parts.length === 0 && node.kind === 'Group' ? undefined : { ...node, parts };
}

/** The parts that are left, with blanks and conjunctions where the list needs them. */
function joinParts(results: readonly (Part | undefined)[], originals: readonly Part[]): Part[] {
  const parts: Part[] = [];
  let isAfterEdit = false;
  for (const [index, result] of results.entries()) {
    const isEdited = result !== originals[index];
    if (result && parts.length === 0 && 0 < index) parts.push(asFirst(result, originals[0]));
    else if (result && 0 < index && (isEdited || isAfterEdit)) parts.push(withBlank(result));
    else if (result) parts.push(result);
    isAfterEdit = isEdited;
  }
  return parts;
}

function asFirst(part: Part, first: Part | undefined): Part {
  const bare = part.kind === 'Clause' ? { ...part, conjunction: undefined } : part;
  return withBefore(bare, first ? blanksBefore(first) : '');
}

function editPart(part: Part, position: NodePosition, state: State): Part | undefined {
  if (part.kind === 'Stray') return part;
  const at = (key: string) => below(position, part, key);
  const fitField = (replacement: Node) => {
    if (replacement.kind !== 'FieldName') throw misfit(replacement, part);
    return withBefore(replacement, part.field ? blanksBefore(part.field) : '');
  };
  const field = part.field && edit<FieldName>(part.field, at('field'), state, unchanged, fitField);
  const item = edit<Item>(part.item, at('item'), state, editItem, (replacement) =>
    fitItem(replacement, part.item),
  );
  if (!item) return;
  if (field === part.field && item === part.item) return part;
  return separated({
    ...part,
    field,
    item: part.field && !field ? withBefore(item, blanksBefore(part.field)) : item,
  });
}

/** The clause with a blank behind an operator that is a word. */
function separated(clause: Clause): Clause {
  const last = clause.modifier ?? clause.conjunction;
  if (!last || (clause.modifier && '+-!'.includes(last.text))) return clause;
  return clause.field
    ? { ...clause, field: withBlank(clause.field) }
    : { ...clause, item: withBlank(clause.item) };
}

function editItem(item: Item, position: NodePosition, state: State): Item | undefined {
  if (item.kind === 'Group') return editParts(item, position, state);
  if (item.kind !== 'Range') return item;
  const editBound = (key: 'lower' | 'upper') => {
    const bound = item[key];
    if (!bound) return;
    const fitBound = (replacement: Node) => {
      if (replacement.kind !== 'Bound') throw misfit(replacement, bound);
      return withBefore(replacement, blanksBefore(bound));
    };
    return edit<Bound>(bound, below(position, item, key), state, unchanged, fitBound) ?? openBound(bound);
  };
  const lower = editBound('lower');
  const upper = editBound('upper');
  if (lower === item.lower && upper === item.upper) return item;
  // A bound in quotes needs no blank behind it, another does.
  const separator = item.separator && tokenWithBlank(item.separator);
  return { ...item, lower, separator, upper };
}

function openBound(bound: Bound): Bound {
  return { ...bound, term: { ...bound.term, kind: 'RangeBound', text: '*' } };
}

function unchanged<N extends Node>(node: N): N {
  return node;
}

function fitPart(replacement: Node, original: Part): Part {
  if (replacement.kind !== 'Clause' && replacement.kind !== 'Stray') throw misfit(replacement, original);
  const conjunction = original.kind === 'Clause' ? original.conjunction : undefined;
  const joins = replacement.kind === 'Clause' && !replacement.conjunction && conjunction;
  const part = joins ? separated({ ...replacement, conjunction }) : replacement;
  return withBefore(part, blanksBefore(original));
}

function fitItem(replacement: Node, original: Item): Item {
  const item = replacement.kind === 'Query' ? group(replacement) : replacement;
  switch (item.kind) {
    case 'Clause':
    case 'Stray':
    case 'FieldName':
    case 'Bound':
      throw misfit(item, original);
    default:
      return withBefore(item, blanksBefore(original));
  }
}

function misfit(replacement: Node, original: Node): TypeError {
  return new TypeError(`A ${replacement.kind} cannot stand in place of a ${original.kind}`);
}

function blanksBefore(node: Node): string {
  return tokensOf(node)[0]?.before ?? '';
}

function withBlank<N extends Node>(node: N): N {
  return blanksBefore(node) === '' ? withBefore(node, ' ') : node;
}

function tokenWithBlank(token: Token): Token {
  return token.before === '' ? { ...token, before: ' ' } : token;
}

/** The node with this white space before its first token. */
function withBefore<N extends Node>(node: N, before: string): N {
  const [first] = tokensOf(node);
  return mapTokens(node, (token) =>
    token === first && token.before !== before ? { ...token, before } : token,
  );
}

/** The tree with all offsets as they are in its text. */
function relocate(query: Query): Query {
  let end = 0;
  let previous: Token | undefined;
  return mapTokens(query, (token) => {
    // A lone sign is a word because a blank follows it.
    const before = previous?.kind === 'Bare' && token.before === '' ? ' ' : token.before;
    const from = end + before.length;
    end = from + token.text.length;
    previous = token;
    const isSame = token.before === before && token.from === from && token.to === end;
    return isSame ? token : { ...token, before, from, to: end };
  });
}

/** The node with other tokens, and the spans of nodes that follow from them. What stays equal is the same object. */
function mapTokens<N extends Node>(root: N, toToken: (token: Token) => Token): N {
  let end = root.from;
  const token = <T extends Token | undefined>(original: T): T | Token => {
    if (!original) return original;
    const mapped = toToken(original);
    end = mapped.to;
    return mapped;
  };
  const list = <T>(originals: readonly T[], map: (original: T) => T): readonly T[] => {
    const mapped = originals.map(map);
    return mapped.every((item, index) => item === originals[index]) ? originals : mapped;
  };
  const nodeOf = <M extends Node>(node: M): M => {
    // The table has the function of each kind under that kind, which the compiler cannot infer from the index.
    const mapped = (mapOf[node.kind] as (node: Node) => Node)(node) as M;
    const [first] = tokensOf(mapped);
    const from = mapped.kind === 'Query' ? 0 : (first?.from ?? end);
    const isSame =
      node.from === from &&
      node.to === end &&
      Object.entries(mapped).every(([key, value]) => value === Reflect.get(node, key));
    return isSame ? node : { ...mapped, from, to: end };
  };
  const term = <M extends NodeOf<'Word' | 'Wildcard' | 'Regexp' | 'Phrase'>>(node: M): M => ({
    ...node,
    term: token(node.term),
    suffixes: list(node.suffixes, token),
  });
  const mapOf: { readonly [K in Kind]: (node: NodeOf<K>) => NodeOf<K> } = {
    Query: (node) => ({ ...node, parts: list(node.parts, nodeOf), end: token(node.end) }),
    Clause: (node) => ({
      ...node,
      conjunction: token(node.conjunction),
      modifier: token(node.modifier),
      field: node.field && nodeOf(node.field),
      item: nodeOf(node.item),
    }),
    Stray: (node) => ({ ...node, token: token(node.token) }),
    FieldName: (node) => ({ ...node, name: token(node.name), colon: token(node.colon) }),
    Word: term,
    Wildcard: term,
    Regexp: term,
    Phrase: term,
    Range: (node) => ({
      ...node,
      open: token(node.open),
      lower: node.lower && nodeOf(node.lower),
      separator: token(node.separator),
      upper: node.upper && nodeOf(node.upper),
      strays: list(node.strays, token),
      close: token(node.close),
      boost: token(node.boost),
    }),
    Bound: (node) => ({ ...node, term: token(node.term) }),
    Group: (node) => ({
      ...node,
      open: token(node.open),
      parts: list(node.parts, nodeOf),
      close: token(node.close),
      boost: token(node.boost),
    }),
    Missing: (node) => node,
  };
  return nodeOf(root);
}
