import type { Automaton, Move } from './automaton.ts';

/**
 * An automaton over classes of numbers. All numbers of a class lead from every
 * state to the same ones; there are as few classes as there can be.
 */
export interface ClassAutomaton {
  /** The least number of each class, in order. The last class is beyond all moves. */
  readonly leasts: readonly number[];
  /** The moves of each state, each as its first class, the class after its last one, and the state it leads to. */
  readonly spans: readonly Int32Array[];
}

/** The same automaton over classes. */
export function toClassAutomaton({ moves }: Automaton): ClassAutomaton {
  const borders = new Set<number>();
  for (const own of moves) for (const { min, max } of own) borders.add(min).add(max + 1);
  const leasts = [...borders].sort((a, b) => a - b);
  const places = new Map(leasts.map((least, place) => [least, place]));
  return { leasts, spans: moves.map((own) => spansOf(own, places)) };
}

function spansOf(moves: readonly Move[], places: ReadonlyMap<number, number>): Int32Array {
  const spans = new Int32Array(3 * moves.length);
  for (const [index, { min, max, to }] of moves.entries()) {
    spans[3 * index] = places.get(min) ?? 0;
    spans[3 * index + 1] = places.get(max + 1) ?? 0;
    spans[3 * index + 2] = to;
  }
  return spans;
}
