import type { Document } from '../meaning/document.ts';
import { matchDocument } from '../meaning/match.ts';
import { frequencyOf } from './frequency.ts';
import { type ScoreLeaf, type ScoreNode, toScoreTree } from './score-tree.ts';
import type { Scored } from './scored.ts';
import type { Statistics } from './statistics.ts';

/** The counts of one document, by leaf number. */
export interface Counts {
  /** The frequency of a leaf in the document; 1 or 0 for a tested one. */
  readonly frequency: (leaf: number) => number;
  /** The number of tokens in the field of a counted leaf, if the document matches the leaf. */
  readonly length: (leaf: number) => number;
}

/** Scores documents for one filter. */
export interface Scorer {
  /** The leaves to count in each document. */
  readonly leaves: readonly ScoreLeaf[];
  /** The computation of the score, for an explanation. */
  readonly root: ScoreNode;
  /** Returns the score of a document, or undefined if it does not match. Never negative, always finite. */
  readonly score: (counts: Counts) => number | undefined;
}

/**
 * Makes a scorer from a filter and the statistics of all documents (relevance in section 7 of the
 * language specification).
 *
 * ```ts
 * const scored = resolveScored(parse('timeout').query);
 * const scorer = toScorer(scored, statisticsOf([toDocument(log)], needsOf(scored.filter)));
 * ```
 */
export function toScorer(scored: Scored, statistics: Statistics): Scorer {
  const { root, leaves } = toScoreTree(scored, statistics);
  const score = compiled(root);
  return {
    root,
    leaves,
    score: (counts) => {
      const value = score(counts);
      return value === unmatched ? undefined : value;
    },
  };
}

/**
 * Returns the score of a document in memory, or undefined if it does not match.
 *
 * ```ts
 * const scored = resolveScored(parse('timeout').query);
 * const statistics = statisticsOf([toDocument(log)], needsOf(scored.filter));
 * scoreDocument(toScorer(scored, statistics), toDocument(log));
 * ```
 */
export function scoreDocument(scorer: Scorer, document: Document): number | undefined {
  return scorer.score(countsOf(scorer, document));
}

/**
 * Counts the leaves of a scorer in a document in memory.
 *
 * ```ts
 * const scorer = toScorer(resolveScored(parse('timeout').query), new Map());
 * const counts = countsOf(scorer, toDocument(log));
 * ```
 */
export function countsOf({ leaves }: Scorer, document: Document): Counts {
  return {
    frequency: (number) => {
      const leaf = leaves[number];
      if (!leaf) return 0;
      if (leaf.kind === 'tested') return matchDocument(leaf.filter, document) ? 1 : 0;
      return frequencyOf(leaf.filter, document.terms(leaf.filter.field));
    },
    length: (number) => {
      const leaf = leaves[number];
      return leaf?.kind === 'counted' ? document.terms(leaf.filter.field).length : 0;
    },
  };
}

/** Returns the score of a part, or undefined if it does not match. */
export function scoreOf(node: ScoreNode, counts: Counts): number | undefined {
  const value = compiled(node)(counts);
  return value === unmatched ? undefined : value;
}

/** The score of a part that does not match: no score is negative. */
const unmatched = -1;

type Score = (counts: Counts) => number;

/** Compiled to functions once, since every document calls them. */
function compiled(node: ScoreNode): Score {
  switch (node.kind) {
    case 'counted': {
      const { leaf, weight, score } = node;
      return (counts) => {
        const frequency = counts.frequency(leaf);
        return 0 < frequency ? score(weight, frequency, counts.length(leaf)) : unmatched;
      };
    }
    case 'tested': {
      const { leaf, weight } = node;
      return (counts) => (0 < counts.frequency(leaf) ? weight : unmatched);
    }
    case 'best': {
      const parts = node.parts.map(compiled);
      return (counts) => parts.reduce((best, score) => Math.max(best, score(counts)), unmatched);
    }
    case 'sum':
      return sum(node);
  }
}

/** Adds up the scores of the matching parts if the whole matches, by the rules of `match`. */
function sum({ must, should, mustNot }: Extract<ScoreNode, { kind: 'sum' }>): Score {
  const [required, optional, prohibited] = [must, should, mustNot].map((each) => each.map(compiled));
  const needsOptional = must.length === 0 && 0 < should.length;
  return (counts) => {
    let total = 0;
    for (const score of required ?? []) {
      const value = score(counts);
      if (value === unmatched) return unmatched;
      total += value;
    }
    let isOptionalThere = false;
    for (const score of optional ?? []) {
      const value = score(counts);
      if (value === unmatched) continue;
      isOptionalThere = true;
      total += value;
    }
    if (needsOptional && !isOptionalThere) return unmatched;
    if (prohibited?.some((score) => score(counts) !== unmatched)) return unmatched;
    return Math.fround(total);
  };
}
