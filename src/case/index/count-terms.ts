import type { DuckDBConnection } from '@duckdb/node-api';
import type { TermFilter } from '../../language/index.ts';
import { fieldNumber, lookUp, unlessDamaged } from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import { readerOf, snapshotOf } from './snapshot.ts';

/** Numbers of indexed logs with some terms. */
export interface IndexedCounts {
  /** Terms that are not in the map are not indexed. */
  readonly counts: ReadonlyMap<TermFilter, number>;
  /** Ids up to this one are indexed. */
  readonly covered: number;
  readonly lastId: number;
}

/**
 * Counts the logs with each term by the dictionaries of the index, without their postings. Undefined if there is no index,
 * or it is damaged.
 */
export async function countIndexedTerms(
  from: Case,
  connection: DuckDBConnection,
  terms: readonly TermFilter[],
): Promise<IndexedCounts | undefined> {
  const snapshot = from.tokenIndex === 'ignored' ? undefined : await snapshotOf(from, connection);
  if (!snapshot) return undefined;
  const asked = terms.flatMap((filter) => {
    const field = fieldNumber(filter.field);
    return field === undefined ? [] : [{ filter, field, term: String(filter.term) }];
  });
  const found = await unlessDamaged(() => lookUp(readerOf(snapshot, connection), asked));
  if (!found) return undefined;
  const counts = asked.map(({ filter }, index) => {
    const logs = (found[index] ?? []).reduce((sum, { entry }) => sum + entry.logs, 0);
    return [filter, logs] as const;
  });
  return { counts: new Map(counts), covered: snapshot.covered, lastId: snapshot.lastId };
}
