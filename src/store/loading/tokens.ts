import { analyze } from '../../meaning/analyzer/analyze.ts';
import type { TextField } from '../../records/log.ts';

/** The fields whose values repeat from log to log, so that remembering them is less work than analysing them. */
const repeating: ReadonlySet<TextField> = new Set([
  'logLevel',
  'source',
  'className',
  'methodName',
  'username',
  'serviceTypes',
  'machine',
  'process',
  'thread',
]);

/** So many analysed values are remembered at most. */
const maxValues = 20_000;

/**
 * A function that gives what the `_tokens` column of a field holds for a
 * value: its tokens joined and surrounded by single blanks, or an empty text
 * when there are none.
 *
 * ```ts
 * tokenizer()('msg', 'Timed out!'); // ' timed out '
 * ```
 */
export function tokenizer(): (field: TextField, text: string) => string {
  const known = new Map<string, string>();
  return (field, text) => (repeating.has(field) ? remember(text) : toTokens(text));

  function remember(text: string): string {
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    if (known.size === maxValues) known.clear();
    const tokens = toTokens(text);
    known.set(text, tokens);
    return tokens;
  }
}

function toTokens(text: string): string {
  const tokens = analyze(text);
  return tokens.length === 0 ? '' : ` ${tokens.join(' ')} `;
}
