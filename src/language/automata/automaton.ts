/**
 * Finite automata over numbers: code points, or bytes. They are built, joined and limited like
 * those of the engine, because that decides which patterns it refuses (section 6 of the language
 * specification).
 */

/** A move for any number from `min` to `max`, both included. */
export interface Move {
  readonly min: number;
  readonly max: number;
  readonly to: number;
}

/**
 * An automaton without empty moves. It starts in state 0; without states it accepts nothing. The
 * moves of a state are in order of `min`, `max` and `to`, and no two of them can be merged.
 */
export interface Automaton {
  readonly accepts: readonly boolean[];
  readonly moves: readonly (readonly Move[])[];
}

/** An automaton under construction, with unordered moves. */
export interface Draft {
  readonly accepts: boolean[];
  readonly moves: Move[][];
}

/** The greatest code point. */
export const maxCodePoint = 0x10ffff;

/** The automaton that accepts nothing. */
export const emptyAutomaton: Automaton = { accepts: [], moves: [] };

/** The automaton that accepts every text. */
export const universalAutomaton: Automaton = {
  accepts: [true],
  moves: [[{ min: 0, max: maxCodePoint, to: 0 }]],
};

/** The automaton that accepts one number of any of the ranges, which are in order and do not touch. */
export function rangesAutomaton(ranges: readonly (readonly [min: number, max: number])[]): Automaton {
  if (ranges.length === 0) return emptyAutomaton;
  return { accepts: [false, true], moves: [ranges.map(([min, max]) => ({ min, max, to: 1 })), []] };
}

/** Adds a state and returns its number. */
export function addState(draft: Draft, accept: boolean): number {
  draft.moves.push([]);
  return draft.accepts.push(accept) - 1;
}

/** Adds the states and moves of an automaton; returns the new number of its state 0. */
export function addCopy(draft: Draft, automaton: Automaton): number {
  const offset = draft.accepts.length;
  for (const accept of automaton.accepts) draft.accepts.push(accept);
  for (const moves of automaton.moves) draft.moves.push(shiftMoves(moves, offset));
  return offset;
}

/** The same moves in an automaton whose states are numbered from `offset`. */
export function shiftMoves(moves: readonly Move[], offset: number): Move[] {
  return moves.map(({ min, max, to }) => ({ min, max, to: to + offset }));
}

/** Gives one state the current moves and acceptance of another. */
export function addEmptyMove(draft: Draft, from: number, to: number): void {
  for (const move of draft.moves[to] ?? []) draft.moves[from]?.push(move);
  if (draft.accepts[to]) draft.accepts[from] = true;
}

/** The automaton of a draft. */
export function toAutomaton({ accepts, moves }: Draft): Automaton {
  return { accepts, moves: moves.map(inOrder) };
}

/** The moves of a state in order; moves that touch and lead to the same state are merged. */
function inOrder(moves: readonly Move[]): readonly Move[] {
  if (isInOrder(moves)) return moves;
  const joined: Move[] = [];
  for (const move of moves.toSorted((a, b) => a.to - b.to || a.min - b.min || a.max - b.max)) {
    const last = joined.at(-1);
    if (last?.to === move.to && move.min <= last.max + 1) {
      joined[joined.length - 1] = { ...last, max: Math.max(last.max, move.max) };
    } else {
      joined.push(move);
    }
  }
  return joined.sort((a, b) => a.min - b.min || a.max - b.max || a.to - b.to);
}

/** Returns whether moves are in order and apart, and none of them can be merged with the next one. */
function isInOrder(moves: readonly Move[]): boolean {
  return moves.every(({ min, to }, index) => {
    const before = moves[index - 1];
    return !before || before.max + 1 < min || (before.max < min && before.to !== to);
  });
}

/** Returns whether no state has two moves for one number. */
export function isDeterministic({ moves }: Automaton): boolean {
  return moves.every((own) => own.every(({ min }, index) => (own[index - 1]?.max ?? -1) < min));
}

/** Returns whether state 0 leads to itself with every code point, and nowhere else. */
export function staysAtStart({ moves: [own = []] }: Automaton): boolean {
  const [only, second] = own;
  return only?.to === 0 && !second && only.min === 0 && only.max === maxCodePoint;
}

/** Removes the states that are unreachable or lead to no accepting state. */
export function withoutDeadStates({ accepts, moves }: Automaton): Automaton {
  const forwards = moves.map((own) => own.map(({ to }) => to));
  const backwards: number[][] = moves.map(() => []);
  for (const [from, targets] of forwards.entries()) for (const to of targets) backwards[to]?.push(from);
  const reached = reachable([0], forwards);
  const useful = reachable(
    accepts.flatMap((accept, state) => (accept ? [state] : [])),
    backwards,
  );
  const remaining = [...accepts.keys()].filter((state) => reached[state] === 1 && useful[state] === 1);
  if (remaining.length === accepts.length) return { accepts, moves };
  const numbers = new Map(remaining.map((state, number) => [state, number]));
  return {
    accepts: remaining.map((state) => accepts[state] ?? false),
    moves: remaining.map((state) => (moves[state] ?? []).flatMap((move) => renumbered(move, numbers))),
  };
}

function renumbered(move: Move, numbers: ReadonlyMap<number, number>): Move[] {
  const to = numbers.get(move.to);
  return to === undefined ? [] : [{ ...move, to }];
}

/** Marks the states that can be reached with a 1. */
function reachable(starts: readonly number[], next: readonly (readonly number[])[]): Uint8Array {
  const found = new Uint8Array(next.length);
  const left = [...starts];
  for (let state = left.pop(); state !== undefined; state = left.pop()) {
    if (found[state] !== 0) continue;
    found[state] = 1;
    for (const to of next[state] ?? []) left.push(to);
  }
  return found;
}

/**
 * An automaton over classes of numbers. From every state, all numbers of a class lead to the same
 * states; the number of classes is minimal.
 */
export interface ClassAutomaton {
  /** The least number of each class, in order. No move covers the last class. */
  readonly leasts: readonly number[];
  /** The moves of each state as triples: first class, exclusive last class, target state. */
  readonly spans: readonly Int32Array[];
}

/** Converts an automaton over numbers to one over classes. */
export function toClassAutomaton({ moves }: Automaton): ClassAutomaton {
  const borders = new Set<number>();
  for (const own of moves) for (const { min, max } of own) borders.add(min).add(max + 1);
  const leasts = [...borders].sort((a, b) => a - b);
  const indexes = new Map(leasts.map((min, index) => [min, index]));
  return { leasts, spans: moves.map((own) => spansOf(own, indexes)) };
}

function spansOf(moves: readonly Move[], indexes: ReadonlyMap<number, number>): Int32Array {
  const spans = new Int32Array(3 * moves.length);
  for (const [index, { min, max, to }] of moves.entries()) {
    spans[3 * index] = indexes.get(min) ?? 0;
    spans[3 * index + 1] = indexes.get(max + 1) ?? 0;
    spans[3 * index + 2] = to;
  }
  return spans;
}

/**
 * The remaining work for one pattern or one comparison, in elementary steps. The engine limits the
 * states of a pattern only; this also limits time and memory for the few patterns that need
 * minutes or gigabytes.
 */
export interface Effort {
  left: number;
}

/** The maximum number of states of a determinized automaton in the engine. */
export const maxStates = 10_000;

/** About half a second of elementary steps. Patterns that people write take a thousandth of them. */
const maxSteps = 20_000_000;

/** The steps for one move, which costs memory as well as time. */
export const costOfMove = 16;

/** The refusal of a pattern with too many states. */
export const tooManyStates =
  'The pattern is too complex: the engine would need more than 10,000 states for it';

/** The refusal of a pattern that the engine may run: it would take too long here. */
export const tooMuchWork = 'The pattern is too complex: finding out what it matches would take too long';

/** Thrown inside the pure layers only: `compileAutomaton` and `compare` turn it into a value. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

/** The effort for one pattern. */
export function newEffort(steps = maxSteps): Effort {
  return { left: steps };
}

/** Subtracts steps from an effort. Throws `TooComplex` when none are left. */
export function spendEffort(effort: Effort, steps: number): void {
  effort.left -= steps;
  if (effort.left < 0) throw new TooComplex(tooMuchWork);
}

/**
 * The steps that each pattern of a query gets when their shared effort is spent: a millisecond or
 * two. Most patterns that people write need no more, so costly ones do not decide about them.
 */
export const assuredSteps = 50_000;

/**
 * Runs `work` on the rest of a shared effort, with at least `least` steps, and subtracts the steps
 * it took. When many patterns have had their assured steps, nothing more is assured.
 */
export function shareEffort<T>(shared: Effort, min: number, work: (effort: Effort) => T): T {
  const effort = newEffort(Math.max(shared.left, shared.left < -maxSteps / 4 ? 0 : min));
  const before = effort.left;
  const result = work(effort);
  shared.left -= before - effort.left;
  return result;
}

/** The reason why the engine refuses a pattern. A value: the pattern is input. */
export interface EngineRefusal {
  /** One sentence, no final stop. */
  readonly message: string;
  /** The position in the pattern in UTF-16 units, if there is one. */
  readonly at?: number;
}
