import type { EngineName, Scored } from '../../language/index.ts';
import { describe, explain, explainLines, type Filter, matchAllFilter, parse } from '../../language/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  joinLogFilters,
  type LogFilters,
  type LogFilterValues,
  logFilterParts,
  readLogFilters,
} from './log-filters.ts';
import { engineContext, readScoredFilter } from './read-query.ts';

/** A query with the options that select logs beside it. */
export interface FilteredQuery {
  /** Absent: every log. */
  readonly query: string | undefined;
  readonly engine: EngineName | undefined;
  readonly options: LogFilterValues;
  /** The time of "now", milliseconds since the epoch. */
  readonly now: number;
}

/** A query joined with the options, and the filter of the query alone. */
export interface FilteredScored extends Scored {
  readonly query: Filter;
}

/**
 * Reads a query and joins the options that select logs. Reports its findings; undefined if it has
 * errors. Throws a `UsageError` for options that contradict each other.
 */
export function readFilteredQuery(
  { query, engine, options, now }: FilteredQuery,
  terminal: Terminal,
): FilteredScored | undefined {
  const filters = readLogFilters(options, now);
  const scored =
    query === undefined
      ? { filter: matchAllFilter, boosts: new Map() }
      : readScoredFilter(query, engine, terminal, now);
  return scored && { ...joinLogFilters(scored, filters), query: scored.filter };
}

/** Explains a query and the options beside it, a line for each part. */
export function explainFilteredQuery({ query = '*:*', engine, options, now }: FilteredQuery): string[] {
  return [
    ...explainLines(explain(parse(query).query, { now, ...engineContext(engine) })),
    ...logFilterLines(readLogFilters(options, now), options.zone),
  ];
}

/** Describes the options that select logs beside a query, a line for each. */
export function logFilterLines(filters: LogFilters | undefined, zone?: TimeZone): string[] {
  return logFilterParts(filters, zone).map(({ text, filter }) => `must match  ${text}  ${describe(filter)}`);
}
