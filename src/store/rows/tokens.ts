import { analyze } from '../../meaning/analyzer/analyze.ts';

/**
 * What the `_tokens` column of a field holds for a value: its tokens joined
 * and surrounded by single blanks, or an empty text when there are none.
 *
 * ```ts
 * toTokens('Timed out!'); // ' timed out '
 * ```
 */
export function toTokens(text: string): string {
  const tokens = analyze(text);
  return tokens.length === 0 ? '' : ` ${tokens.join(' ')} `;
}
