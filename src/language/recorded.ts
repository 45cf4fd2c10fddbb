import * as build from './build.ts';
import type { Token } from './token.ts';

const token: Token = { kind: 'End', before: '', from: 0, to: 0, text: '' };
const item = build.termNode('Word', token);

/**
 * What stands for each node while Chevrotain records the grammar: then there is
 * nothing to make one of. What its `ACTION` takes for that is a function made
 * for each node.
 */
export const placeholders = {
  token,
  item,
  query: build.queryNode([], token),
  stray: build.strayNode(token),
  clause: build.clauseNode(item),
  bound: build.boundNode(token),
  group: build.groupNode({ open: token, parts: [], close: undefined, boost: undefined }),
} as const;
