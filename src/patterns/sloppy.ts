import { type Heap, popHeap, pushHeap } from './heap.ts';
import { parseFloat32 } from './java-float.ts';
import type { Refusal } from './refusal.ts';

/** The engine keeps a slop in 32 bits. */
const maxSlop = 2 ** 31 - 1;

/**
 * How many moves a `~` behind a phrase allows. `written` is what stands after
 * it; a fraction is cut off, and without a number there are no moves. One that
 * `checkSlop` refuses allows none.
 */
export function phraseSlop(written: string): number {
  return Math.max(0, readSlop(written));
}

/** Why the engine refuses what stands after the `~` of a phrase. */
export function checkSlop(written: string): Refusal | undefined {
  return readSlop(written) < 0 ? { message: `The slop "${written}" requires a number from 0 on` } : undefined;
}

function readSlop(written: string): number {
  const slop = Math.trunc(parseFloat32(written) ?? 0);
  return Number.isNaN(slop) ? 0 : Math.min(slop, maxSlop);
}

/** A term of the phrase at one of the places where the text has it. */
interface Placed {
  /** Its place in the phrase. */
  readonly offset: number;
  /** Its places in the text, in order. */
  readonly places: readonly number[];
  /** How many of them have been looked at. */
  seen: number;
  /** Where the phrase would have to begin for the term to be in its place. */
  start: number;
  /** All terms of the phrase that are the same as this one. */
  readonly group: Group;
  /** Its place in the group. */
  readonly rank: number;
}

/** The terms of a phrase that are the same. */
interface Group {
  size: number;
  /** Which of them is at a place of the text; of two that collide the one that was there first. */
  readonly at: Map<number, Placed>;
}

/** The terms of a phrase as they are placed at one moment. */
interface Search {
  /** All but the one that is being moved, the one with the least start first. */
  readonly queue: Heap<Placed>;
  /** The greatest start so far. */
  end: number;
}

/**
 * Whether tokens hold the terms of a phrase with up to `slop` moves: the
 * starts that the terms ask for lie no further apart. Two terms that swap
 * places take two moves (section 6 of the language specification).
 *
 * A term that the phrase has twice must be there twice. Which of its places
 * each of the two takes is not tried out in full: as in the engine, the one
 * that collides with another moves on, and a match may be missed that way.
 */
export function matchesSloppily(terms: readonly string[], slop: number, tokens: readonly string[]): boolean {
  return !sloppyMatches(terms, slop, tokens).next().done;
}

/** By how many moves the terms are apart wherever tokens hold them, one match after the other as the engine finds them. */
export function* sloppyMatches(
  terms: readonly string[],
  slop: number,
  tokens: readonly string[],
): Generator<number, void, undefined> {
  const placed = placeAll(terms, tokens);
  if (!placed) return;
  const end = placed.reduce((most, { start }) => Math.max(most, start), Number.NEGATIVE_INFINITY);
  const search: Search = { queue: [], end };
  for (const each of placed) pushHeap(search.queue, each, isLess);
  for (;;) {
    const moved = popHeap(search.queue, isLess);
    if (!moved) return;
    const { length, exhausted } = shortest(moved, search);
    if (length <= slop) yield length;
    if (exhausted) return;
    pushHeap(search.queue, moved, isLess);
  }
}

/** Moves a term on until another one comes first, and measures the shortest stretch on the way. */
function shortest(moved: Placed, search: Search): { length: number; exhausted: boolean } {
  const next = search.queue[0]?.start ?? Number.POSITIVE_INFINITY;
  let length = search.end - moved.start;
  while (advance(moved, search) && separate(moved, search)) {
    if (next < moved.start) return { length, exhausted: false };
    length = Math.min(length, search.end - moved.start);
  }
  return { length, exhausted: true };
}

/** Places each term where the text has it first, and the same term again where the text has it next. */
function placeAll(terms: readonly string[], tokens: readonly string[]): Placed[] | undefined {
  const groups = new Map<string, Group>();
  const placesOf = new Map<string, number[]>(terms.map((term) => [term, []]));
  for (const [place, token] of tokens.entries()) placesOf.get(token)?.push(place);
  const placed = terms.map((term, offset): Placed => {
    const group = groups.get(term) ?? { size: 0, at: new Map() };
    groups.set(term, group);
    const rank = group.size;
    group.size += 1;
    return { offset, places: placesOf.get(term) ?? [], seen: rank, start: 0, group, rank };
  });
  if (!placed.every(step)) return undefined;
  for (const each of placed) occupy(each);
  return placed;
}

/** Moves a term to its next place in the text, if there is one. */
function step(placed: Placed): boolean {
  const place = placed.places[placed.seen];
  if (place === undefined) return false;
  placed.seen += 1;
  placed.start = place - placed.offset;
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
 * Sees to it that no two terms are at one place of the text, by moving on the
 * one of them that comes first. False when there is nowhere to go.
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

/** Where a term is in the text. */
function placeOf({ start, offset }: Placed): number {
  return start + offset;
}

/** Notes where a term is, or gives back the same term of the phrase that is there already. */
function occupy(placed: Placed): Placed | undefined {
  // Without another term that is the same there are no collisions.
  if (placed.group.size < 2) return undefined;
  const other = placed.group.at.get(placeOf(placed));
  if (other) return other;
  placed.group.at.set(placeOf(placed), placed);
  return undefined;
}

/**
 * Takes terms out of the queue until those that were moved inside it should be
 * out, and puts them back in. Like the engine, it knows them by their rank
 * only; where another term that is repeated has the same rank and comes first,
 * the queue is left a little out of order.
 */
function requeue(disturbed: Set<number>, queue: Heap<Placed>): void {
  const taken: Placed[] = [];
  while (0 < disturbed.size) {
    const first = popHeap(queue, isLess);
    if (!first) break;
    taken.push(first);
    if (1 < first.group.size) disturbed.delete(first.rank);
  }
  for (const each of taken.reverse()) pushHeap(queue, each, isLess);
}

function isLess(a: Placed, b: Placed): boolean {
  return a.start === b.start ? a.offset < b.offset : a.start < b.start;
}
