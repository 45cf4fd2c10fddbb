import { type EngineName, engines } from '../../language/engine.ts';
import { parse } from '../../language/parse.ts';
import type { Clause } from '../../language/tree.ts';
import type { Filter } from '../../meaning/filter.ts';
import { resolve } from '../../meaning/resolve.ts';
import type { QueryPart } from './poor-result.ts';

/** Returns the clauses of a query that are no groups, in order; words that are one clause together are one. */
export function queryParts(text: string, engine?: EngineName): readonly QueryPart[] {
  const texts = new Map<Filter, string[]>();
  const onClause = ({ field, item, to }: Clause, filter: Filter | undefined) => {
    if (item.kind === 'Group' || filter === undefined) return;
    const own = text.slice(field?.from ?? item.from, to).trim();
    texts.set(filter, [...(texts.get(filter) ?? []), own]);
  };
  resolve(parse(text).query, {
    now: Date.now(),
    ...(engine !== undefined && { engine: engines[engine] }),
    onClause,
  });
  return [...texts].map(([filter, words]) => ({ text: words.join(' '), filter }));
}
