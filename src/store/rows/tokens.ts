import { analyze } from '../../meaning/analyzer/analyze.ts';

/**
 * Returns the value of the `_tokens` column of a field: its tokens joined and surrounded by single
 * blanks, or an empty text if it has none.
 *
 * ```ts
 * toTokens('Timed out!'); // ' timed out '
 * ```
 */
export function toTokens(text: string): string {
  const tokens = analyze(text);
  return tokens.length === 0 ? '' : ` ${tokens.join(' ')} `;
}
