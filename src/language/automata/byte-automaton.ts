import { type Automaton, addState, type Draft, toAutomaton } from './automaton.ts';
import { costOfMove, type Effort, spendEffort } from './effort.ts';

/** A place for bytes between two states of an automaton. */
interface Edge {
  readonly draft: Draft;
  readonly from: number;
  readonly to: number;
}

/** The first and the last leading byte of sequences of two and of three bytes. */
const firstBytes = [
  [0xc2, 0xdf],
  [0xe0, 0xef],
] as const;

/**
 * Converts an automaton over code points to one over UTF-8 bytes. A range becomes as many states
 * as in the engine, which is not the minimum.
 */
export function toByteAutomaton({ accepts, moves }: Automaton, effort: Effort): Automaton {
  const draft: Draft = { accepts: [...accepts], moves: accepts.map(() => []) };
  for (const [from, own] of moves.entries()) {
    for (const { min, max, to } of own) {
      spendEffort(effort, costOfMove * movesOf(min, max));
      addRange({ draft, from, to }, bytesOf(min), bytesOf(max));
    }
  }
  return toAutomaton(draft);
}

/** The approximate number of moves of a range. */
function movesOf(min: number, max: number): number {
  return min === max ? bytesOf(min).length : 2 * bytesOf(max).length;
}

function bytesOf(codePoint: number): number[] {
  const tail = (bits: number): number => 0x80 | ((codePoint >> bits) & 0x3f);
  if (codePoint < 0x80) return [codePoint];
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), tail(0)];
  if (codePoint < 0x10000) return [0xe0 | (codePoint >> 12), tail(6), tail(0)];
  return [0xf0 | (codePoint >> 18), tail(12), tail(6), tail(0)];
}

function addRange(edge: Edge, low: readonly number[], high: readonly number[]): void {
  const [first = 0, ...lowRest] = low;
  const [last = 0, ...highRest] = high;
  if (low.length < high.length) {
    addFrom(edge, low, true);
    for (const [min, max] of firstBytes.slice(low.length - 1, high.length - 2)) {
      addAll(edge, [min, max], min < 0xe0 ? 1 : 2);
    }
    addUpTo(edge, high, true);
  } else if (low.length === 1) {
    addMove(edge, [first, last]);
  } else if (first === last) {
    addRange(afterByte(edge, [first, first]), lowRest, highRest);
  } else {
    addFrom(edge, low, false);
    addAll(edge, [first + 1, last - 1], lowRest.length);
    addUpTo(edge, high, false);
  }
}

/** Adds the sequences from `low` on: all of the same length, or only those with the same first byte. */
function addFrom(edge: Edge, [first = 0, ...rest]: readonly number[], all: boolean): void {
  if (rest.length === 0) {
    addMove(edge, [first, greatestLike(first)]);
    return;
  }
  addFrom(afterByte(edge, [first, first]), rest, true);
  if (all) addAll(edge, [first + 1, greatestLike(first)], rest.length);
}

/** Adds the sequences up to `high`: all of the same length, or only those with the same first byte. */
function addUpTo(edge: Edge, [first = 0, ...rest]: readonly number[], all: boolean): void {
  if (rest.length === 0) {
    addMove(edge, [leastLike(first), first]);
    return;
  }
  if (all) addAll(edge, [leastLike(first), first - 1], rest.length);
  addUpTo(afterByte(edge, [first, first]), rest, true);
}

/** Adds any of these first bytes, followed by `others` continuation bytes. */
function addAll(edge: Edge, first: readonly [min: number, max: number], others: number): void {
  if (first[1] < first[0]) return;
  let rest = afterByte(edge, first);
  for (let left = others; 1 < left; left -= 1) rest = afterByte(rest, [0x80, 0xbf]);
  addMove(rest, [0x80, 0xbf]);
}

function greatestLike(byte: number): number {
  if (byte < 0x80) return 0x7f;
  if (byte < 0xc0) return 0xbf;
  return byte < 0xe0 ? 0xdf : 0xef;
}

function leastLike(byte: number): number {
  if (byte < 0x80) return 0;
  if (byte < 0xc0) return 0x80;
  if (byte < 0xe0) return 0xc2;
  return byte < 0xf0 ? 0xe0 : 0xf0;
}

function addMove({ draft, from, to }: Edge, [min, max]: readonly [min: number, max: number]): void {
  draft.moves[from]?.push({ min, max, to });
}

/** The rest of an edge after a byte of this range. */
function afterByte({ draft, from, to }: Edge, [min, max]: readonly [min: number, max: number]): Edge {
  const state = addState(draft, false);
  addMove({ draft, from, to: state }, [min, max]);
  return { draft, from: state, to };
}
