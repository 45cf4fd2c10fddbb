import { analyze } from '../meaning/analyzer/analyze.ts';

/** Values up to this length repeat (levels, sources, machines); longer ones are analysed each time. */
const maxRemembered = 64;

/** So many analysed values are remembered at most. */
const maxValues = 20_000;

/**
 * A function that gives what a `_tokens` column holds for a text: its tokens
 * joined and surrounded by single blanks, or an empty text when there are none.
 * It remembers short values, of which most logs repeat the same few.
 *
 * ```ts
 * tokenizer()('Timed out!'); // ' timed out '
 * ```
 */
export function tokenizer(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    const tokens = analyze(text);
    const joined = tokens.length === 0 ? '' : ` ${tokens.join(' ')} `;
    if (text.length <= maxRemembered) {
      if (known.size === maxValues) known.clear();
      known.set(text, joined);
    }
    return joined;
  };
}
