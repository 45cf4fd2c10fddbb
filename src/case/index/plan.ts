import {
  boolFilter,
  disMaxFilter,
  type Filter,
  type PhraseFilter,
  type RangeFilter,
  type TermFilter,
} from '../../language/index.ts';
import { fieldNumber } from '../../word-index/index.ts';

/** Division of a filter between the index and the logs. */
export interface IndexPlan {
  /** An equivalent filter that groups the parts for the index. */
  readonly filter: Filter;
  /** The parts that the index answers alone; none is within another. */
  readonly known: ReadonlySet<Filter>;
  /** The leaves of those parts. */
  readonly leaves: readonly Filter[];
  /** The filter uses the index: one without words does not. */
  readonly asksIndex: boolean;
}

/** Plans the evaluation of a filter with a token index. */
export function planIndexUse(filter: Filter): IndexPlan {
  const known = new Set<Filter>();
  const regrouped = regroup(filter, known);
  const leaves = [...known].flatMap(leavesOf);
  return {
    filter: regrouped,
    known,
    leaves,
    asksIndex: leaves.some((leaf) => 'field' in leaf && fieldNumber(leaf.field) !== undefined),
  };
}

/** Returns a range of times that all logs of a filter must be in, if it has one. */
export function requiredTimes(filter: Filter): RangeFilter | undefined {
  const required = filter.kind === 'bool' ? filter.must : [filter];
  return required.find((each): each is RangeFilter => each.kind === 'range' && isTime(each));
}

function isTime({ field }: RangeFilter): boolean {
  return field.type === 'date' && field.name === 'time';
}

/** Reports if the index alone answers a filter. */
function isIndexed(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return true;
    case 'phrase':
      return filter.slop === 0 && fieldNumber(filter.field) !== undefined;
    case 'term':
    case 'termRange':
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return fieldNumber(filter.field) !== undefined;
    case 'range':
      // The times of the logs are in memory.
      return isTime(filter) || fieldNumber(filter.field) !== undefined;
    case 'exists':
      return false;
    case 'disMax':
      return filter.filters.every(isIndexed);
    case 'bool':
      return [...filter.must, ...filter.mustNot, ...deciding(filter)].every(isIndexed);
  }
}

/** Optional clauses that select logs: beside a required one they only affect the relevance. */
function deciding({ must, should }: Extract<Filter, { kind: 'bool' }>): readonly Filter[] {
  return must.length === 0 ? should : [];
}

function regroup(filter: Filter, known: Set<Filter>): Filter {
  if (isIndexed(filter)) {
    known.add(filter);
    return filter;
  }
  if (filter.kind === 'phrase' && fieldNumber(filter.field) !== undefined) {
    // Only logs with all words can have them close to each other.
    const words = boolFilter({ must: phraseTerms(filter) });
    known.add(words);
    return boolFilter({ must: [words, filter] });
  }
  if (filter.kind === 'disMax') return anyOf(filter.filters, known);
  if (filter.kind !== 'bool') return filter;
  const should = deciding(filter);
  const must = should.length === 0 ? filter.must : [disMaxFilter(should)];
  const core = { must: must.filter(isIndexed), mustNot: filter.mustNot.filter(isIndexed) };
  const rest = (filters: readonly Filter[]) =>
    filters.filter((each) => !isIndexed(each)).map((each) => regroup(each, known));
  if (core.must.length + core.mustNot.length === 0)
    return boolFilter({ must: rest(must), mustNot: rest(filter.mustNot) });
  const together = boolFilter(core);
  known.add(together);
  return boolFilter({ must: [together, ...rest(must)], mustNot: rest(filter.mustNot) });
}

function anyOf(filters: readonly Filter[], known: Set<Filter>): Filter {
  const indexed = filters.filter(isIndexed);
  const rest = filters.filter((each) => !isIndexed(each)).map((each) => regroup(each, known));
  if (indexed.length === 0) return disMaxFilter(rest);
  const together = disMaxFilter(indexed);
  known.add(together);
  return disMaxFilter([together, ...rest]);
}

/** Returns the leaves of a filter that affect the selection. */
function leavesOf(filter: Filter): readonly Filter[] {
  if (filter.kind === 'disMax') return filter.filters.flatMap(leavesOf);
  if (filter.kind !== 'bool') return [filter];
  return [...filter.must, ...filter.mustNot, ...deciding(filter)].flatMap(leavesOf);
}

/** Returns the words of a phrase as filters. */
export function phraseTerms({ field, terms }: PhraseFilter): readonly TermFilter[] {
  return [...new Set(terms)].map((term) => ({ kind: 'term', field, term }));
}
