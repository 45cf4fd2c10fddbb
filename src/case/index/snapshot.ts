import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter } from '../../language/index.ts';
import type { FirstLogs } from '../../word-index/index.ts';
import { type Hits, planIndexUse, readSnapshot, type Snapshot, searchIndex } from '../../word-index/index.ts';
import { type Case, openingOf } from '../file/case.ts';

/** Cached facts about the logs of a case. */
interface CachedSnapshot {
  /** Number of the last action: every change of the logs records one. */
  readonly lastAction: number;
  readonly snapshot: Snapshot;
}

/** The facts by the state of a case: another one may have other logs. */
const snapshots = new WeakMap<object, CachedSnapshot>();

/**
 * Returns the cached facts about a case as a connection sees it. It must be in one transaction with everything
 * derived from them. Undefined without an index.
 */
export async function snapshotOf(of: Case, connection: DuckDBConnection): Promise<Snapshot | undefined> {
  if (of.tokenIndex === 'ignored') return undefined;
  const opening = openingOf(of);
  let cached = snapshots.get(opening);
  // A case opened for reading does not change.
  if (!cached || of.access === 'write') {
    const lastAction = await lastActionOf(connection);
    if (cached?.lastAction !== lastAction) cached = { lastAction, snapshot: await readSnapshot(connection) };
    snapshots.set(opening, cached);
  }
  return cached.snapshot.segments.length === 0 ? undefined : cached.snapshot;
}

async function lastActionOf(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    'SELECT coalesce(max(number), 0)::DOUBLE FROM stored.actions',
  );
  return Number(result.getRowsJS()[0]?.[0]);
}

/** Clears the cached sets, so that the next search takes as long as a first one. */
export function forgetSets(of: Case): void {
  snapshots.get(openingOf(of))?.snapshot.sets.clear();
}

/**
 * Finds the logs that a filter selects by the word index of a case. Undefined without an index, or if the filter has no
 * use for it. If only the first logs are wanted, later ones may be missing.
 *
 * Unless the case is read-only, the connection must be in a transaction that also covers the use of the hits.
 */
export async function findHits(
  from: Case,
  connection: DuckDBConnection,
  filter: Filter,
  first?: FirstLogs,
): Promise<Hits | undefined> {
  const plan = planIndexUse(filter);
  const snapshot = plan.asksIndex ? await snapshotOf(from, connection) : undefined;
  return snapshot && searchIndex({ snapshot, connection }, plan, first);
}
