import { explicit } from '../meaning/explicit.ts';
import type { Filter } from '../meaning/filter.ts';
import { type ResolveOptions, resolve } from '../meaning/resolve.ts';
import { parse } from '../parse/parse.ts';

/**
 * Adds required clauses to a query, in a form that both readings take alike.
 * Without a query the clauses alone are joined.
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
export function filterOfText(query: string, options: ResolveOptions = {}): Filter {
  return resolve(parse(query).query, options);
}
