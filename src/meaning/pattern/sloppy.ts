import { type Heap, pop, push } from './heap.ts';
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
  /** All terms of the phrase that are the same, or none where there is no other. */
  group: readonly Placed[];
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
  const placed = placeAll(terms, tokens);
  if (!placed) return false;
  const search: Search = { queue: [], end: Math.max(...placed.map(({ start }) => start)) };
  for (const each of placed) push(search.queue, each, isLess);
  for (;;) {
    const moved = pop(search.queue, isLess);
    if (!moved) return false;
    const { length, exhausted } = shortest(moved, search);
    if (length <= slop) return true;
    if (exhausted) return false;
    push(search.queue, moved, isLess);
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
  const placed = terms.map((term, offset): Placed => {
    const places = tokens.flatMap((token, place) => (token === term ? [place] : []));
    return { offset, places, seen: 0, start: 0, group: [] };
  });
  for (const [offset, each] of placed.entries()) {
    const group = placed.filter((_, other) => terms[other] === terms[offset]);
    each.group = 1 < group.length ? group : [];
    for (let rank = group.indexOf(each); 0 <= rank; rank -= 1) if (!step(each)) return undefined;
  }
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
  if (!step(placed)) return false;
  search.end = Math.max(search.end, placed.start);
  return true;
}

/**
 * Sees to it that no two terms are at one place of the text, by moving on the
 * one of them that comes first. False when there is nowhere to go.
 */
function separate(moved: Placed, search: Search): boolean {
  const disturbed = new Set<Placed>();
  let current = moved;
  for (let other = collision(current); other; other = collision(current)) {
    if (other !== moved) disturbed.add(other);
    current = isLess(current, other) ? current : other;
    if (!advance(current, search)) return false;
  }
  requeue(disturbed, search.queue);
  return true;
}

function collision({ offset, start, group }: Placed): Placed | undefined {
  return group.find((other) => other.offset !== offset && other.start + other.offset === start + offset);
}

/** Takes terms out of the queue until all that were moved inside it are out, and puts them back in. */
function requeue(disturbed: Set<Placed>, queue: Heap<Placed>): void {
  const taken: Placed[] = [];
  while (0 < disturbed.size) {
    const first = pop(queue, isLess);
    if (!first) break;
    taken.push(first);
    disturbed.delete(first);
  }
  for (const each of taken.reverse()) push(queue, each, isLess);
}

function isLess(a: Placed, b: Placed): boolean {
  return a.start === b.start ? a.offset < b.offset : a.start < b.start;
}
