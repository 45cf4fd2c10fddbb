import type { Document } from '../meaning/document.ts';
import type { Field } from '../meaning/fields.ts';
import type { Filter, FuzzyFilter, PhraseFilter, TermFilter } from '../meaning/filter.ts';
import { termTest } from '../meaning/term-test.ts';

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
    terms.has(term) || near.some((each) => termTest(each)(term));
  for (const document of documents) {
    for (const each of counted) {
      const tokens = document.terms(each.need.field);
      if (0 < tokens.length) each.documents += 1;
      each.tokens += tokens.length;
      for (const term of new Set(tokens))
        if (isNeeded(each.need, term)) each.terms.set(term, (each.terms.get(term) ?? 0) + 1);
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
  for (const [name, { documents, tokens, terms }] of sets.flatMap((each) => [...each])) {
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
