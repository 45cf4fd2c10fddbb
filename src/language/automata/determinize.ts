import {
  type Automaton,
  addCopy,
  addEmptyMove,
  addState,
  type ClassAutomaton,
  costOfMove,
  type Draft,
  type Effort,
  type EngineRefusal,
  emptyAutomaton,
  isDeterministic,
  type Move,
  maxCodePoint,
  maxStates,
  shiftMoves,
  spendEffort,
  staysAtStart,
  TooComplex,
  toAutomaton,
  toClassAutomaton,
  tooManyStates,
  universalAutomaton,
  withoutDeadStates,
} from './automaton.ts';

/**
 * Returns an equivalent automaton with at most one move per number; a deterministic one is
 * returned as it is. Each new state stands for a set of old ones. Throws `TooComplex` above
 * `maxStates`.
 */
export function determinize(automaton: Automaton, effort: Effort): Automaton {
  if (automaton.accepts.length < 2 || isDeterministic(automaton)) return automaton;
  const classes = toClassAutomaton(automaton);
  const follow = followMoves(classes, effort);
  const { sets, numberOf } = setNumbering();
  numberOf({ numbers: Int32Array.of(0), size: 1 });
  const moves: Move[][] = [];
  for (const states of sets) {
    const own: Move[] = [];
    follow(states, (from, past, targets) => {
      const to = numberOf(targets);
      const [min, max] = [classes.leasts[from] ?? 0, (classes.leasts[past] ?? 0) - 1];
      const last = own.at(-1);
      if (last?.to === to && last.max + 1 === min) own[own.length - 1] = { min: last.min, max, to };
      else own.push({ min, max, to });
    });
    if (maxStates < sets.length) throw new TooComplex(tooManyStates);
    moves.push(own);
  }
  return { accepts: sets.map((states) => states.some((state) => automaton.accepts[state])), moves };
}

/** Receives the targets of the classes from `from` to `past`, exclusive; there is at least one target. */
type Branch = (from: number, past: number, targets: NumberSet) => void;

/**
 * Returns a function that finds the successors of a set of states. They change only at the borders
 * of its moves.
 */
function followMoves(
  { leasts, spans }: ClassAutomaton,
  effort: Effort,
): (states: Int32Array, branch: Branch) => void {
  const ranks = new Int32Array(leasts.length);
  const wordsInRow = spans.length >> 5;
  spendEffort(effort, leasts.length * wordsInRow);
  const rows = bitRows(leasts.length, spans.length);
  return (states, branch) => {
    const borders = rankBorders(states, spans, ranks);
    spendEffort(effort, leasts.length + borders.length * (costOfMove + wordsInRow));
    for (const state of states) {
      const own = spans[state] ?? noSpans;
      for (let at = 0; at < own.length; at += 3) {
        const [first, past] = [ranks[own[at] ?? 0] ?? 0, ranks[own[at + 1] ?? 0] ?? 0];
        for (let rank = first; rank < past; rank += 1) rows.add(rank, own[at + 2] ?? 0);
        spendEffort(effort, 1 + past - first);
      }
    }
    for (let rank = 0; rank + 1 < borders.length; rank += 1) {
      const targets = rows.take(rank);
      if (0 < targets.size) branch(borders[rank] ?? 0, borders[rank + 1] ?? 0, targets);
    }
  };
}

const noSpans = new Int32Array();

/** The classes at which moves of the states begin or end, in order; sets `ranks` to the index of each. */
function rankBorders(states: Int32Array, spans: readonly Int32Array[], ranks: Int32Array): number[] {
  ranks.fill(0);
  for (const state of states) {
    const own = spans[state] ?? noSpans;
    for (let at = 0; at < own.length; at += 3) {
      ranks[own[at] ?? 0] = 1;
      ranks[own[at + 1] ?? 0] = 1;
    }
  }
  const borders: number[] = [];
  for (let position = 0; position < ranks.length; position += 1) {
    if (ranks[position] === 1) ranks[position] = borders.push(position) - 1;
  }
  return borders;
}

/** A set of numbers in ascending order: the first `size` of the list, which may be overwritten later. */
interface NumberSet {
  readonly numbers: Int32Array;
  size: number;
}

/** Sets of numbers below a bound, one per row, as bits. */
interface BitRows {
  readonly add: (row: number, number: number) => void;
  /** Returns the numbers of a row and empties it. The result is valid until the next call. */
  readonly take: (row: number) => NumberSet;
}

/** Empty rows for numbers below `bound`. */
export function bitRows(rows: number, bound: number): BitRows {
  const width = (bound + 31) >> 5;
  const words = new Int32Array(rows * width);
  const sizes = new Int32Array(rows);
  const taken: NumberSet = { numbers: new Int32Array(bound), size: 0 };

  function add(row: number, number: number): void {
    const at = row * width + (number >> 5);
    const bit = 1 << (number & 31);
    const word = words[at] ?? 0;
    if ((word & bit) !== 0) return;
    words[at] = word | bit;
    sizes[row] = (sizes[row] ?? 0) + 1;
  }

  function take(row: number): NumberSet {
    const rowSize = sizes[row] ?? 0;
    let size = 0;
    for (let at = row * width; size < rowSize; at += 1) {
      const first = (at - row * width) << 5;
      for (let word = words[at] ?? 0; word !== 0; word &= word - 1) {
        taken.numbers[size] = first + 31 - Math.clz32(word & -word);
        size += 1;
      }
      words[at] = 0;
    }
    sizes[row] = 0;
    taken.size = size;
    return taken;
  }

  return { add, take };
}

/** Distinct sets of numbers, numbered in the order of arrival. */
interface SetNumbering {
  /** The sets so far. A loop over them also sees sets that are added meanwhile. */
  readonly sets: readonly Int32Array[];
  readonly numberOf: (set: NumberSet) => number;
}

/** An empty numbering. */
export function setNumbering(): SetNumbering {
  const sets: Int32Array[] = [];
  const byHash = new Map<number, number[]>();

  function numberOf(set: NumberSet): number {
    const hash = hashOf(set);
    const candidates = byHash.get(hash);
    const known = candidates?.find((number) => isSame(sets[number], set));
    if (known !== undefined) return known;
    const number = sets.push(set.numbers.slice(0, set.size)) - 1;
    if (candidates) candidates.push(number);
    else byHash.set(hash, [number]);
    return number;
  }

  return { sets, numberOf };
}

function hashOf({ numbers, size }: NumberSet): number {
  let hash = size;
  for (let at = 0; at < size; at += 1)
    hash = Math.imul(hash ^ (numbers[at] ?? 0), 0x01000193) ^ (hash >>> 15);
  return hash;
}

function isSame(known: Int32Array | undefined, { numbers, size }: NumberSet): boolean {
  if (known?.length !== size) return false;
  for (let at = 0; at < size; at += 1) if (known[at] !== numbers[at]) return false;
  return true;
}

/**
 * Automata made of automata. Smaller ones could accept the same; these have as many states as the
 * engine's, since it counts them.
 */

/** The maximum number of copies of an automaton of one state; more only fill the memory. */
const enoughCopies = 1000;

/** Accepts the texts of any of the automata. */
export function uniteAutomata(automata: readonly Automaton[]): Automaton {
  const draft: Draft = { accepts: [false], moves: [[]] };
  for (const automaton of automata) {
    const start = addCopy(draft, automaton);
    if (0 < automaton.accepts.length) addEmptyMove(draft, 0, start);
  }
  return withoutDeadStates(toAutomaton(draft));
}

/** Accepts a text of each automaton, one after the other. */
export function concatenateAutomata(automata: readonly Automaton[], effort: Effort): Automaton {
  if (automata.some(({ accepts }) => accepts.length === 0)) return emptyAutomaton;
  const accepts: boolean[] = [];
  const moves: Move[][] = [];
  const starts = startsOf(automata);
  for (const [index, automaton] of automata.entries()) {
    const next = onwards(automata, index + 1, starts);
    for (const [state, own] of automaton.moves.entries()) {
      const ends = automaton.accepts[state] ?? false;
      const all = [...shiftMoves(own, starts[index] ?? 0), ...(ends ? next.moves : [])];
      spendEffort(effort, costOfMove * all.length);
      accepts.push(ends && next.accept);
      moves.push(all);
    }
  }
  return toAutomaton({ accepts, moves });
}

/** The offset of each automaton's first state in their concatenation. */
function startsOf(automata: readonly Automaton[]): number[] {
  let states = 0;
  return automata.map(({ accepts }) => {
    states += accepts.length;
    return states - accepts.length;
  });
}

/** The moves from the start of an automaton and, while they accept the empty text, of its successors. */
function onwards(
  automata: readonly Automaton[],
  index: number,
  starts: readonly number[],
): { moves: readonly Move[]; accept: boolean } {
  const moves: Move[] = [];
  for (let at = index; at < automata.length; at += 1) {
    for (const move of shiftMoves(automata[at]?.moves[0] ?? [], starts[at] ?? 0)) moves.push(move);
    if (!automata[at]?.accepts[0]) return { moves, accept: false };
  }
  return { moves, accept: true };
}

/** Accepts the empty text too. */
export function optionalAutomaton(automaton: Automaton): Automaton {
  const draft: Draft = { accepts: [true], moves: [[]] };
  const start = addCopy(draft, automaton);
  if (0 < automaton.accepts.length) addEmptyMove(draft, 0, start);
  return toAutomaton(draft);
}

/** Accepts any number of texts of the automaton. Accepts nothing if the automaton does, as in the engine. */
export function repeatAutomaton(automaton: Automaton): Automaton {
  if (automaton.accepts.length === 0) return emptyAutomaton;
  const draft: Draft = { accepts: [true], moves: [[]] };
  const start = addCopy(draft, automaton);
  addEmptyMove(draft, 0, start);
  for (const end of acceptsOf(automaton, start)) {
    for (const move of shiftMoves(automaton.moves[0] ?? [], start)) draft.moves[end]?.push(move);
  }
  return toAutomaton(draft);
}

/** Accepts at least `min` texts of the automaton. */
export function repeatFrom(automaton: Automaton, min: number, effort: Effort): Automaton {
  if (min === 0) return repeatAutomaton(automaton);
  return concatenateAutomata([...copies(automaton, min), repeatAutomaton(automaton)], effort);
}

/** Accepts from `min` to `max` texts of the automaton. */
export function repeatBetween(
  automaton: Automaton,
  { min, max }: { readonly min: number; readonly max: number },
  effort: Effort,
): Automaton {
  const all = copies(automaton, max);
  if (max < min) return emptyAutomaton;
  const required = requiredPart(all.slice(0, min), effort);
  const draft: Draft = { accepts: [...required.accepts], moves: required.moves.map((own) => [...own]) };
  let ends = acceptsOf(required, 0);
  for (const copy of all.slice(min)) {
    spendEffort(effort, costOfMove * (ends.length * (copy.moves[0]?.length ?? 0) + copy.accepts.length));
    const start = addCopy(draft, copy);
    for (const end of ends) addEmptyMove(draft, end, start);
    ends = acceptsOf(copy, start);
  }
  return toAutomaton(draft);
}

function requiredPart(automata: readonly Automaton[], effort: Effort): Automaton {
  const [first, second] = automata;
  if (!first) return { accepts: [true], moves: [[]] };
  return second ? concatenateAutomata(automata, effort) : first;
}

function acceptsOf({ accepts }: Automaton, offset: number): number[] {
  return accepts.flatMap((accept, state) => (accept ? [offset + state] : []));
}

/** Copies of an automaton. Throws `TooComplex` for too many states, like the engine. */
function copies(automaton: Automaton, count: number): Automaton[] {
  if (maxStates < (automaton.accepts.length - 1) * count) throw new TooComplex(tooManyStates);
  // An automaton of one state accepts any number of some code points; more copies accept the same.
  const needed = automaton.accepts.length < 2 ? Math.min(count, enoughCopies) : count;
  return Array.from({ length: needed }, () => automaton);
}

/** Accepts the texts that both automata accept. */
export function intersectAutomata(a: Automaton, b: Automaton, effort: Effort): Automaton {
  if (a.accepts.length === 0 || b.accepts.length === 0) return emptyAutomaton;
  const pairs: [number, number][] = [[0, 0]];
  const numbers = new Map([[0, 0]]);
  const numberOf = (left: number, right: number): number => {
    const key = left * b.accepts.length + right;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, pairs.length);
    return pairs.push([left, right]) - 1;
  };
  const draft: Draft = { accepts: [], moves: [] };
  for (const [left, right] of pairs) {
    const own: Move[] = [];
    const [leftMoves, rightMoves] = [a.moves[left] ?? [], b.moves[right] ?? []];
    spendEffort(effort, leftMoves.length * rightMoves.length);
    for (const one of leftMoves) {
      for (const other of rightMoves) {
        const [min, max] = [Math.max(one.min, other.min), Math.min(one.max, other.max)];
        if (min <= max) own.push({ min, max, to: numberOf(one.to, other.to) });
      }
    }
    spendEffort(effort, costOfMove * (1 + own.length));
    draft.moves[addState(draft, (a.accepts[left] && b.accepts[right]) ?? false)] = own;
  }
  return withoutDeadStates(toAutomaton(draft));
}

/** Accepts the texts that the automaton does not accept. */
export function complementAutomaton(automaton: Automaton, effort: Effort): Automaton {
  const { accepts, moves } = determinize(automaton, effort);
  if (accepts.length === 0) return universalAutomaton;
  const sink = accepts.length;
  const total = moves.map((own) => [...own, ...gapsOf(own, sink)]);
  return withoutDeadStates(
    toAutomaton({
      accepts: [...accepts.map((accept) => !accept), true],
      moves: [...total, [{ min: 0, max: maxCodePoint, to: sink }]],
    }),
  );
}

/** Moves to a state for all code points without a move. */
function gapsOf(moves: readonly Move[], to: number): Move[] {
  const gaps: Move[] = [];
  let min = 0;
  for (const move of moves) {
    if (min < move.min) gaps.push({ min, max: move.min - 1, to });
    min = move.max + 1;
  }
  if (min <= maxCodePoint) gaps.push({ min, max: maxCodePoint, to });
  return gaps;
}

/** A deterministic automaton, or the reason why the engine runs none. */
export type CompiledPattern = { readonly automaton: Automaton } | { readonly refusal: EngineRefusal };

/** The refusal of a pattern that the engine finds too long. */
export const patternTooLong =
  'It is too long: the engine follows at most 1,000 characters of a pattern or a lower bound';

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
