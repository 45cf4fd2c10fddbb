import { fuzzySimilarity, fuzzyTest, parseFloat32 } from '../automata/fuzzy.ts';
import { engines } from '../parse/engine.ts';
import type { Item, Query } from '../parse/tree.ts';
import type { Filter, FuzzyFilter } from './filter.ts';
import { compareCodePoints, type Document } from './match.ts';
import { type ResolveOptions, resolve } from './resolve.ts';

/** A filter with the boosts of its parts, which only the order by relevance needs. */
export interface Scored {
  readonly filter: Filter;
  /** Boosts by filter object; 1 for filters that are not in the map. */
  readonly boosts: ReadonlyMap<Filter, number>;
  /** The factor of the scores of words and phrases, by the engine; 1 if absent. */
  readonly termFactor?: number;
}

/**
 * Like `resolve`, with the boosts of the query. They change no match.
 *
 * ```ts
 * const { filter, boosts } = resolveScored(parse('timeout^2 database').query);
 * ```
 */
export function resolveScored(query: Query, options: Omit<ResolveOptions, 'onClause'> = {}): Scored {
  const boosts = new Map<Filter, number>();
  const filter = resolve(query, {
    ...options,
    onClause: ({ item }, part) => {
      const boost = boostOf(item);
      if (part && boost !== 1) boosts.set(part, multiplyBoosts(boost, boosts.get(part) ?? 1));
    },
  });
  const { termFactor } = options.engine ?? engines.deployment;
  return { filter, boosts, termFactor };
}

/** The same without prohibited parts at the top level, which no matching log has. */
export function withoutProhibited(scored: Scored): Scored {
  const { filter, boosts } = scored;
  if (filter.kind !== 'bool' || filter.mustNot.length === 0) return scored;
  const rest = { ...filter, mustNot: [] };
  const boost = boosts.get(filter);
  return {
    ...scored,
    filter: rest,
    boosts: boost === undefined ? boosts : new Map([...boosts, [rest, boost]]),
  };
}

/** The product of two boosts as in the engine, limited to the range of scores. */
export function multiplyBoosts(first: number, second: number): number {
  return Math.min(Math.fround(first * second), mostBoost);
}

// The sum of a million parts with this boost still fits into 32 bits. The engine refuses an infinite sum.
const mostBoost = 2 ** 100;

/** The number behind the `^` of an item. */
function boostOf(item: Item): number {
  if (item.kind === 'Missing') return 1;
  const token =
    item.kind === 'Range' || item.kind === 'Group'
      ? item.boost
      : item.suffixes.find(({ kind }) => kind === 'Boost');
  const boost = token && parseFloat32(token.text.slice(1));
  return boost === undefined ? 1 : Math.min(boost, mostBoost);
}

/**
 * Expands a fuzzy term: returns the most similar terms of an index, equally similar ones in the
 * order of code points. Without a limit, all terms that are near enough.
 */
export function nearestTerms(
  { term, edits, maxExpansions = Number.POSITIVE_INFINITY }: FuzzyFilter,
  terms: Iterable<string>,
): readonly string[] {
  const found: { readonly text: string; readonly similarity: number }[] = [];
  for (const text of new Set(terms)) {
    const similarity = fuzzySimilarity(term, edits, text);
    if (similarity !== undefined) found.push({ text, similarity });
  }
  found.sort((a, b) => b.similarity - a.similarity || compareCodePoints(a.text, b.text));
  return found.slice(0, maxExpansions).map(({ text }) => text);
}

/** The fuzzy filters that have a limit but no expansion yet, each object once. */
export function limitedFuzzy(filter: Filter): readonly FuzzyFilter[] {
  switch (filter.kind) {
    case 'fuzzy':
      return isLimited(filter) ? [filter] : [];
    case 'disMax':
      return [...new Set(filter.filters.flatMap(limitedFuzzy))];
    case 'bool':
      return [...new Set([...filter.must, ...filter.should, ...filter.mustNot].flatMap(limitedFuzzy))];
    default:
      return [];
  }
}

/** Without an edit there is one term, and nothing to choose. */
function isLimited({ term, edits, maxExpansions, expansion }: FuzzyFilter): boolean {
  return maxExpansions !== undefined && !expansion && 0 < edits && term !== '';
}

/**
 * The filter for documents that are searched together: its limited fuzzy terms expand to the
 * nearest terms of all of them.
 *
 * ```ts
 * const documents = [toDocument(log)];
 * matchDocument(expandOver(filter, documents), toDocument(log));
 * ```
 */
export function expandOver(filter: Filter, documents: readonly Document[]): Filter {
  const terms = limitedFuzzy(filter).map((filter): [FuzzyFilter, readonly string[]] => {
    const isNear = fuzzyTest(filter.term, filter.edits);
    return [
      filter,
      nearestTerms(
        filter,
        documents.flatMap(({ terms: of }) => of(filter.field).filter(isNear)),
      ),
    ];
  });
  return withExpansions({ filter, boosts: new Map() }, new Map(terms)).filter;
}

/** The same filter with expansions for its fuzzy terms. */
export function withExpansions(
  scored: Scored,
  expansions: ReadonlyMap<FuzzyFilter, readonly string[]>,
): Scored {
  if (expansions.size === 0) return scored;
  const { filter, boosts } = scored;
  const expandedBoosts = new Map<Filter, number>();
  return { ...scored, filter: expanded(filter), boosts: expandedBoosts };

  function expanded(filter: Filter): Filter {
    const result = rebuilt(filter);
    const boost = boosts.get(filter);
    if (boost !== undefined) expandedBoosts.set(result, boost);
    return result;
  }

  function rebuilt(filter: Filter): Filter {
    switch (filter.kind) {
      case 'fuzzy': {
        const expansion = expansions.get(filter);
        return expansion ? { ...filter, expansion } : filter;
      }
      case 'disMax':
        return { ...filter, filters: filter.filters.map(expanded) };
      case 'bool': {
        const { must, should, mustNot } = filter;
        return {
          ...filter,
          must: must.map(expanded),
          should: should.map(expanded),
          mustNot: mustNot.map(expanded),
        };
      }
      default:
        return filter;
    }
  }
}
