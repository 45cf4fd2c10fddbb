import { overClasses } from './alphabet.ts';
import { type Automaton, finish, nothing, withoutDeadStates } from './automaton.ts';
import { determinize } from './determinize.ts';
import { type Effort, spend, TooComplex } from './effort.ts';
import { type Partition, partitionBy } from './partition.ts';

/** Each of these takes some 30 bytes while an automaton is minimized. */
const maxTransitions = 2_000_000;

/** The smallest deterministic automaton that accepts the same; it has no dead states. */
export function minimize(automaton: Automaton, effort: Effort): Automaton {
  const { accepts, moves } = withoutDeadStates(determinize(automaton, effort));
  if (accepts.length === 0) return nothing;
  const states = statesTogether({ accepts, moves }, effort);
  const numbers = numberBlocks(states, moves);
  const blocks = [...numbers.keys()];
  const heirs = blocks.map((block) => states.elements(block)[0] ?? 0);
  return finish({
    accepts: heirs.map((state) => accepts[state] ?? false),
    moves: heirs.map((state) =>
      (moves[state] ?? []).map((move) => ({ ...move, to: numbers.get(states.blockOf(move.to)) ?? 0 })),
    ),
  });
}

/** Numbers the blocks in the order in which they are reached, from that of state 0 on. */
function numberBlocks(states: Partition, moves: Automaton['moves']): ReadonlyMap<number, number> {
  const numbers = new Map([[states.blockOf(0), 0]]);
  for (const block of numbers.keys()) {
    for (const { to } of moves[states.elements(block)[0] ?? 0] ?? []) {
      const next = states.blockOf(to);
      if (!numbers.has(next)) numbers.set(next, numbers.size);
    }
  }
  return numbers;
}

/** Puts those states together from which the same is accepted. */
function statesTogether(automaton: Automaton, effort: Effort): Partition {
  const { sources, targets, labels } = transitionsOf(automaton, effort);
  const incoming = groupsOf(targets, automaton.accepts.length);
  const states = partitionBy(Int32Array.from(automaton.accepts, Number));
  const transitions = partitionBy(labels);
  let settled = 1;
  for (let block = 0; block < transitions.count(); block += 1) {
    for (const transition of transitions.elements(block)) states.mark(sources[transition] ?? 0);
    states.split();
    for (; settled < states.count(); settled += 1) {
      for (const state of states.elements(settled)) {
        for (const transition of incoming(state)) transitions.mark(transition);
      }
      transitions.split();
    }
  }
  return states;
}

interface Transitions {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  readonly labels: Int32Array;
}

/** The moves of an automaton, one for each class of numbers. */
function transitionsOf(automaton: Automaton, effort: Effort): Transitions {
  const { spans } = overClasses(automaton);
  const count = spans.flat().reduce((sum, { from, past }) => sum + past - from, 0);
  if (maxTransitions < count) throw new TooComplex();
  spend(effort, count);
  const sources = new Int32Array(count);
  const targets = new Int32Array(count);
  const labels = new Int32Array(count);
  let at = 0;
  for (const [source, own] of spans.entries()) {
    for (const { from, past, to } of own) {
      for (let label = from; label < past; label += 1, at += 1) {
        sources[at] = source;
        targets[at] = to;
        labels[at] = label;
      }
    }
  }
  return { sources, targets, labels };
}

/** The places at which each key stands. */
function groupsOf(keys: Int32Array, count: number): (key: number) => Int32Array {
  const starts = new Int32Array(count + 1);
  for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  for (let key = 0; key < count; key += 1) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const next = starts.slice();
  const places = new Int32Array(keys.length);
  for (const [place, key] of keys.entries()) {
    const at = next[key] ?? 0;
    places[at] = place;
    next[key] = at + 1;
  }
  return (key) => places.subarray(starts[key], starts[key + 1]);
}
