import { type CompiledPattern, compileAutomaton } from './compile-automaton.ts';
import { type Effort, newEffort } from './effort.ts';
import { parseRegexp } from './parse-regexp.ts';
import { regexpAutomaton } from './regexp-automaton.ts';

/** The maximum length of a regular expression in the engine, in UTF-16 units. */
const maxLength = 1000;

/** The most recently compiled patterns, the latest last. */
const latest = new Map<string, CompiledPattern>();

/** The size of this cache. One automaton may take some megabytes. */
const mostKept = 8;

/**
 * Returns the automaton of a regular expression in the engine's syntax, or its refusal. The last
 * patterns are cached, since each default field compiles the same one, and a pattern that exceeds
 * its effort takes half a second. With an effort of the caller the cache is not used.
 */
export function compileRegexp(pattern: string, effort?: Effort): CompiledPattern {
  if (effort) return compileAnew(pattern, effort);
  const compiled = latest.get(pattern) ?? compileAnew(pattern, newEffort());
  latest.delete(pattern);
  latest.set(pattern, compiled);
  const [oldest] = latest.keys();
  if (mostKept < latest.size && oldest !== undefined) latest.delete(oldest);
  return compiled;
}

function compileAnew(pattern: string, effort: Effort): CompiledPattern {
  if (maxLength < pattern.length) {
    return { refusal: { message: 'A regular expression may have 1,000 characters at most', at: maxLength } };
  }
  const parsed = parseRegexp(pattern);
  return 'refusal' in parsed ? parsed : compileAutomaton(() => regexpAutomaton(parsed.tree, effort), effort);
}
