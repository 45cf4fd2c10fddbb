import { describe } from '../meaning/describe.ts';
import type { ScoreNode } from './score-tree.ts';
import { type Counts, type Scorer, scoreOf } from './scorer.ts';

/** The derivation of a score. */
export interface ScorePart {
  readonly score: number;
  /** A description of the scored part. */
  readonly about: string;
  /** The contributing parts; those that do not match the document are omitted. */
  readonly parts: readonly ScorePart[];
}

/**
 * Returns the derivation of a document's score, or undefined if it does not match.
 *
 * ```ts
 * const scorer = toScorer(resolveScored(parse('timeout').query), new Map());
 * const part = explainScore(scorer, countsOf(scorer, toDocument(log)));
 * if (part) scoreLines(part);
 * ```
 */
export function explainScore(scorer: Scorer, counts: Counts): ScorePart | undefined {
  return explained(scorer.root, { scorer, counts });
}

/**
 * The lines of a derivation, each part indented below its sum.
 *
 * ```ts
 * const scorer = toScorer(resolveScored(parse('timeout').query), new Map());
 * const part = explainScore(scorer, countsOf(scorer, toDocument(log)));
 * if (part) console.log(scoreLines(part).join('\n'));
 * ```
 */
export function scoreLines({ score, about, parts }: ScorePart): readonly string[] {
  const below = parts.flatMap(scoreLines).map((line) => `  ${line}`);
  return [`${Number(score.toPrecision(6))} ${about}`, ...below];
}

interface Context {
  readonly scorer: Scorer;
  readonly counts: Counts;
}

function explained(node: ScoreNode, context: Context): ScorePart | undefined {
  const score = scoreOf(node, context.counts);
  if (score === undefined) return undefined;
  const all = (nodes: readonly ScoreNode[]) =>
    nodes.map((each) => explained(each, context)).filter((part) => part !== undefined);
  switch (node.kind) {
    case 'counted':
    case 'tested':
      return { score, about: aboutLeaf(node, context), parts: [] };
    case 'best':
      return { score, about: 'the best of', parts: all(node.parts) };
    case 'sum':
      return { score, about: 'the sum of', parts: all([...node.must, ...node.should]) };
  }
}

type LeafNode = Extract<ScoreNode, { readonly leaf: number }>;

function aboutLeaf({ leaf, weight, kind }: LeafNode, { scorer, counts }: Context): string {
  const filter = scorer.leaves[leaf]?.filter;
  const about = filter ? describe(filter) : '';
  if (kind === 'tested') return about;
  const [frequency, length] = [counts.frequency(leaf), counts.length(leaf)];
  const times = frequency === 1 ? 'once' : `${Number(frequency.toPrecision(6))} times`;
  return `${about}: ${times} in ${length} ${length === 1 ? 'token' : 'tokens'}, weight ${Number(weight.toPrecision(6))}`;
}
