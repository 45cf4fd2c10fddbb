import type { ScoreNode } from '../../../meaning/relevance/score-tree.ts';
import { unmatched } from './add-scores.ts';

/** More occurrences than a field has. */
const mostFrequent = 2 ** 31;

/**
 * Returns a function from a score to the numbers of the leaves of which a log must match one to reach it; undefined if a
 * log without any may do so. This is MaxScore, the pruning of search engines (Turtle and Flood, "Query evaluation:
 * strategies and optimizations", 1995): frequent words, which alone give little, are not asked which logs have them.
 * `present` are the leaves that some log matches.
 */
export function essentialLeaves(
  root: ScoreNode,
  present: ReadonlySet<number>,
): (score: number) => ReadonlySet<number> | undefined {
  const bounds = leafBounds(root).filter(([leaf]) => present.has(leaf));
  const ordered = bounds.sort(([, first], [, second]) => second - first).map(([leaf]) => leaf);
  // What logs reach that match none of the first leaves, by their number.
  const reached = [0, ...ordered.keys()].map((_, count) => {
    const left = new Set(ordered.slice(count));
    return Math.max(
      0,
      greatestScore(root, (leaf) => left.has(leaf)),
    );
  });
  return (score) => {
    const count = reached.findIndex((bound) => bound < score);
    return count === -1 ? undefined : new Set(ordered.slice(0, count));
  };
}

/** Returns the greatest score that each leaf gives by itself. */
function leafBounds(node: ScoreNode): (readonly [leaf: number, bound: number])[] {
  switch (node.kind) {
    case 'counted':
    case 'tested':
      return [[node.leaf, greatestScore(node, () => true)]];
    case 'best':
      return node.parts.flatMap(leafBounds);
    case 'sum':
      return [...node.must, ...node.should].flatMap(leafBounds);
  }
}

/**
 * Returns the greatest score of logs that match only some leaves; `unmatched` if none matches. Scores are added up in
 * the order of `compileScores`, so that no rounding takes one beyond it.
 */
function greatestScore(node: ScoreNode, isLeft: (leaf: number) => boolean): number {
  const greatest = (part: ScoreNode) => greatestScore(part, isLeft);
  switch (node.kind) {
    case 'counted':
      return isLeft(node.leaf) ? node.score(node.weight, mostFrequent, 0) : unmatched;
    case 'tested':
      return isLeft(node.leaf) ? node.weight : unmatched;
    case 'best':
      return Math.max(unmatched, ...node.parts.map(greatest));
    case 'sum': {
      const required = node.must.map(greatest);
      const optional = node.should.map(greatest).filter((score) => score !== unmatched);
      const needsOptional = required.length === 0 && 0 < node.should.length;
      if (required.includes(unmatched) || (needsOptional && optional.length === 0)) return unmatched;
      return Math.fround([...required, ...optional].reduce((total, score) => total + score, 0));
    }
  }
}
