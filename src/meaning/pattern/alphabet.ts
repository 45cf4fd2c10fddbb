import type { Automaton } from './automaton.ts';

/** A move in terms of classes: those from `from` up to but without `past` lead to the state `to`. */
export interface Span {
  readonly from: number;
  readonly past: number;
  readonly to: number;
}

/**
 * An automaton over classes of numbers. All numbers of a class lead from every
 * state to the same ones; there are as few classes as there can be.
 */
export interface ClassAutomaton {
  /** The least number of each class, in order. The last class is beyond all moves. */
  readonly leasts: readonly number[];
  /** The moves of each state. */
  readonly spans: readonly (readonly Span[])[];
}

/** The same automaton over classes. */
export function overClasses({ moves }: Automaton): ClassAutomaton {
  const borders = new Set<number>();
  for (const own of moves) for (const { min, max } of own) borders.add(min).add(max + 1);
  const leasts = [...borders].sort((a, b) => a - b);
  const places = new Map(leasts.map((least, place) => [least, place]));
  const place = (border: number): number => places.get(border) ?? 0;
  const spans = moves.map((own) =>
    own.map(({ min, max, to }) => ({ from: place(min), past: place(max + 1), to })),
  );
  return { leasts, spans };
}
