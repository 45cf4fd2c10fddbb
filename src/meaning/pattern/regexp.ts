import { type Compiled, compile } from './compile.ts';
import { type Effort, newEffort } from './effort.ts';
import { regexpAutomaton } from './regexp-automaton.ts';
import { parseRegexp } from './regexp-parse.ts';

/** The engine reads no longer regular expression, in UTF-16 units. */
const maxLength = 1000;

/** The automaton of a regular expression in the engine's syntax, or why it refuses the text. */
export function compileRegexp(pattern: string, effort: Effort = newEffort()): Compiled {
  if (maxLength < pattern.length) {
    return { refusal: { message: 'A regular expression may have 1,000 characters at most', at: maxLength } };
  }
  const parsed = parseRegexp(pattern);
  return 'refusal' in parsed ? parsed : compile(() => regexpAutomaton(parsed.tree, effort), effort);
}
