import { type Automaton, isDeterministic, type Move } from './automaton.ts';
import { type ClassAutomaton, toClassAutomaton } from './class-automaton.ts';
import { costOfMove, type Effort, maxStates, spendEffort, TooComplex, tooManyStates } from './effort.ts';

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
  for (let place = 0; place < ranks.length; place += 1) {
    if (ranks[place] === 1) ranks[place] = borders.push(place) - 1;
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
    const wanted = sizes[row] ?? 0;
    let size = 0;
    for (let at = row * width; size < wanted; at += 1) {
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
