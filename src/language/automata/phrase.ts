import type { EngineRefusal } from './automaton.ts';
import { parseFloat32 } from './fuzzy.ts';

/** The engine stores a slop in 32 bits. */
const maxSlop = 2 ** 31 - 1;

/**
 * Returns the number of moves that a `~` after a phrase allows. `written` is the text after it: a
 * fraction is cut off, and an empty text is 0. A slop that `checkSlop` refuses is 0.
 */
export function phraseSlop(text: string): number {
  return Math.max(0, readSlop(text));
}

/** Returns why the engine refuses the text after the `~` of a phrase, or undefined if it accepts it. */
export function checkSlop(text: string): EngineRefusal | undefined {
  return readSlop(text) < 0
    ? { message: `The slop must be a number of at least 0, got "${text}"` }
    : undefined;
}

function readSlop(text: string): number {
  const slop = Math.trunc(parseFloat32(text) ?? 0);
  return Number.isNaN(slop) ? 0 : Math.min(slop, maxSlop);
}

/** A term of the phrase at one of its occurrences in the text. */
interface Placed {
  /** The position of the term in the phrase. */
  readonly offset: number;
  /** The positions of the term in the text, ascending. */
  readonly positions: readonly number[];
  /** The number of positions tried so far. */
  seen: number;
  /** The start of the phrase that this occurrence implies. */
  start: number;
  /** All equal terms of the phrase. */
  readonly group: Group;
  /** The index of the term in its group. */
  readonly rank: number;
}

/** Equal terms of a phrase. */
interface Group {
  size: number;
  /** The term at each position of the text; of two that collide the earlier one. */
  readonly at: Map<number, Placed>;
}

/** The state of one search for a phrase. */
interface Search {
  /** All terms but the one that moves, the least start first. */
  readonly queue: Heap<Placed>;
  /** The greatest start so far. */
  end: number;
}

/**
 * Returns whether tokens contain the terms of a phrase with up to `slop` moves: the starts that
 * the terms imply differ by at most that. Two terms that swap places take two moves (section 6 of
 * the language specification).
 *
 * A term that the phrase has twice must occur twice. The assignment of occurrences to equal terms
 * is not searched in full. As in the engine, the term that collides with another moves on, which
 * may miss a match.
 */
export function matchesSloppily(terms: readonly string[], slop: number, tokens: readonly string[]): boolean {
  return !sloppyMatches(terms, slop, tokens).next().done;
}

/** Yields the moves that each match takes, in the order in which the engine finds the matches. */
export function* sloppyMatches(
  terms: readonly string[],
  slop: number,
  tokens: readonly string[],
): Generator<number, void, undefined> {
  const placed = placeAll(terms, tokens);
  if (!placed) return;
  const end = placed.reduce((max, { start }) => Math.max(max, start), Number.NEGATIVE_INFINITY);
  const search: Search = { queue: [], end };
  for (const occurrence of placed) pushHeap(search.queue, occurrence, isLess);
  for (;;) {
    const moved = popHeap(search.queue, isLess);
    if (!moved) return;
    const { length, exhausted } = shortest(moved, search);
    if (length <= slop) yield length;
    if (exhausted) return;
    pushHeap(search.queue, moved, isLess);
  }
}

/** Moves a term until another one comes first, and measures the shortest match on the way. */
function shortest(moved: Placed, search: Search): { length: number; exhausted: boolean } {
  const next = search.queue[0]?.start ?? Number.POSITIVE_INFINITY;
  let length = search.end - moved.start;
  while (advance(moved, search) && separate(moved, search)) {
    if (next < moved.start) return { length, exhausted: false };
    length = Math.min(length, search.end - moved.start);
  }
  return { length, exhausted: true };
}

/** Puts each term at its first occurrence, and an equal term at the next one. */
function placeAll(terms: readonly string[], tokens: readonly string[]): Placed[] | undefined {
  const groups = new Map<string, Group>();
  const placesOf = new Map<string, number[]>(terms.map((term) => [term, []]));
  for (const [position, token] of tokens.entries()) placesOf.get(token)?.push(position);
  const placed = terms.map((term, offset): Placed => {
    const group = groups.get(term) ?? { size: 0, at: new Map() };
    groups.set(term, group);
    const rank = group.size;
    group.size += 1;
    return { offset, positions: placesOf.get(term) ?? [], seen: rank, start: 0, group, rank };
  });
  if (!placed.every(step)) return undefined;
  for (const occurrence of placed) occupy(occurrence);
  return placed;
}

/** Moves a term to its next occurrence; returns false if there is none. */
function step(placed: Placed): boolean {
  const position = placed.positions[placed.seen];
  if (position === undefined) return false;
  placed.seen += 1;
  placed.start = position - placed.offset;
  return true;
}

function advance(placed: Placed, search: Search): boolean {
  const { at } = placed.group;
  const left = placeOf(placed);
  if (at.get(left) === placed) at.delete(left);
  if (!step(placed)) return false;
  search.end = Math.max(search.end, placed.start);
  return true;
}

/**
 * Resolves collisions of equal terms by moving the first of them. Returns false when one has no
 * further occurrence.
 */
function separate(moved: Placed, search: Search): boolean {
  const disturbed = new Set<number>();
  let current = moved;
  for (let other = occupy(current); other; other = occupy(current)) {
    if (other !== moved) disturbed.add(other.rank);
    if (isLess(other, current)) {
      other.group.at.set(placeOf(other), current);
      current = other;
    }
    if (!advance(current, search)) return false;
  }
  requeue(disturbed, search.queue);
  return true;
}

/** The position of a term in the text. */
function placeOf({ start, offset }: Placed): number {
  return start + offset;
}

/** Records the position of a term, or returns the equal term that has it already. */
function occupy(placed: Placed): Placed | undefined {
  // Without an equal term there are no collisions.
  if (placed.group.size < 2) return undefined;
  const other = placed.group.at.get(placeOf(placed));
  if (other) return other;
  placed.group.at.set(placeOf(placed), placed);
  return undefined;
}

/**
 * Restores the queue after terms inside it have moved: removes and reinserts them. Like the
 * engine, it identifies terms by their rank. Where a term of another group has the same rank and
 * comes first, the queue stays slightly out of order.
 */
function requeue(disturbed: Set<number>, queue: Heap<Placed>): void {
  const taken: Placed[] = [];
  while (0 < disturbed.size) {
    const first = popHeap(queue, isLess);
    if (!first) break;
    taken.push(first);
    if (1 < first.group.size) disturbed.delete(first.rank);
  }
  for (const occurrence of taken.reverse()) pushHeap(queue, occurrence, isLess);
}

function isLess(a: Placed, b: Placed): boolean {
  return a.start === b.start ? a.offset < b.offset : a.start < b.start;
}

/**
 * A binary heap: an array whose first item is the least. The engine changes items inside its heap,
 * so its results depend on how the heap moves items. These functions move them in the same way.
 */
export type Heap<T> = T[];

type IsLess<T> = (a: T, b: T) => boolean;

/** Adds an item. */
export function pushHeap<T>(heap: Heap<T>, item: T, isLess: IsLess<T>): void {
  let at = heap.push(item) - 1;
  while (0 < at) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isLess(item, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = item;
}

/** Removes and returns the first item, or undefined if the heap is empty. */
export function popHeap<T>(heap: Heap<T>, isLess: IsLess<T>): T | undefined {
  const first = heap[0];
  const moved = heap.pop();
  if (moved === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const below = lesserChild(heap, at, isLess);
    const child = heap[below];
    if (child === undefined || !isLess(child, moved)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = moved;
  return first;
}

function lesserChild<T>(heap: Heap<T>, at: number, isLess: IsLess<T>): number {
  const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
  return left !== undefined && right !== undefined && isLess(right, left) ? 2 * at + 2 : 2 * at + 1;
}

/** The length from which a sequence is preprocessed; comparing a shorter one at each position is faster. */
const prepared = 8;

/** Returns whether tokens contain the terms side by side. Time is linear in the sum of both lengths. */
export function hasSequence(terms: readonly string[], tokens: readonly string[]): boolean {
  if (terms.length < prepared) {
    return tokens.some((_, start) => terms.every((term, offset) => tokens[start + offset] === term));
  }
  if (tokens.length < terms.length) return false;
  const borders = bordersOf(terms);
  let matched = 0;
  for (const token of tokens) {
    while (0 < matched && terms[matched] !== token) matched = borders[matched - 1] ?? 0;
    if (terms[matched] === token) matched += 1;
    if (matched === terms.length) return true;
  }
  return false;
}

const known = new WeakMap<readonly string[], Int32Array>();

/**
 * The border length of each prefix: its longest proper prefix that is also a suffix (Knuth, Morris
 * and Pratt, 1977).
 */
function bordersOf(terms: readonly string[]): Int32Array {
  const found = known.get(terms);
  if (found) return found;
  const borders = new Int32Array(terms.length);
  let length = 0;
  for (let at = 1; at < terms.length; at += 1) {
    while (0 < length && terms[at] !== terms[length]) length = borders[length - 1] ?? 0;
    if (terms[at] === terms[length]) length += 1;
    borders[at] = length;
  }
  known.set(terms, borders);
  return borders;
}
