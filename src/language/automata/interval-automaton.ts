import { type Automaton, addEmptyMove, addState, type Draft, toAutomaton } from './automaton.ts';
import type { RegexpInterval } from './regexp-tree.ts';

const zero = 48;
const nine = 57;

/** An automaton under construction, and the states at which a number without its leading zeros may begin. */
interface Numbers {
  readonly draft: Draft;
  readonly starts: number[];
}

/** A position among the digits of the bounds. */
interface Place {
  readonly index: number;
  /** True if all digits so far are zeros that may be omitted. */
  readonly leading: boolean;
}

/**
 * Accepts the decimal numbers of an interval, with any number of leading zeros unless `digits`
 * fixes the length.
 */
export function intervalAutomaton({ min, max, digits }: RegexpInterval): Automaton {
  const length = digits === 0 ? String(max).length : digits;
  const [low, high] = [String(min).padStart(length, '0'), String(max).padStart(length, '0')];
  const draft: Draft = { accepts: [], moves: [] };
  const numbers: Numbers = { draft, starts: [] };
  if (digits !== 0) {
    between(numbers, [low, high], { index: 0, leading: false });
    return toAutomaton(draft);
  }
  addState(draft, false);
  between(numbers, [low, high], { index: 0, leading: true });
  draft.moves[0]?.push({ min: zero, max: zero, to: 0 });
  for (const start of numbers.starts) addEmptyMove(draft, 0, start);
  return toAutomaton(draft);
}

/** Adds the states for digits between both bounds from a position on; returns the first of them. */
function between(numbers: Numbers, [low, high]: readonly [string, string], place: Place): number {
  const state = stateAt(numbers, low, place);
  if (place.index === low.length) return state;
  const [from, to] = [low.charCodeAt(place.index), high.charCodeAt(place.index)];
  if (from === to) {
    move(numbers, state, [from, from], between(numbers, [low, high], after(place, from)));
    return state;
  }
  move(numbers, state, [from, from], atLeast(numbers, low, after(place, from)));
  move(numbers, state, [to, to], atMost(numbers, high, place.index + 1));
  if (from + 1 < to) move(numbers, state, [from + 1, to - 1], anyDigits(numbers, low, place.index + 1));
  return state;
}

function atLeast(numbers: Numbers, low: string, place: Place): number {
  const state = stateAt(numbers, low, place);
  if (place.index === low.length) return state;
  const from = low.charCodeAt(place.index);
  move(numbers, state, [from, from], atLeast(numbers, low, after(place, from)));
  if (from < nine) move(numbers, state, [from + 1, nine], anyDigits(numbers, low, place.index + 1));
  return state;
}

function atMost(numbers: Numbers, high: string, index: number): number {
  const state = addState(numbers.draft, index === high.length);
  if (index === high.length) return state;
  const to = high.charCodeAt(index);
  move(numbers, state, [to, to], atMost(numbers, high, index + 1));
  if (zero < to) move(numbers, state, [zero, to - 1], anyDigits(numbers, high, index + 1));
  return state;
}

function anyDigits(numbers: Numbers, bound: string, index: number): number {
  const state = addState(numbers.draft, index === bound.length);
  if (index < bound.length) move(numbers, state, [zero, nine], anyDigits(numbers, bound, index + 1));
  return state;
}

/** Adds a state for a position; a state reached by leading zeros alone is also a start. */
function stateAt({ draft, starts }: Numbers, low: string, { index, leading }: Place): number {
  const state = addState(draft, index === low.length);
  if (leading && index < low.length) starts.push(state);
  return state;
}

function after({ index, leading }: Place, digit: number): Place {
  return { index: index + 1, leading: leading && digit === zero };
}

function move(
  { draft }: Numbers,
  from: number,
  [min, max]: readonly [min: number, max: number],
  to: number,
): void {
  draft.moves[from]?.push({ min, max, to });
}
