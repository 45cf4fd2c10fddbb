import {
  type Automaton,
  addEmptyMove,
  addState,
  type Draft,
  emptyAutomaton,
  staysAtStart,
  toAutomaton,
  universalAutomaton,
  withoutDeadStates,
} from './automaton.ts';
import { determinize } from './determinize.ts';
import { costOfMove, type Effort, spendEffort, TooComplex } from './effort.ts';
import type { EngineRefusal } from './refusal.ts';

/** A deterministic automaton, or the reason why the engine runs none. */
export type CompiledPattern = { readonly automaton: Automaton } | { readonly refusal: EngineRefusal };

/** The refusal of a pattern that the engine finds too long. */
export const patternTooLong =
  'The pattern is too long: the engine follows at most 1,000 characters of a pattern';

/** The depth to which the engine follows a deterministic automaton in search of a cycle. */
const maxDepth = 1000;

/** Builds the automaton of a pattern; returns a refusal where the engine gives up or the effort is spent. */
export function compileAutomaton(build: () => Automaton, effort: Effort): CompiledPattern {
  try {
    return toRunnable(build(), effort);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { refusal: { message: error.message } };
  }
}

/**
 * Makes an automaton deterministic, and repeats every other step of the engine that can fail. It measures
 * the depth, converts to bytes, and determinizes those, of a cyclic automaton also from the end.
 */
function toRunnable(automaton: Automaton, effort: Effort): CompiledPattern {
  if (withoutDeadStates(automaton).accepts.length === 0) return { automaton: emptyAutomaton };
  if (automaton.accepts[0] && staysAtStart(automaton)) return { automaton: universalAutomaton };
  const ready = determinize(automaton, effort);
  if (acceptsOneText(ready)) return { automaton: ready };
  const shape = shapeOf(ready);
  if (shape === 'deep') return { refusal: { message: patternTooLong } };
  const bytes = toByteAutomaton(ready, effort);
  if (shape === 'cyclic') determinize(reversed(bytes), effort);
  determinize(bytes, effort);
  return { automaton: ready };
}

function acceptsOneText({ accepts, moves }: Automaton): boolean {
  const seen = new Set<number>();
  for (let state = 0; !seen.has(state); ) {
    const [only, second] = moves[state] ?? [];
    if (accepts[state]) return only === undefined;
    if (!only || second || only.min !== only.max) return false;
    seen.add(state);
    state = only.to;
  }
  return false;
}

/** Searches for a cycle depth-first, with the moves in order; `deep` if the depth limit comes first. */
function shapeOf({ moves }: Automaton): 'finite' | 'cyclic' | 'deep' {
  const done = new Set<number>();
  const path = [{ state: 0, next: 0 }];
  const onPath = new Set([0]);
  for (let step = path.at(-1); step; step = path.at(-1)) {
    const move = moves[step.state]?.[step.next];
    step.next += 1;
    if (!move) {
      done.add(step.state);
      onPath.delete(step.state);
      path.pop();
    } else if (onPath.has(move.to)) {
      return 'cyclic';
    } else if (!done.has(move.to)) {
      if (maxDepth < path.length) return 'deep';
      onPath.add(move.to);
      path.push({ state: move.to, next: 0 });
    }
  }
  return 'finite';
}

/** Accepts the same texts read backwards. */
function reversed({ accepts, moves }: Automaton): Automaton {
  const draft: Draft = { accepts: [false, ...accepts.map((_, state) => state === 0)], moves: [[]] };
  for (const _ of accepts) draft.moves.push([]);
  for (const [from, own] of moves.entries()) {
    for (const { min, max, to } of own) draft.moves[to + 1]?.push({ min, max, to: from + 1 });
  }
  for (const [state, accept] of accepts.entries()) if (accept) addEmptyMove(draft, 0, state + 1);
  return toAutomaton(draft);
}

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
