import { type CompiledPattern, compileAutomaton } from './compile.ts';
import { type Effort, newEffort } from './effort.ts';
import { regexpAutomaton } from './regexp-automaton.ts';
import { parseRegexp } from './regexp-parse.ts';

/** The engine reads no longer regular expression, in UTF-16 units. */
const maxLength = 1000;

/** What became of the last patterns, the latest last. */
const latest = new Map<string, CompiledPattern>();

/** So many are kept. The automaton of one may take some megabytes. */
const mostKept = 8;

/**
 * The automaton of a regular expression in the engine's syntax, or why it
 * refuses the text. A pattern is asked of every default field, so the last ones
 * are kept: one that is refused for its effort takes half a second. With an
 * effort of the caller's own it is compiled anew.
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
