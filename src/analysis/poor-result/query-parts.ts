import type { Clause, Filter, Span } from '../../language/index.ts';
import { type EngineName, engines, parse, resolve } from '../../language/index.ts';
import type { QueryPart } from './poor-result.ts';

/** A clause of a query with its span; `item` is that of its words if they stand in one item. */
export interface PlacedPart extends QueryPart, Span {
  readonly item?: Clause['item'];
}

/**
 * Returns the clauses of a query that are no groups, in order; words that are one clause together are one.
 *
 * ```ts
 * for (const { text, filter } of queryParts('msg:timeout AND logLevel:SEVERE')) {
 *   console.log(text, await countLogs(incident, filter));
 * }
 * ```
 */
export function queryParts(text: string, engine?: EngineName): readonly PlacedPart[] {
  const clauses = new Map<Filter, Clause[]>();
  const onClause = (clause: Clause, filter: Filter | undefined) => {
    if (clause.item.kind === 'Group' || filter === undefined) return;
    clauses.set(filter, [...(clauses.get(filter) ?? []), clause]);
  };
  resolve(parse(text).query, {
    now: Date.now(),
    ...(engine !== undefined && { engine: engines[engine] }),
    onClause,
  });
  return [...clauses].map(([filter, own]) => placedPart(text, filter, own));
}

function placedPart(text: string, filter: Filter, clauses: readonly Clause[]): PlacedPart {
  const spans = clauses.map(({ field, item, to }) => ({ from: field?.from ?? item.from, to }));
  const words = spans.map(({ from, to }) => text.slice(from, to).trim());
  const [first, second] = clauses;
  return {
    ...{ text: words.join(' '), filter },
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
    ...(first && !second && { item: first.item }),
  };
}
