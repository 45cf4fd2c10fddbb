import { bool, disMax, type Filter, type Phrase, type Range, type Term } from '../../meaning/filter.ts';
import { fieldNumber } from '../index-tables/indexed-fields.ts';

/** What to ask of the index, and what of the logs. */
export interface Plan {
  /** A filter that selects the same logs, in which the parts for the index stand together. */
  readonly filter: Filter;
  /** The parts of it that the index answers by itself: none of them lies within another. */
  readonly known: ReadonlySet<Filter>;
  /** The leaves of those parts. */
  readonly leaves: readonly Filter[];
  /** Whether the index is asked for anything: a filter without words has no use for it. */
  readonly asksIndex: boolean;
}

/** How a filter is evaluated where there is an index of tokens. */
export function planOf(filter: Filter): Plan {
  const known = new Set<Filter>();
  const regrouped = regroup(filter, known);
  const leaves = [...known].flatMap(leavesOf);
  return {
    filter: regrouped,
    known,
    leaves,
    asksIndex: leaves.some(({ kind }) => kind !== 'all' && kind !== 'none' && kind !== 'range'),
  };
}

/** The range of times in which all logs of a filter have to lie, where it names one. */
export function requiredTimes(filter: Filter): Range | undefined {
  const required = filter.kind === 'bool' ? filter.must : [filter];
  return required.find((each): each is Range => each.kind === 'range' && isTime(each));
}

function isTime({ field }: Range): boolean {
  return field.type === 'date' && field.name === 'time';
}

/** Whether the index says by itself which logs a filter selects. */
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
      // The times of the logs are held in memory.
      return isTime(filter);
    case 'exists':
      return false;
    case 'disMax':
      return filter.filters.every(isIndexed);
    case 'bool':
      return [...filter.must, ...filter.mustNot, ...deciding(filter)].every(isIndexed);
  }
}

/** The optional clauses that decide: beside a required one they change the relevance alone. */
function deciding({ must, should }: Extract<Filter, { kind: 'bool' }>): readonly Filter[] {
  return must.length === 0 ? should : [];
}

function regroup(filter: Filter, known: Set<Filter>): Filter {
  if (isIndexed(filter)) {
    known.add(filter);
    return filter;
  }
  if (filter.kind === 'phrase' && fieldNumber(filter.field) !== undefined) {
    // Only logs with all of the words can have them near each other.
    const words = bool({ must: wordsOf(filter) });
    known.add(words);
    return bool({ must: [words, filter] });
  }
  if (filter.kind === 'disMax') return anyOf(filter.filters, known);
  if (filter.kind !== 'bool') return filter;
  const should = deciding(filter);
  const must = should.length === 0 ? filter.must : [disMax(should)];
  const core = { must: must.filter(isIndexed), mustNot: filter.mustNot.filter(isIndexed) };
  const rest = (filters: readonly Filter[]) =>
    filters.filter((each) => !isIndexed(each)).map((each) => regroup(each, known));
  if (core.must.length + core.mustNot.length === 0)
    return bool({ must: rest(must), mustNot: rest(filter.mustNot) });
  const together = bool(core);
  known.add(together);
  return bool({ must: [together, ...rest(must)], mustNot: rest(filter.mustNot) });
}

function anyOf(filters: readonly Filter[], known: Set<Filter>): Filter {
  const indexed = filters.filter(isIndexed);
  const rest = filters.filter((each) => !isIndexed(each)).map((each) => regroup(each, known));
  if (indexed.length === 0) return disMax(rest);
  const together = disMax(indexed);
  known.add(together);
  return disMax([together, ...rest]);
}

/** The leaves of a filter that decide which logs it selects. */
function leavesOf(filter: Filter): readonly Filter[] {
  if (filter.kind === 'disMax') return filter.filters.flatMap(leavesOf);
  if (filter.kind !== 'bool') return [filter];
  return [...filter.must, ...filter.mustNot, ...deciding(filter)].flatMap(leavesOf);
}

/** The words of a phrase as filters of their own. */
export function wordsOf({ field, terms }: Phrase): readonly Term[] {
  return [...new Set(terms)].map((term) => ({ kind: 'term', field, term }));
}
