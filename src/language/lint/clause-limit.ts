import type { Filter } from '../meaning/filter.ts';

/** The default limit of the clauses that the engine joins in one search (section 7.8 of the language specification). */
export const clauseLimit = 1024;

/** The clauses of a filter as the engine counts them: one for each word, phrase, range or pattern on each field. */
export function countClauses(filter: Filter): number {
  switch (filter.kind) {
    case 'bool':
      return sum(filter.must) + sum(filter.should) + sum(filter.mustNot);
    case 'disMax':
      return sum(filter.filters);
    default:
      return 1;
  }
}

function sum(filters: readonly Filter[]): number {
  return filters.reduce((total, filter) => total + countClauses(filter), 0);
}
