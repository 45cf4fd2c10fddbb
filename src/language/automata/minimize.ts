import { type Automaton, emptyAutomaton, staysAtStart, toAutomaton, withoutDeadStates } from './automaton.ts';
import { toClassAutomaton } from './class-automaton.ts';
import { determinize } from './determinize.ts';
import { type Effort, spendEffort } from './effort.ts';
import { groupBy, type Partition, partitionBy } from './partition.ts';

/** The steps for one transition, which takes about 30 bytes during minimization. */
const costOfTransition = 8;

/**
 * The smallest deterministic automaton that accepts the same, without dead states. One that never
 * leaves its start stays as it is, as in the engine.
 */
export function minimize(automaton: Automaton, effort: Effort): Automaton {
  const deterministic = determinize(automaton, effort);
  if (staysAtStart(deterministic)) return deterministic;
  const { accepts, moves } = withoutDeadStates(deterministic);
  if (accepts.length === 0) return emptyAutomaton;
  const states = statesTogether({ accepts, moves }, effort);
  const numbers = numberBlocks(states, moves);
  const blocks = [...numbers.keys()];
  const heirs = blocks.map((block) => states.elements(block)[0] ?? 0);
  return toAutomaton({
    accepts: heirs.map((state) => accepts[state] ?? false),
    moves: heirs.map((state) =>
      (moves[state] ?? []).map((move) => ({ ...move, to: numbers.get(states.blockOf(move.to)) ?? 0 })),
    ),
  });
}

/** Numbers the blocks in the order of reachability from the block of state 0. */
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

/** Partitions the states by the texts that they accept. */
function statesTogether(automaton: Automaton, effort: Effort): Partition {
  const { sources, targets, labels, classes } = transitionsOf(automaton, effort);
  const incoming = groupBy(targets, automaton.accepts.length).withKey;
  const states = partitionBy(Int32Array.from(automaton.accepts, Number), 2);
  const transitions = partitionBy(labels, classes);
  let refined = 1;
  for (let block = 0; block < transitions.count(); block += 1) {
    for (const transition of transitions.elements(block)) states.mark(sources[transition] ?? 0);
    states.split();
    for (; refined < states.count(); refined += 1) {
      for (const state of states.elements(refined)) {
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
  /** The number of possible labels. */
  readonly classes: number;
}

/** The moves of an automaton, one for each class of numbers. */
function transitionsOf(automaton: Automaton, effort: Effort): Transitions {
  const { leasts, spans } = toClassAutomaton(automaton);
  const count = spans.reduce((sum, own) => sum + classesIn(own), 0);
  spendEffort(effort, costOfTransition * count);
  const [sources, targets, labels] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  let next = 0;
  for (const [source, own] of spans.entries()) {
    for (let at = 0; at < own.length; at += 3) {
      const [from = 0, past = 0, to = 0] = own.subarray(at, at + 3);
      sources.fill(source, next, next + past - from);
      targets.fill(to, next, next + past - from);
      for (let label = from; label < past; label += 1, next += 1) labels[next] = label;
    }
  }
  return { sources, targets, labels, classes: leasts.length };
}

/** The number of classes in the moves of a state. */
function classesIn(own: Int32Array): number {
  let count = 0;
  for (let at = 0; at < own.length; at += 3) count += (own[at + 1] ?? 0) - (own[at] ?? 0);
  return count;
}
