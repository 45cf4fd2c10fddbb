import type { DuckDBConnection } from '@duckdb/node-api';
import { disMaxFilter, type Filter, matchAllFilter, type TermFilter } from '../../meaning/filter.ts';
import {
  type FieldNeeds,
  type FieldStatistics,
  needsOf,
  type Statistics,
} from '../../meaning/relevance/statistics.ts';
import { type SqlParameter, termCondition } from '../../translate/duckdb.ts';
import type { Case } from '../case/case.ts';
import { findHits } from '../token-index/hits.ts';
import { fieldLengths } from './field-lengths.ts';
import { countNearTerms } from './near-terms.ts';
import { withSearch } from './search.ts';
import { termsColumn } from './tokens-sql.ts';

/** Computes the statistics of all logs of a case on which the relevance for a filter depends. */
export async function relevanceStatistics(from: Case, filter: Filter): Promise<Statistics> {
  const needs = needsOf(filter);
  return withSearch(from, matchAllFilter, async ({ connection }) => {
    const lengths = await fieldLengths(
      from,
      connection,
      needs.map(({ field }) => field),
    );
    const counts = await countTerms(from, connection, needs);
    const found = new Map<string, FieldStatistics>();
    for (const need of needs) {
      const { field } = need;
      const terms = new Map([...(counts.get(field.name) ?? []), ...(await countNearTerms(connection, need))]);
      found.set(field.name, { ...(lengths.get(termsColumn(field)) ?? { documents: 0, tokens: 0 }), terms });
    }
    return found;
  });
}

/** By field name, then by term. */
type Counts = Map<string, Map<string, number>>;

/** Counts the logs that have each of the terms. */
async function countTerms(
  from: Case,
  connection: DuckDBConnection,
  needs: readonly FieldNeeds[],
): Promise<Counts> {
  const counts: Counts = new Map(needs.map(({ field }) => [field.name, new Map()]));
  const asked = needs.flatMap(({ field, terms }) =>
    [...terms].map((term): TermFilter => ({ kind: 'term', field, term })),
  );
  // One lookup for all caches them for the single lookups below.
  if (1 < asked.length) await findHits(from, connection, disMaxFilter(asked));
  const missing: TermFilter[] = [];
  for (const each of asked) {
    const hits = await findHits(from, connection, each);
    if (hits) counts.get(each.field.name)?.set(each.term, hits.count);
    else missing.push(each);
  }
  await countInTexts(connection, missing, counts);
  return counts;
}

/** Counts the terms that are not indexed, in one scan of the texts. */
async function countInTexts(
  connection: DuckDBConnection,
  missing: readonly TermFilter[],
  counts: Counts,
): Promise<void> {
  if (missing.length === 0) return;
  const parameters: SqlParameter[] = [];
  const bind = (value: SqlParameter) => `$${parameters.push(value)}`;
  const columns = missing.map((each) => `count(*) FILTER (WHERE ${termCondition(each, { bind })})::DOUBLE`);
  const result = await connection.runAndReadAll(`SELECT ${columns.join(', ')} FROM stored.logs`, parameters);
  const row = result.getRowsJS()[0] ?? [];
  for (const [index, { field, term }] of missing.entries())
    counts.get(field.name)?.set(term, Number(row[index]));
}
