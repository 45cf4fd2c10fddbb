import type { DuckDBConnection } from '@duckdb/node-api';
import { toStoreError } from '../../database/index.ts';
import type { Filter, FuzzyFilter, Scored } from '../../language/index.ts';
import { limitedFuzzy, nearestTerms, withExpansions } from '../../language/index.ts';
import { beginSnapshot, type Case, connectToCase } from '../file/case.ts';
import { findNearTerms } from './near-terms.ts';

/**
 * Expands the limited fuzzy terms of a filter to the nearest terms of several cases, for a search across them.
 * The search of a single case expands them itself.
 */
export async function expandFuzzy(cases: readonly Case[], scored: Scored): Promise<Scored> {
  const limited = limitedFuzzy(scored.filter);
  if (limited.length === 0) return scored;
  const found = await Promise.all(cases.map((each) => termsOfCase(each, limited)));
  const nearest = limited.map((each): [FuzzyFilter, readonly string[]] => [
    each,
    nearestTerms(
      each,
      found.flatMap((terms) => terms.get(each) ?? []),
    ),
  ]);
  return withExpansions(scored, new Map(nearest));
}

async function termsOfCase(
  from: Case,
  limited: readonly FuzzyFilter[],
): Promise<ReadonlyMap<FuzzyFilter, readonly string[]>> {
  const connection = await connectToCase(from);
  try {
    await beginSnapshot(from, connection);
    return await nearestIn(from, connection, limited);
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    connection.closeSync();
  }
}

/** Like `expandFuzzy`, for one case as a connection sees it. */
export async function expandFuzzyTerms(
  from: Case,
  connection: DuckDBConnection,
  filter: Filter,
): Promise<Filter> {
  const limited = limitedFuzzy(filter);
  if (limited.length === 0) return filter;
  const nearest = await nearestIn(from, connection, limited);
  return withExpansions({ filter, boosts: new Map() }, nearest).filter;
}

async function nearestIn(
  from: Case,
  connection: DuckDBConnection,
  limited: readonly FuzzyFilter[],
): Promise<ReadonlyMap<FuzzyFilter, readonly string[]>> {
  const nearest = new Map<FuzzyFilter, readonly string[]>();
  for (const each of limited)
    nearest.set(each, nearestTerms(each, await findNearTerms(from, connection, each)));
  return nearest;
}
