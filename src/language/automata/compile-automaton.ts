import {
  type Automaton,
  addEmptyMove,
  type Draft,
  emptyAutomaton,
  staysAtStart,
  toAutomaton,
  universalAutomaton,
  withoutDeadStates,
} from './automaton.ts';
import { toByteAutomaton } from './byte-automaton.ts';
import { determinize } from './determinize.ts';
import { type Effort, TooComplex } from './effort.ts';
import type { EngineRefusal } from './refusal.ts';

/** A deterministic automaton, or the reason why the engine runs none. */
export type CompiledPattern = { readonly automaton: Automaton } | { readonly refusal: EngineRefusal };

/** The refusal of a pattern that the engine finds too long. */
export const patternTooLong =
  'The pattern is too long: the engine follows at most 1,000 characters of a pattern';

/** The depth to which the engine follows a deterministic automaton in search of a cycle. */
const maxDepth = 1000;

/** Builds the automaton of a pattern; returns a refusal where the engine gives up or the effort is spent. */
export function compileAutomaton(build: () => Automaton, effort: Effort): CompiledPattern {
  try {
    return toRunnable(build(), effort);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { refusal: { message: error.message } };
  }
}

/**
 * Makes an automaton deterministic, and repeats every other step of the engine that can fail. It measures
 * the depth, converts to bytes, and determinizes those, of a cyclic automaton also from the end.
 */
function toRunnable(automaton: Automaton, effort: Effort): CompiledPattern {
  if (withoutDeadStates(automaton).accepts.length === 0) return { automaton: emptyAutomaton };
  if (automaton.accepts[0] && staysAtStart(automaton)) return { automaton: universalAutomaton };
  const ready = determinize(automaton, effort);
  if (acceptsOneText(ready)) return { automaton: ready };
  const shape = shapeOf(ready);
  if (shape === 'deep') return { refusal: { message: patternTooLong } };
  const bytes = toByteAutomaton(ready, effort);
  if (shape === 'cyclic') determinize(reversed(bytes), effort);
  determinize(bytes, effort);
  return { automaton: ready };
}

function acceptsOneText({ accepts, moves }: Automaton): boolean {
  const seen = new Set<number>();
  for (let state = 0; !seen.has(state); ) {
    const [only, second] = moves[state] ?? [];
    if (accepts[state]) return only === undefined;
    if (!only || second || only.min !== only.max) return false;
    seen.add(state);
    state = only.to;
  }
  return false;
}

/** Searches for a cycle depth-first, with the moves in order; `deep` if the depth limit comes first. */
function shapeOf({ moves }: Automaton): 'finite' | 'cyclic' | 'deep' {
  const done = new Set<number>();
  const path = [{ state: 0, next: 0 }];
  const onPath = new Set([0]);
  for (let step = path.at(-1); step; step = path.at(-1)) {
    const move = moves[step.state]?.[step.next];
    step.next += 1;
    if (!move) {
      done.add(step.state);
      onPath.delete(step.state);
      path.pop();
    } else if (onPath.has(move.to)) {
      return 'cyclic';
    } else if (!done.has(move.to)) {
      if (maxDepth < path.length) return 'deep';
      onPath.add(move.to);
      path.push({ state: move.to, next: 0 });
    }
  }
  return 'finite';
}

/** Accepts the same texts read backwards. */
function reversed({ accepts, moves }: Automaton): Automaton {
  const draft: Draft = { accepts: [false, ...accepts.map((_, state) => state === 0)], moves: [[]] };
  for (const _ of accepts) draft.moves.push([]);
  for (const [from, own] of moves.entries()) {
    for (const { min, max, to } of own) draft.moves[to + 1]?.push({ min, max, to: from + 1 });
  }
  for (const [state, accept] of accepts.entries()) if (accept) addEmptyMove(draft, 0, state + 1);
  return toAutomaton(draft);
}
