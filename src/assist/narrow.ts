import { parse } from '../language/parse.ts';
import { explicit } from '../meaning/explicit.ts';
import type { Filter } from '../meaning/filter.ts';
import { type ResolveOptions, resolve } from '../meaning/resolve.ts';

/**
 * A query that selects what the given one selects and all clauses as well, in a
 * form that every reading takes alike. Without a query it is the clauses alone.
 *
 * ```ts
 * narrow('a OR b AND c', ['time:[1 TO 2]']); // '(b AND c) AND time:[1 TO 2]'
 * ```
 */
export function narrow(query: string | undefined, clauses: readonly string[]): string {
  const own = query === undefined ? [] : [explicit(parse(query).query).text];
  const parts = [...own, ...clauses];
  return parts.length === 1 ? parts.join('') : [...own.map((text) => `(${text})`), ...clauses].join(' AND ');
}

/** The filter of a query as the server reads it. */
export function filterOf(query: string, options: ResolveOptions = {}): Filter {
  return resolve(parse(query).query, options);
}
