import type { Query } from '../parse/tree.ts';

/** The parts of a level as a query of their own. */
export function queryOfParts(parts: Query['parts']): Query {
  const to = parts.at(-1)?.to ?? 0;
  return { kind: 'Query', from: 0, to, parts, end: { kind: 'End', before: '', text: '', from: to, to } };
}
