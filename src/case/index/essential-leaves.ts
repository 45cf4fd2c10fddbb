import type { ScoreNode, Scorer } from '../../language/index.ts';
import { unmatched } from './add-scores.ts';

/** More occurrences than a field has. */
const mostFrequent = 2 ** 31;

/** Groups of leaves: a log must match one leaf of each. */
export type LeafGroups = readonly ReadonlySet<number>[];

/** Facts about the logs to score. */
export interface Candidates {
  /** The leaves that some log matches. */
  readonly present: ReadonlySet<number>;
  /** The score of logs that match no part: `unmatched` if they are not wanted at all, 0 if they were selected otherwise. */
  readonly otherwise: number;
}

/**
 * Returns a function from a score to the groups of leaves of which a log must match one each to reach it; none if any log
 * may do so.
 *
 * The first group is that of MaxScore, the pruning of search engines (Turtle and Flood, "Query evaluation: strategies and
 * optimizations", 1995): frequent words, which alone give little, are not asked which logs have them. The other groups
 * are the parts of the whole without which the rest does not reach the score.
 */
export function essentialLeaves(
  root: ScoreNode,
  { present, otherwise }: Candidates,
): (score: number) => LeafGroups {
  const leaves = leafBounds(root).filter(([leaf]) => present.has(leaf));
  const ordered = leaves.sort(([, first], [, second]) => second - first).map(([leaf]) => leaf);
  const toGroup = (group: ReadonlySet<number>) => ({
    group,
    // Greatest score of logs that match no leaf of the group.
    bound: Math.max(
      otherwise,
      greatestScore(root, (leaf) => present.has(leaf) && !group.has(leaf)),
    ),
  });
  const firsts = [0, ...ordered.keys()].map((_, count) => toGroup(new Set(ordered.slice(0, count))));
  const parts = root.kind === 'sum' ? [...root.must, ...root.should] : [];
  const ofParts = parts.map((part) =>
    toGroup(new Set(leafBounds(part).flatMap(([leaf]) => (present.has(leaf) ? [leaf] : [])))),
  );
  return (score) => {
    const isNeeded = ({ bound }: { readonly bound: number }) => bound === unmatched || bound < score;
    const needed = ofParts.filter(isNeeded).map(({ group }) => group);
    const first = firsts.find(isNeeded)?.group;
    return leastGroups(first ? [first, ...needed] : needed);
  };
}

/**
 * Reports if the logs that match a scorer are those that its filter selects, and that all of them match a leaf. A fuzzy
 * term selects more than it scores.
 */
export function selectsLogs({ root, leaves }: Pick<Scorer, 'root' | 'leaves'>): boolean {
  const isWhole = leaves.every((leaf) => leaf.kind === 'tested' || leaf.condition === leaf.filter);
  return isWhole && greatestScore(root, () => false) === unmatched;
}

/** Leaves out groups that contain another one, and so demand nothing more. */
function leastGroups(groups: LeafGroups): LeafGroups {
  const isRepeated = (group: ReadonlySet<number>, at: number) =>
    groups.some((other, otherAt) => {
      const isSmaller = other.size < group.size || (other.size === group.size && otherAt < at);
      return isSmaller && [...other].every((leaf) => group.has(leaf));
    });
  return groups.filter((group, at) => !isRepeated(group, at));
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
