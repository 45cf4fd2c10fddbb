import type { Automaton, Move } from './automaton.ts';

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
