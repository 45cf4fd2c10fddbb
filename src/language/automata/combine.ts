import {
  type Automaton,
  addCopy,
  addEmptyMove,
  addState,
  type Draft,
  emptyAutomaton,
  type Move,
  maxCodePoint,
  shiftMoves,
  toAutomaton,
  universalAutomaton,
  withoutDeadStates,
} from './automaton.ts';
import { determinize } from './determinize.ts';
import { costOfMove, type Effort, maxStates, spendEffort, TooComplex, tooManyStates } from './effort.ts';

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
