import { patternTooLong } from './compile.ts';
import type { Effort } from './effort.ts';
import type { Refusal } from './refusal.ts';
import { compileRegexp } from './regexp.ts';
import { compileWildcard } from './wildcard.ts';

/**
 * Why the engine refuses a regular expression, or undefined when it runs it:
 * the text is none, it is longer than 1,000 characters, or its automaton
 * becomes too large (sections 6 and 7.8 of the language specification). The
 * pattern is the one of a filter, lower-cased where the field is a text field.
 * With an effort it is refused as well when that is not enough to find out.
 */
export function checkRegexp(pattern: string, effort?: Effort): Refusal | undefined {
  const compiled = compileRegexp(pattern, effort);
  return 'refusal' in compiled ? compiled.refusal : undefined;
}

/** Why the engine refuses a wildcard pattern, or undefined when it runs it. Here such a pattern still has an answer. */
export function checkWildcard(pattern: string, effort?: Effort): Refusal | undefined {
  const compiled = compileWildcard(pattern, effort);
  return 'refusal' in compiled ? compiled.refusal : undefined;
}

/** Why the engine refuses a prefix, or undefined when it runs it. Here such a prefix still has an answer. */
export function checkPrefix(prefix: string): Refusal | undefined {
  const bytes = new TextEncoder().encode(prefix).length;
  return maxPrefixBytes < bytes ? { message: patternTooLong } : undefined;
}

const maxPrefixBytes = 1000;
