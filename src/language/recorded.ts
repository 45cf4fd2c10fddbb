import * as build from './build.ts';
import type { Token } from './token.ts';

const token: Token = { kind: 'End', before: '', from: 0, to: 0, text: '' };
const item = build.single('Word', token);

/**
 * What stands for each node while Chevrotain records the grammar: then there is
 * nothing to make one of. What its `ACTION` takes for that is a function made
 * for each node.
 */
export const recorded = {
  token,
  item,
  query: build.query([], token),
  stray: build.stray(token),
  clause: build.bare(item),
  bound: build.bound(token),
  group: build.group({ open: token, parts: [], close: undefined, boost: undefined }),
} as const;
