import {
  type Automaton,
  type Effort,
  maxCodePoint,
  newEffort,
  spendEffort,
  TooComplex,
  toAutomaton,
  universalAutomaton,
} from '../automata/automaton.ts';
import { complementAutomaton, intersectAutomata, uniteAutomata } from '../automata/determinize.ts';
import { compileRegexp } from '../automata/regexp.ts';
import { compileWildcard } from '../automata/wildcard.ts';
import type { LeafFilter } from './diagram.ts';
import type { Interval } from './theories.ts';

/** A condition that one token can fulfil, and the automaton of the tokens that do. */
export interface TokenSet<T> {
  readonly of: T;
  readonly automaton: Automaton;
  /** Patterns may match what others match; terms and intervals of one field are disjoint. */
  readonly kind: 'pattern' | 'interval' | 'term';
}

/** Steps of one question: more than for the patterns that people write, and a few milliseconds. */
const maxSteps = 500_000;

/** Steps of all questions of one comparison: some ten milliseconds. */
const maxStepsInAll = 2_000_000;

/** The most conditions that are held against each other: the questions grow with the square of their number. */
const maxSets = 40;

/**
 * The covers that `coversOf` yields of the sets that `setsFor` builds with a part of the effort; none for more sets than
 * people write conditions.
 */
export function coversWithin<T>(
  effort: Effort,
  size: number,
  setsFor: (own: Effort) => readonly TokenSet<T>[],
): readonly (readonly [of: T, by: readonly T[]])[] {
  if (maxSets < size) return [];
  const steps = Math.max(0, Math.min(maxStepsInAll, effort.left));
  const own = newEffort(steps);
  const covers = [...coversOf(setsFor(own), own)];
  effort.left -= steps - own.left;
  return covers;
}

/**
 * Yields what covers a pattern or an interval: each token of it fulfils one of the others. A pattern without any token
 * is covered by none. What is not yielded may be so all the same, where it takes too long to find out.
 */
function* coversOf<T>(
  sets: readonly TokenSet<T>[],
  effort: Effort,
): Generator<readonly [of: T, by: readonly T[]]> {
  for (const set of sets.filter(({ kind }) => kind !== 'term')) {
    const others = sets.filter((other) => other !== set);
    const single = others.filter((other) => other.kind === 'pattern' && isCovered(set, [other], effort));
    for (const other of single) yield [set.of, [other.of]];
    if (single.length === 0 && set.kind === 'pattern' && isCovered(set, others, effort))
      yield [set.of, fewest(set, others, effort).map((other) => other.of)];
  }
}

/** Those of some sets that are needed to cover another one. */
function fewest<T>(set: TokenSet<T>, covers: readonly TokenSet<T>[], effort: Effort): readonly TokenSet<T>[] {
  return covers.reduce((kept, cover) => {
    const without = kept.filter((other) => other !== cover);
    return isCovered(set, without, effort) ? without : kept;
  }, covers);
}

/** Reports if every token of a set is in one of the others; false where that takes too long to find out. */
function isCovered<T>({ automaton }: TokenSet<T>, others: readonly TokenSet<T>[], effort: Effort): boolean {
  const uncovered = within(effort, (own) => {
    for (const other of others) spendEffort(own, other.automaton.accepts.length);
    const united = uniteAutomata(others.map((other) => other.automaton));
    return intersectAutomata(automaton, complementAutomaton(united, own), own);
  });
  return uncovered !== undefined && !acceptsToken(uncovered);
}

/** Returns whether an automaton accepts a text of at least one character, as all tokens have. */
function acceptsToken({ accepts, moves }: Automaton): boolean {
  const [isEmptyAccepted = false] = accepts;
  return accepts.indexOf(true, 1) !== -1 || (isEmptyAccepted && moves.flat().some(({ to }) => to === 0));
}

/** The automaton of a wildcard or a regular expression; undefined for other leaves, and where it is too complex. */
export function patternAutomaton(leaf: LeafFilter, effort: Effort): Automaton | undefined {
  const compiled = within(effort, (own) => {
    if (leaf.kind === 'wildcard') return compileWildcard(leaf.pattern, own);
    return leaf.kind === 'regexp' ? compileRegexp(leaf.pattern, own) : undefined;
  });
  return compiled && 'automaton' in compiled ? compiled.automaton : undefined;
}

/** The automaton of one text. */
export function textAutomaton(text: string): Automaton {
  const codes = codePoints(text);
  return {
    accepts: [...codes.map(() => false), true],
    moves: [...codes.map((code, index) => [{ min: code, max: code, to: index + 1 }]), []],
  };
}

/** The automaton of the terms of an interval but for some of them; undefined where that is too complex. */
export function intervalAutomaton(
  { from, to }: Interval<string>,
  without: readonly string[],
  effort: Effort,
): Automaton | undefined {
  return within(effort, (own) => {
    const excluded = uniteAutomata([
      ...without.map(textAutomaton),
      ...(to === undefined ? [] : [notBefore(to)]),
    ]);
    return intersectAutomata(notBefore(from ?? ''), complementAutomaton(excluded, own), own);
  });
}

/** Accepts a text, and all that come after it in the order of code points. */
function notBefore(text: string): Automaton {
  const codes = codePoints(text);
  if (codes.length === 0) return universalAutomaton;
  const all = { min: 0, max: maxCodePoint, to: codes.length };
  const moves = codes.map((code, index) => [
    { min: code, max: code, to: index + 1 },
    ...(code < maxCodePoint ? [{ ...all, min: code + 1 }] : []),
  ]);
  return toAutomaton({ accepts: [...codes.map(() => false), true], moves: [...moves, [all]] });
}

/** The code points of a text. The first half of a pair, at an end of an interval, stands for the first pair with it. */
function codePoints(text: string): number[] {
  return Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return 0xd800 <= code && code <= 0xdbff ? 0x10000 + ((code - 0xd800) << 10) : code;
  });
}

/** Runs `work` with a part of an effort; undefined where that is not enough. */
function within<T>(effort: Effort, work: (own: Effort) => T): T | undefined {
  const steps = Math.max(0, Math.min(maxSteps, effort.left));
  const own = newEffort(steps);
  try {
    return work(own);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return undefined;
  } finally {
    effort.left -= steps - Math.max(0, own.left);
  }
}
