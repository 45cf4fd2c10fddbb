import type { Automaton } from './automaton.ts';

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
export function overClasses({ moves }: Automaton): ClassAutomaton {
  const borders = new Set<number>();
  for (const own of moves) for (const { min, max } of own) borders.add(min).add(max + 1);
  const leasts = [...borders].sort((a, b) => a - b);
  const places = new Map(leasts.map((least, place) => [least, place]));
  const spans = moves.map((own) =>
    Int32Array.from(own.flatMap(({ min, max, to }) => [places.get(min) ?? 0, places.get(max + 1) ?? 0, to])),
  );
  return { leasts, spans };
}
