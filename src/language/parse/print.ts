import type { Node } from './tree.ts';
import { tokensOf } from './walk.ts';

/**
 * The text of a node exactly as written, including the white space before each of its tokens.
 *
 * ```ts
 * print(parse('a  OR  b').query); // 'a  OR  b', as it was written
 * ```
 */
export function print(node: Node): string {
  let text = '';
  for (const token of tokensOf(node)) text += token.before + token.text;
  return text;
}
