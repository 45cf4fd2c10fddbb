import { fuzzySimilarity } from '../automata/fuzzy.ts';
import type { BoolFilter, Filter, FuzzyFilter, PhraseFilter, TermFilter } from '../meaning/filter.ts';
import { nearestTerms } from './expansion.ts';
import { fromLengthByte, toLengthByte } from './length-byte.ts';
import { multiplyBoosts, type Scored } from './scored.ts';
import type { FieldStatistics, Statistics } from './statistics.ts';

/** The computation of a score: a filter with its weights, whose fuzzy terms are expanded. */
export type ScoreNode = CountedNode | TestedNode | BestNode | SumNode;

/** A term or a phrase, scored by its frequency. */
export interface CountedNode {
  readonly kind: 'counted';
  /** The number of its leaf. */
  readonly leaf: number;
  readonly weight: number;
  readonly score: TermScore;
}

/** Any other leaf: every matching document gets its weight. */
export interface TestedNode {
  readonly kind: 'tested';
  /** The number of its leaf. */
  readonly leaf: number;
  readonly weight: number;
}

/** The maximum of the parts. */
export interface BestNode {
  readonly kind: 'best';
  readonly parts: readonly ScoreNode[];
}

/** The sum of the matching parts, if the whole matches. */
export interface SumNode {
  readonly kind: 'sum';
  readonly must: readonly ScoreNode[];
  readonly should: readonly ScoreNode[];
  readonly mustNot: readonly ScoreNode[];
}

/** An input of a score: the frequency of a term or a phrase, or whether another filter matches. */
export type ScoreLeaf = CountedLeaf | TestedLeaf;

/** A term or a phrase, with its frequency and the length of its field. */
export interface CountedLeaf {
  readonly kind: 'counted';
  readonly filter: TermFilter | PhraseFilter;
  /** The filter that selects the documents to count in; for an expanded term the fuzzy filter. */
  readonly condition: Filter;
}

/** Any other filter, which matches a document or not. */
export interface TestedLeaf {
  readonly kind: 'tested';
  readonly filter: Filter;
}

interface Writer {
  readonly boosts: Scored['boosts'];
  readonly fieldOf: (name: string) => KnownField;
  /** Stores a leaf and returns its number. */
  readonly addLeaf: (leaf: ScoreLeaf) => number;
}

interface KnownField extends FieldStatistics {
  readonly score: TermScore;
}

/** Returns the tree of a filter, and its leaves by number. */
export function toScoreTree(
  { filter, boosts }: Scored,
  statistics: Statistics,
): { readonly root: ScoreNode; readonly leaves: readonly ScoreLeaf[] } {
  const leaves: ScoreLeaf[] = [];
  const fields = new Map<string, KnownField>();
  const fieldOf = (name: string) => {
    const known = fields.get(name) ?? toKnownField(statistics.get(name));
    fields.set(name, known);
    return known;
  };
  const root = toNode(filter, 1, { boosts, fieldOf, addLeaf: (leaf) => leaves.push(leaf) - 1 });
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
      // A part without weight needs no statistics, which whole values of text fields do not have.
      return boost === 0 ? tested(filter, 0, writer) : counted(filter, boost, writer);
    case 'fuzzy':
      return near(filter, boost, writer);
    default:
      // The engine does not count the documents that a range or a pattern matches.
      return tested(filter, boost, writer);
  }
}

function tested(filter: Filter, weight: number, writer: Writer): TestedNode {
  return { kind: 'tested', leaf: writer.addLeaf({ kind: 'tested', filter }), weight };
}

function toSum({ must, should, mustNot }: BoolFilter, boost: number, writer: Writer): SumNode {
  const scored = (parts: readonly Filter[]) => parts.map((each) => toNode(each, boost, writer));
  // Prohibited parts score nothing; only their match matters.
  const prohibited = mustNot.map((filter) => tested(filter, 0, writer));
  return { kind: 'sum', must: scored(must), should: scored(should), mustNot: prohibited };
}

/** The weight of a phrase is that of all its terms together. */
function counted(filter: TermFilter | PhraseFilter, boost: number, writer: Writer): ScoreNode {
  const { documents, terms, score } = writer.fieldOf(filter.field.name);
  const searchTerms = filter.kind === 'term' ? [filter.term] : filter.terms;
  const frequencies = searchTerms.map((term) => terms.get(term) ?? 0);
  // A term in no document needs no search in each.
  if (frequencies.includes(0)) return nowhere;
  const rarity = frequencies.reduce((sum, count) => sum + inverseFrequency(count, documents), 0);
  const leaf = writer.addLeaf({ kind: 'counted', filter, condition: filter });
  return { kind: 'counted', leaf, weight: Math.fround(boost * Math.fround(rarity)), score };
}

/**
 * The expansion of a fuzzy term. Each term counts by its similarity, with the document frequency
 * of the most frequent one, so a misspelling does not count more than the word.
 */
function near(filter: FuzzyFilter, boost: number, writer: Writer): ScoreNode {
  const { field } = filter;
  const { documents, terms, score } = writer.fieldOf(field.name);
  const expansion = filter.expansion ?? nearestTerms(filter, terms.keys());
  const found = expansion.flatMap((term) => {
    const count = terms.get(term);
    const similarity = fuzzySimilarity(filter.term, filter.edits, term);
    return count === undefined || similarity === undefined ? [] : [{ term, count, similarity }];
  });
  const rarity = inverseFrequency(
    found.reduce((most, { count }) => Math.max(most, count), 0),
    documents,
  );
  const should = found.map(({ term, similarity }): CountedNode => {
    const leaf = writer.addLeaf({
      kind: 'counted',
      filter: { kind: 'term', field, term },
      condition: filter,
    });
    const weight = Math.fround(multiplyBoosts(boost, Math.max(0, similarity)) * rarity);
    return { kind: 'counted', leaf, weight, score };
  });
  return 0 < should.length ? { kind: 'sum', must: [], should, mustNot: [] } : nowhere;
}

/** Matches no document. */
const nowhere: ScoreNode = { kind: 'best', parts: [] };

/**
 * BM25 in 32-bit floats, like the engine, so that both have the same ties (relevance in section 7
 * of the language specification).
 */

const { fround } = Math;

/** The saturation of the term frequency. */
const k1 = fround(1.2);

/** The weight of the field length. */
const b = fround(0.75);

/** The inverse document frequency of a term, from the documents with the term and those with its field. */
function inverseFrequency(withTerm: number, withField: number): number {
  return fround(Math.log(1 + (withField - withTerm + 0.5) / (withTerm + 0.5)));
}

/**
 * The score of a term in a document. `weight` is its boost times its inverse frequency, `length`
 * the length of the field in tokens.
 */
type TermScore = (weight: number, frequency: number, length: number) => number;

/** The scores in a field of a given average length in tokens. */
export function termScore(averageLength: number): TermScore {
  const average = fround(averageLength);
  const inverses = Float32Array.from({ length: 256 }, (_, byte) => {
    const relative = fround(fround(b * fround(fromLengthByte(byte))) / average);
    return fround(1 / fround(k1 * fround(fround(1 - b) + relative)));
  });
  return (weight, frequency, length) => {
    const saturation = fround(fround(frequency) * (inverses[toLengthByte(length)] ?? 0));
    return fround(weight - fround(weight / fround(1 + saturation)));
  };
}
