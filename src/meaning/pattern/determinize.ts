import { type ClassAutomaton, overClasses, type Span } from './alphabet.ts';
import { type Automaton, isDeterministic, type Move } from './automaton.ts';
import { type Effort, maxStates, spend, TooComplex } from './effort.ts';

/**
 * An automaton that accepts the same and has one move at most for each number.
 * One that has already is given back as it is. Each new state stands for a set
 * of old ones; more than `maxStates` of them are too complex.
 */
export function determinize(automaton: Automaton, effort: Effort): Automaton {
  if (automaton.accepts.length < 2 || isDeterministic(automaton)) return automaton;
  const classes = overClasses(automaton);
  const found: number[][] = [[0]];
  const numbers = new Map([[keyOf([0]), 0]]);
  const numberOf = (states: number[]): number => {
    const key = keyOf(states);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (found.length === maxStates) throw new TooComplex();
    numbers.set(key, found.length);
    return found.push(states) - 1;
  };
  const moves: Move[][] = [];
  // Goes on over the sets that are found meanwhile.
  for (const states of found) {
    const own: Move[] = [];
    for (const { min, max, targets } of branches(states, classes, effort)) {
      const to = numberOf(targets);
      const last = own.at(-1);
      if (last?.to === to && last.max + 1 === min) own[own.length - 1] = { min: last.min, max, to };
      else own.push({ min, max, to });
    }
    moves.push(own);
  }
  return { accepts: found.map((states) => states.some((state) => automaton.accepts[state])), moves };
}

/** A set of states as a text, two units for each. */
function keyOf(states: readonly number[]): string {
  let key = '';
  for (let from = 0; from < states.length; from += 4096) {
    const units = states.slice(from, from + 4096).flatMap((state) => [state >>> 16, state & 0xffff]);
    key += String.fromCharCode(...units);
  }
  return key;
}

interface Branch {
  readonly min: number;
  readonly max: number;
  /** In ascending order. */
  readonly targets: number[];
}

/** Where a set of states leads: a branch for each stretch of classes in which none of its moves begins or ends. */
function branches(states: readonly number[], { leasts, spans }: ClassAutomaton, effort: Effort): Branch[] {
  const own = states.flatMap((state) => spans[state] ?? []);
  const { borders, ranks } = stretchesOf(own, leasts.length);
  spend(effort, own.length + leasts.length);
  const targets: number[][] = borders.map(() => []);
  for (const { from, past, to } of own) {
    const [first, end] = [ranks[from] ?? 0, ranks[past] ?? 0];
    spend(effort, end - first);
    for (let rank = first; rank < end; rank += 1) targets[rank]?.push(to);
  }
  const least = (rank: number): number => leasts[borders[rank] ?? 0] ?? 0;
  return targets.flatMap((all, rank) => {
    if (all.length === 0) return [];
    return [{ min: least(rank), max: least(rank + 1) - 1, targets: ascending(all) }];
  });
}

/** The classes with which a stretch begins, in order, and the rank of each of them in this order. */
function stretchesOf(spans: readonly Span[], classes: number): { borders: number[]; ranks: Int32Array } {
  const ranks = new Int32Array(classes);
  for (const { from, past } of spans) {
    ranks[from] = 1;
    ranks[past] = 1;
  }
  const borders: number[] = [];
  for (let place = 0; place < classes; place += 1) {
    if (ranks[place] === 1) ranks[place] = borders.push(place) - 1;
  }
  return { borders, ranks };
}

function ascending(numbers: number[]): number[] {
  return numbers.sort((a, b) => a - b).filter((number, index) => number !== numbers[index - 1]);
}
