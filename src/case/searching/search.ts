import type { DuckDBConnection } from '@duckdb/node-api';
import { interruptOn, toStoreError } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import { beginSnapshot, type Case, connectToCase } from '../file/case.ts';
import { type Condition, startCondition } from '../file/column-test.ts';
import type { FirstLogs } from '../file/log-order.ts';
import { findHits, type Hits } from '../index/hits.ts';
import { expandFuzzyTerms } from './expand-fuzzy.ts';

/** A running search: the logs that a filter selects in a snapshot of a case. */
export interface LogSearch {
  /** A connection of its own, which sees that snapshot. */
  readonly connection: DuckDBConnection;
  /** Returns the condition of the selected rows. Computed on demand: listing many ids takes time. */
  readonly condition: () => Condition;
  /** The selected logs, if the token index answered. */
  readonly hits?: Hits;
}

/**
 * Starts a search. The caller must call `end()`. The signal interrupts its statements. If only the first logs are wanted,
 * later ones may be missing.
 */
export async function startSearch(
  from: Case,
  filter: Filter,
  signal?: AbortSignal,
  first?: FirstLogs,
): Promise<LogSearch & { readonly end: () => void }> {
  const connection = await connectToCase(from);
  const release = interruptOn(connection, signal);
  let started: ReturnType<typeof startCondition> | undefined;
  const end = () => {
    release();
    started?.done();
    connection.closeSync();
  };
  try {
    signal?.throwIfAborted();
    // Ids from the index must refer to the same rows that are read later.
    await beginSnapshot(from, connection);
    const expanded = await expandFuzzyTerms(from, connection, filter);
    const hits = await findHits(from, connection, expanded, first);
    if (hits) return { connection, condition: hits.condition, hits, end };
    const condition = startCondition(expanded);
    started = condition;
    return { connection, condition: () => condition, end };
  } catch (error) {
    end();
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  }
}

/**
 * Runs work on a search, and ends it. The signal interrupts its statements: the call rejects with its reason. If only the
 * first logs are wanted, later ones may be missing.
 */
export async function withSearch<T>(
  from: Case,
  filter: Filter,
  work: (search: LogSearch) => Promise<T>,
  signal?: AbortSignal,
  first?: FirstLogs,
): Promise<T> {
  const { end, ...search } = await startSearch(from, filter, signal, first);
  try {
    return await work(search);
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}
