import type { Automaton, Move } from './automaton.ts';

/**
 * Returns a test of whole texts by a deterministic automaton: one step per code point, whatever
 * the pattern.
 */
export function automatonTest({ accepts, moves }: Automaton): (text: string) => boolean {
  return (text) => {
    let state: number | undefined = 0;
    for (let at = 0; at < text.length; at += 1) {
      const codePoint = text.codePointAt(at) ?? 0;
      if (0xffff < codePoint) at += 1;
      state = target(moves[state] ?? [], codePoint);
      if (state === undefined) return false;
    }
    return accepts[state] ?? false;
  };
}

function target(moves: readonly Move[], codePoint: number): number | undefined {
  let [from, past] = [0, moves.length];
  while (from < past) {
    const middle = (from + past) >> 1;
    const move = moves[middle];
    if (!move) return undefined;
    if (codePoint < move.min) past = middle;
    else if (move.max < codePoint) from = middle + 1;
    else return move.to;
  }
  return undefined;
}
