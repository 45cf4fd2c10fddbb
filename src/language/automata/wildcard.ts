import {
  type Automaton,
  type Effort,
  type EngineRefusal,
  maxCodePoint,
  maxStates,
  newEffort,
  rangesAutomaton,
  tooManyStates,
  universalAutomaton,
} from './automaton.ts';
import {
  type CompiledPattern,
  compileAutomaton,
  concatenateAutomata,
  patternTooLong,
} from './determinize.ts';
import { compileRegexp } from './regexp.ts';

/** A part of a wildcard pattern: a code point, any code point, or any run of them. */
export type WildcardPart = number | 'one' | 'run';

/** The parts of a pattern. A `\` at the end stands for itself. */
export function wildcardParts(pattern: string): readonly WildcardPart[] {
  return Array.from(pattern.matchAll(/\\?([\s\S])/gu), ([text, character = '']) => {
    if (text === '?') return 'one';
    return text === '*' ? 'run' : (character.codePointAt(0) ?? 0);
  });
}

/**
 * Returns a test of whole texts by a pattern. Only the last run of `*` is retried, so the time is
 * at most the product of both lengths.
 */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const parts = wildcardParts(pattern);
  return (text) => matches(parts, text);
}

function matches(parts: readonly WildcardPart[], text: string): boolean {
  let [part, at] = [0, 0];
  let retry: { part: number; at: number } | undefined;
  while (at < text.length) {
    const codePoint = text.codePointAt(at) ?? 0;
    const expected = parts[part];
    if (expected === 'run') {
      part += 1;
      retry = { part, at };
    } else if (expected === 'one' || expected === codePoint) {
      part += 1;
      at += width(codePoint);
    } else if (retry) {
      // The last run takes one more code point, and the rest is tried again.
      retry.at += width(text.codePointAt(retry.at) ?? 0);
      ({ part, at } = retry);
    } else {
      return false;
    }
  }
  return parts.slice(part).every((rest) => rest === 'run');
}

function width(codePoint: number): number {
  return 0xffff < codePoint ? 2 : 1;
}

/** Returns the automaton of a pattern, or its refusal. */
export function compileWildcard(pattern: string, effort: Effort = newEffort()): CompiledPattern {
  const parts = wildcardParts(pattern);
  // Each part takes a state, so the size is known before the automaton is built.
  const isLarge = maxStates < parts.filter((part) => part !== 'run').length;
  if (isLarge && parts.includes('run')) return { refusal: { message: tooManyStates } };
  if (isLarge && parts.includes('one')) return { refusal: { message: patternTooLong } };
  return compileAutomaton(() => wildcardAutomaton(parts.filter(isNeeded), effort), effort);
}

/**
 * Returns whether a part changes the states that the engine makes. A third run in a row makes no
 * difference, and the moves between runs would grow with the square of their number.
 */
function isNeeded(part: WildcardPart, index: number, parts: readonly WildcardPart[]): boolean {
  return part !== 'run' || parts[index - 1] !== 'run' || parts[index - 2] !== 'run';
}

function wildcardAutomaton(parts: readonly WildcardPart[], effort: Effort): Automaton {
  const automata = parts.map((part) => {
    if (part === 'run') return universalAutomaton;
    return part === 'one' ? rangesAutomaton([[0, maxCodePoint]]) : rangesAutomaton([[part, part]]);
  });
  return concatenateAutomata(automata, effort);
}

/**
 * Returns why the engine refuses a regular expression, or undefined if it runs it. Reasons: the
 * syntax is wrong, the text is longer than 1,000 characters, or the automaton is too large
 * (sections 6 and 7.8 of the language specification). The pattern is that of a filter, in lower
 * case for a text field. With an effort, a pattern that exceeds it is refused as well.
 */
export function checkRegexp(pattern: string, effort?: Effort): EngineRefusal | undefined {
  const compiled = compileRegexp(pattern, effort);
  return 'refusal' in compiled ? compiled.refusal : undefined;
}

/**
 * Returns why the engine refuses a wildcard pattern, or undefined if it runs it. `match` still
 * evaluates a refused one.
 */
export function checkWildcard(pattern: string, effort?: Effort): EngineRefusal | undefined {
  const compiled = compileWildcard(pattern, effort);
  return 'refusal' in compiled ? compiled.refusal : undefined;
}

/**
 * Returns why the engine refuses a prefix, or undefined if it runs it. `match` still evaluates a
 * refused one.
 */
export function checkPrefix(prefix: string): EngineRefusal | undefined {
  const bytes = new TextEncoder().encode(prefix).length;
  return maxPrefixBytes < bytes ? { message: patternTooLong } : undefined;
}

const maxPrefixBytes = 1000;
