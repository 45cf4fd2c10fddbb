import type { Node } from './tree.ts';
import { tokensOf } from './walk.ts';

/** The text of a node exactly as it was written, the white space before each of its tokens included. */
export function print(node: Node): string {
  return tokensOf(node)
    .map((token) => token.before + token.text)
    .join('');
}
