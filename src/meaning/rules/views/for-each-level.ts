import type { Part, Query } from '../../../language/tree.ts';
import { walk } from '../../../language/walk.ts';

/** Looks at the parts of every level of a query, outer ones first. */
export function forEachLevel(query: Query, look: (parts: readonly Part[]) => void): void {
  walk(query, { Query: ({ parts }) => look(parts), Group: ({ parts }) => look(parts) });
}
