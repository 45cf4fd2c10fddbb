import { fuzzySimilarity } from '../automata/fuzzy.ts';
import { sloppyMatches } from '../automata/phrase.ts';
import { describe } from './describe.ts';
import type { BoolFilter, Filter, FuzzyFilter, PhraseFilter, TermFilter } from './filter.ts';
import { assertRunnable, type Document, isMatch, termTest } from './match.ts';
import type { Field } from './schema.ts';
import { multiplyBoosts, nearestTerms, type Scored } from './scored.ts';

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
 * language specification). Throws `QueryTooComplex` if matching the filter would take too long.
 *
 * ```ts
 * const scored = resolveScored(parse('timeout').query);
 * const scorer = toScorer(scored, statisticsOf([toDocument(log)], needsOf(scored.filter)));
 * ```
 */
export function toScorer(scored: Scored, statistics: Statistics): Scorer {
  assertRunnable(scored.filter);
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
      if (leaf.kind === 'tested') return isMatch(leaf.filter, document) ? 1 : 0;
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
  const [required, optional, prohibited] = [must, should, mustNot].map((nodes) => nodes.map(compiled));
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
  readonly termFactor: number;
  readonly fieldOf: (name: string) => KnownField;
  /** Stores a leaf and returns its number. */
  readonly addLeaf: (leaf: ScoreLeaf) => number;
}

interface KnownField extends FieldStatistics {
  readonly score: TermScore;
}

/** Returns the tree of a filter, and its leaves by number. */
export function toScoreTree(
  { filter, boosts, termFactor = 1 }: Scored,
  statistics: Statistics,
): { readonly root: ScoreNode; readonly leaves: readonly ScoreLeaf[] } {
  const leaves: ScoreLeaf[] = [];
  const fields = new Map<string, KnownField>();
  const fieldOf = (name: string) => {
    const known = fields.get(name) ?? toKnownField(statistics.get(name));
    fields.set(name, known);
    return known;
  };
  const addLeaf = (leaf: ScoreLeaf) => leaves.push(leaf) - 1;
  const root = toNode(filter, 1, { boosts, termFactor: Math.fround(termFactor), fieldOf, addLeaf });
  return { root, leaves };
}

function toKnownField(known: FieldStatistics = { documents: 0, tokens: 0, terms: new Map() }): KnownField {
  return { ...known, score: termScore(known.documents === 0 ? 1 : known.tokens / known.documents) };
}

function toNode(filter: Filter, outer: number, writer: Writer): ScoreNode {
  const boost = multiplyBoosts(outer, writer.boosts.get(filter) ?? 1);
  switch (filter.kind) {
    case 'disMax':
      return { kind: 'best', parts: filter.filters.map((filter) => toNode(filter, boost, writer)) };
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
  const scored = (parts: readonly Filter[]) => parts.map((part) => toNode(part, boost, writer));
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
  return { kind: 'counted', leaf, weight: termWeight(boost, rarity, writer), score };
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
    found.reduce((max, { count }) => Math.max(max, count), 0),
    documents,
  );
  const should = found.map(({ term, similarity }): CountedNode => {
    const leaf = writer.addLeaf({
      kind: 'counted',
      filter: { kind: 'term', field, term },
      condition: filter,
    });
    const weight = termWeight(multiplyBoosts(boost, Math.max(0, similarity)), rarity, writer);
    return { kind: 'counted', leaf, weight, score };
  });
  return 0 < should.length ? { kind: 'sum', must: [], should, mustNot: [] } : nowhere;
}

/** The weight of a term in 32-bit floats, like the engine. */
function termWeight(boost: number, rarity: number, { termFactor }: Writer): number {
  return fround(multiplyBoosts(boost, termFactor) * fround(rarity));
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

/** The statistics that a filter needs of a field. */
export interface FieldNeeds {
  readonly field: Field;
  readonly terms: ReadonlySet<string>;
  /** Fuzzy terms, whose near terms are needed. */
  readonly near: readonly FuzzyFilter[];
}

/** The statistics of a field over all documents. */
export interface FieldStatistics {
  /** The number of documents with the field: a text field has at least one token. */
  readonly documents: number;
  /** The number of its tokens in all documents. */
  readonly tokens: number;
  /** The number of documents with each needed term. */
  readonly terms: ReadonlyMap<string, number>;
}

/** The statistics of all documents, by field name. */
export type Statistics = ReadonlyMap<string, FieldStatistics>;

/**
 * Returns the statistics that the scores of a filter depend on.
 *
 * ```ts
 * const statistics = statisticsOf([toDocument(log)], needsOf(filter));
 * ```
 */
export function needsOf(filter: Filter): readonly FieldNeeds[] {
  const needs = new Map<string, { field: Field; terms: Set<string>; near: FuzzyFilter[] }>();
  for (const part of countedParts(filter)) {
    const { field } = part;
    const known = needs.get(field.name) ?? { field, terms: new Set<string>(), near: [] };
    needs.set(field.name, known);
    if (part.kind === 'fuzzy') known.near.push(part);
    else for (const term of part.kind === 'term' ? [part.term] : part.terms) known.terms.add(term);
  }
  return [...needs.values()];
}

/** The parts whose scores depend on their frequency. Prohibited ones score nothing. */
function countedParts(filter: Filter): readonly (TermFilter | PhraseFilter | FuzzyFilter)[] {
  switch (filter.kind) {
    case 'disMax':
      return filter.filters.flatMap(countedParts);
    case 'bool':
      return [...filter.must, ...filter.should].flatMap(countedParts);
    case 'term':
    case 'phrase':
    case 'fuzzy':
      return [filter];
    default:
      return [];
  }
}

/**
 * Computes the statistics of documents in one pass.
 *
 * ```ts
 * const statistics = statisticsOf([toDocument(log)], needsOf(filter));
 * ```
 */
export function statisticsOf(documents: Iterable<Document>, needs: readonly FieldNeeds[]): Statistics {
  const counted = needs.map((need) => ({ need, documents: 0, tokens: 0, terms: new Map<string, number>() }));
  const isNeeded = ({ terms, near }: FieldNeeds, term: string) =>
    terms.has(term) || near.some((filter) => termTest(filter)(term));
  for (const document of documents) {
    for (const counter of counted) {
      const tokens = document.terms(counter.need.field);
      if (0 < tokens.length) counter.documents += 1;
      counter.tokens += tokens.length;
      for (const term of new Set(tokens))
        if (isNeeded(counter.need, term)) counter.terms.set(term, (counter.terms.get(term) ?? 0) + 1);
    }
  }
  return new Map(counted.map(({ need, ...known }) => [need.field.name, known]));
}

/**
 * Merges the statistics of several sets of documents.
 *
 * ```ts
 * const needs = needsOf(filter);
 * joinStatistics([statisticsOf([toDocument(log)], needs), statisticsOf([], needs)]);
 * ```
 */
export function joinStatistics(sets: readonly Statistics[]): Statistics {
  const joined = new Map<string, FieldStatistics>();
  for (const [name, { documents, tokens, terms }] of sets.flatMap((statistics) => [...statistics])) {
    const before = joined.get(name) ?? { documents: 0, tokens: 0, terms: new Map<string, number>() };
    const counts = new Map(before.terms);
    for (const [term, count] of terms) counts.set(term, (counts.get(term) ?? 0) + count);
    joined.set(name, {
      documents: before.documents + documents,
      tokens: before.tokens + tokens,
      terms: counts,
    });
  }
  return joined;
}

/**
 * The engine stores the length of a field, in tokens, in one byte. Lengths below 24 are exact,
 * longer ones have the four highest bits of the rest beyond 24. Texts whose lengths share a
 * byte have equal length for it.
 */
const exact = 24;

/** The number of bits of a length that are stored. */
const keptBits = 4;

/** The byte for a length of at least 0. */
export function toLengthByte(length: number): number {
  if (length < exact) return length;
  const beyond = length - exact;
  const shift = Math.max(0, 32 - Math.clz32(beyond) - keptBits);
  // The highest bit is always set where bits were cut off, so it is not stored.
  return shift === 0 ? exact + beyond : exact + ((shift + 1) << 3) + ((beyond >>> shift) & 7);
}

/** The least length of a byte. */
export function fromLengthByte(byte: number): number {
  if (byte < exact) return byte;
  const [bits, shift] = [(byte - exact) & 7, ((byte - exact) >>> 3) - 1];
  return shift < 0 ? exact + bits : exact + (bits + 8) * 2 ** shift;
}

/**
 * The frequency of a term or a phrase in tokens. A match of a sloppy phrase counts less with each
 * move: a half for one, a third for two.
 */
export function frequencyOf(filter: TermFilter | PhraseFilter, tokens: readonly string[]): number {
  if (filter.kind === 'term')
    return tokens.reduce((sum, token) => (token === filter.term ? sum + 1 : sum), 0);
  const { terms, slop } = filter;
  if (slop === 0) {
    const startsHere = (start: number) => terms.every((term, offset) => tokens[start + offset] === term);
    return tokens.reduce((sum, _, start) => (startsHere(start) ? sum + 1 : sum), 0);
  }
  let sum = 0;
  for (const moves of sloppyMatches(terms, slop, tokens))
    sum = Math.fround(sum + Math.fround(1 / (1 + moves)));
  return sum;
}

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
    nodes.map((node) => explained(node, context)).filter((part) => part !== undefined);
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
