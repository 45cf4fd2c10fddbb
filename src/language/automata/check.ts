import { patternTooLong } from './compile-automaton.ts';
import { compileRegexp } from './compile-regexp.ts';
import type { Effort } from './effort.ts';
import type { EngineRefusal } from './refusal.ts';
import { compileWildcard } from './wildcard.ts';

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
