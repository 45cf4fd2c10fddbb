import type { BoolFilter, Filter, RangeFilter } from '../../language/index.ts';

/**
 * A query in the documented language for exactly the logs of a filter; undefined where it has
 * none. Only comparisons of codes have one: the language compares words of texts, rules compare
 * whole values.
 */
export function filterQuery(filter: Filter): string | undefined {
  switch (filter.kind) {
    case 'range':
      return rangeQuery(filter);
    case 'disMax':
      return joinedQuery(filter.filters, ' OR ');
    case 'bool':
      return boolQuery(filter);
    default:
      return undefined;
  }
}

function rangeQuery({ field, lower, upper }: RangeFilter): string | undefined {
  if (field.type !== 'integer' || !lower?.inclusive || !upper?.inclusive) return undefined;
  if (lower.value < 0) return undefined;
  return lower.value === upper.value
    ? `${field.name}:${lower.value}`
    : `${field.name}:[${lower.value} TO ${upper.value}]`;
}

function boolQuery({ must, should, mustNot }: BoolFilter): string | undefined {
  if (0 < should.length || must.length === 0) return undefined;
  const [required, excluded] = [must.map(filterQuery), mustNot.map(filterQuery)];
  if ([...required, ...excluded].includes(undefined)) return undefined;
  const clauses = [...required, ...excluded.map((each) => `NOT ${each}`)];
  return clauses.length === 1 ? clauses[0] : `(${clauses.join(' AND ')})`;
}

function joinedQuery(filters: readonly Filter[], operator: string): string | undefined {
  const queries = filters.map(filterQuery);
  return queries.includes(undefined) ? undefined : `(${queries.join(operator)})`;
}
