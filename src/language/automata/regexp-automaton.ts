import { type Automaton, emptyAutomaton, rangesAutomaton, universalAutomaton } from './automaton.ts';
import {
  complementAutomaton,
  concatenateAutomata,
  intersectAutomata,
  optionalAutomaton,
  repeatAutomaton,
  repeatBetween,
  repeatFrom,
  uniteAutomata,
} from './combine.ts';
import type { Effort } from './effort.ts';
import { intervalAutomaton } from './interval-automaton.ts';
import { minimize } from './minimize.ts';
import type { RegexpRepetition, RegexpTree } from './regexp-tree.ts';

/**
 * The automaton of a regular expression. Each part is minimized where the engine minimizes it, so
 * it has as many states and the same expressions are too complex.
 */
export function regexpAutomaton(tree: RegexpTree, effort: Effort): Automaton {
  switch (tree.kind) {
    case 'ranges':
      return rangesAutomaton(tree.ranges);
    case 'text':
      return textAutomaton(tree.text);
    case 'anything':
      return universalAutomaton;
    case 'nothing':
      return emptyAutomaton;
    case 'interval':
      return intervalAutomaton(tree);
    case 'union':
      return minimize(uniteAutomata(tree.parts.map((part) => regexpAutomaton(part, effort))), effort);
    case 'concatenation': {
      const parts = tree.parts.map((part) => regexpAutomaton(part, effort));
      return minimize(concatenateAutomata(parts, effort), effort);
    }
    case 'intersection': {
      const [left, right] = [regexpAutomaton(tree.left, effort), regexpAutomaton(tree.right, effort)];
      return minimize(intersectAutomata(left, right, effort), effort);
    }
    case 'complement':
      return minimize(complementAutomaton(regexpAutomaton(tree.part, effort), effort), effort);
    case 'repetition':
      return repetition(tree, effort);
  }
}

/** The automaton that accepts one text. */
export function textAutomaton(text: string): Automaton {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const moves = codePoints.map((codePoint, state) => [{ min: codePoint, max: codePoint, to: state + 1 }]);
  return { accepts: [...codePoints.map(() => false), true], moves: [...moves, []] };
}

function repetition({ part, min, max, optional: once }: RegexpRepetition, effort: Effort): Automaton {
  const automaton = regexpAutomaton(part, effort);
  if (once) return minimize(optionalAutomaton(automaton), effort);
  if (max !== undefined) return repeatBetween(automaton, { min, max }, effort);
  return minimize(min === 0 ? repeatAutomaton(automaton) : repeatFrom(automaton, min, effort), effort);
}
