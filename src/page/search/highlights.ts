import type { Filter, Span } from '../../language/index.ts';
import { highlightMatches, parse, QueryTooComplex, resolve } from '../../language/index.ts';
import type { LogRow } from './use-pages.ts';

/** Returns the matches of a query in a log, by field. */
export type Highlighter = (log: LogRow['log']) => ReadonlyMap<string, readonly Span[]>;

const none: ReadonlyMap<string, readonly Span[]> = new Map();

/** Makes a highlighter of a query; each log is matched once. */
export function highlighterOf(query: string, now: number): Highlighter {
  const filter = filterOf(query, now);
  if (!filter) return () => none;
  const known = new WeakMap<object, ReadonlyMap<string, readonly Span[]>>();
  return (log) => {
    const found =
      known.get(log) ?? new Map(highlightMatches(filter, log).map(({ field, spans }) => [field, spans]));
    known.set(log, found);
    return found;
  };
}

function filterOf(query: string, now: number): Filter | undefined {
  if (query.trim() === '') return undefined;
  try {
    return resolve(parse(query).query, { now });
  } catch (error) {
    if (error instanceof QueryTooComplex) return undefined;
    throw error;
  }
}
