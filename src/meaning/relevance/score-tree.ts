import { fuzzySimilarity } from '../../patterns/fuzzy.ts';
import { nearestTerms } from '../expansion.ts';
import type { Bool, Filter, Fuzzy, Phrase, Term } from '../filter.ts';
import { inverseFrequency, type TermScore, termScore } from './bm25.ts';
import { multiplyBoosts, type Scored } from './scored.ts';
import type { FieldStatistics, Statistics } from './statistics.ts';

/** How a score comes about: a filter with its weights, in which terms near to another one are spelt out. */
export type ScoreNode = CountedNode | TestedNode | BestNode | SumNode;

/** A term or a phrase, scored by how often it occurs. */
export interface CountedNode {
  readonly kind: 'counted';
  /** The number of its leaf. */
  readonly leaf: number;
  readonly weight: number;
  readonly score: TermScore;
}

/** Anything else: every document that has it gets its weight. */
export interface TestedNode {
  readonly kind: 'tested';
  /** The number of its leaf. */
  readonly leaf: number;
  readonly weight: number;
}

/** The best of the parts counts. */
export interface BestNode {
  readonly kind: 'best';
  readonly parts: readonly ScoreNode[];
}

/** The parts that match add up, where all of it matches. */
export interface SumNode {
  readonly kind: 'sum';
  readonly must: readonly ScoreNode[];
  readonly should: readonly ScoreNode[];
  readonly mustNot: readonly ScoreNode[];
}

/** What the score of a document is made of: how often it has a term or a phrase, or whether it has something else. */
export type Leaf = Counted | TestedLeaf;

/** A term or a phrase: how often a document has it counts, and how long the field is. */
export interface Counted {
  readonly kind: 'counted';
  readonly filter: Term | Phrase;
  /** What a document matches that has it at all: for a term near to another one, that it has such a term. */
  readonly within: Filter;
}

/** Anything else: a document has it or not. */
export interface TestedLeaf {
  readonly kind: 'tested';
  readonly filter: Filter;
}

interface Writer {
  readonly boosts: Scored['boosts'];
  readonly fieldOf: (name: string) => KnownField;
  /** Keeps a leaf and gives back its number. */
  readonly keep: (leaf: Leaf) => number;
}

interface KnownField extends FieldStatistics {
  readonly score: TermScore;
}

/** The tree of a filter and its leaves by their numbers. */
export function toScoreTree(
  { filter, boosts }: Scored,
  statistics: Statistics,
): { readonly root: ScoreNode; readonly leaves: readonly Leaf[] } {
  const leaves: Leaf[] = [];
  const fields = new Map<string, KnownField>();
  const fieldOf = (name: string) => {
    const known = fields.get(name) ?? toKnownField(statistics.get(name));
    fields.set(name, known);
    return known;
  };
  const root = toNode(filter, 1, { boosts, fieldOf, keep: (leaf) => leaves.push(leaf) - 1 });
  return { root, leaves };
}

function toKnownField(known: FieldStatistics = { documents: 0, tokens: 0, terms: new Map() }): KnownField {
  return { ...known, score: termScore(known.documents === 0 ? 1 : known.tokens / known.documents) };
}

function toNode(filter: Filter, outer: number, writer: Writer): ScoreNode {
  const boost = multiplyBoosts(outer, writer.boosts.get(filter) ?? 1);
  switch (filter.kind) {
    case 'disMax':
      return { kind: 'best', parts: filter.filters.map((each) => toNode(each, boost, writer)) };
    case 'bool':
      return toSum(filter, boost, writer);
    case 'term':
    case 'phrase':
      return counted(filter, boost, writer);
    case 'fuzzy':
      return near(filter, boost, writer);
    default:
      // The engine does not count in how many documents a range or a pattern is.
      return { kind: 'tested', leaf: writer.keep({ kind: 'tested', filter }), weight: boost };
  }
}

function toSum({ must, should, mustNot }: Bool, boost: number, writer: Writer): SumNode {
  const scored = (parts: readonly Filter[]) => parts.map((each) => toNode(each, boost, writer));
  // Whatever is prohibited scores nothing: that a document has it is all that matters.
  const prohibited = mustNot.map(
    (filter): TestedNode => ({ kind: 'tested', leaf: writer.keep({ kind: 'tested', filter }), weight: 0 }),
  );
  return { kind: 'sum', must: scored(must), should: scored(should), mustNot: prohibited };
}

/** A phrase tells as much as its terms together. */
function counted(filter: Term | Phrase, boost: number, writer: Writer): ScoreNode {
  const { documents, terms, score } = writer.fieldOf(filter.field.name);
  const sought = filter.kind === 'term' ? [filter.term] : filter.terms;
  const frequencies = sought.map((term) => terms.get(term) ?? 0);
  // What no document has need not be looked for in each.
  if (frequencies.includes(0)) return nowhere;
  const told = frequencies.reduce((sum, count) => sum + inverseFrequency(count, documents), 0);
  const leaf = writer.keep({ kind: 'counted', filter, within: filter });
  return { kind: 'counted', leaf, weight: Math.fround(boost * Math.fround(told)), score };
}

/**
 * The terms that are near to one: each as much as it is alike, and all of them
 * as rare as the most frequent, so that a misspelling does not count more than the word.
 */
function near(filter: Fuzzy, boost: number, writer: Writer): ScoreNode {
  const { field } = filter;
  const { documents, terms, score } = writer.fieldOf(field.name);
  const expansion = filter.expansion ?? nearestTerms(filter, terms.keys());
  const found = expansion.flatMap((term) => {
    const count = terms.get(term);
    const similarity = fuzzySimilarity(filter.term, filter.edits, term);
    return count === undefined || similarity === undefined ? [] : [{ term, count, similarity }];
  });
  const told = inverseFrequency(
    found.reduce((most, { count }) => Math.max(most, count), 0),
    documents,
  );
  const should = found.map(({ term, similarity }): CountedNode => {
    const leaf = writer.keep({ kind: 'counted', filter: { kind: 'term', field, term }, within: filter });
    const weight = Math.fround(multiplyBoosts(boost, Math.max(0, similarity)) * told);
    return { kind: 'counted', leaf, weight, score };
  });
  return 0 < should.length ? { kind: 'sum', must: [], should, mustNot: [] } : nowhere;
}

/** What matches no document. */
const nowhere: ScoreNode = { kind: 'best', parts: [] };
