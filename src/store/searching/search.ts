import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter } from '../../meaning/filter.ts';
import { beginState, type Case, connect, toStoreError } from '../case/case.ts';
import { type Condition, startCondition } from '../case/column-test.ts';
import { interruptOn } from '../database/interrupt-on.ts';
import { findHits, type Hits } from '../token-index/hits.ts';
import { expandIn } from './expand.ts';

/** A search under way: what one filter selects of one state of a case. */
export interface Search {
  /** A connection of its own, which sees that state alone. */
  readonly connection: DuckDBConnection;
  /** The condition of the rows that are selected: made when it is asked for, since naming many logs takes a while. */
  readonly condition: () => Condition;
  /** The selected logs, where the index of the tokens has told them. */
  readonly hits?: Hits;
}

/** Begins a search; whoever does ends it. When the signal aborts, what it runs is interrupted. */
export async function startSearch(
  from: Case,
  filter: Filter,
  signal?: AbortSignal,
): Promise<Search & { readonly end: () => void }> {
  const connection = await connect(from);
  const release = interruptOn(connection, signal);
  let started: ReturnType<typeof startCondition> | undefined;
  const end = () => {
    release();
    started?.done();
    connection.closeSync();
  };
  try {
    signal?.throwIfAborted();
    // Ids that the index tells are those of the very rows that are read then.
    await beginState(from, connection);
    const expanded = await expandIn(from, connection, filter);
    const hits = await findHits(from, connection, expanded);
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

/** Runs work on a search. */
export async function searching<T>(
  from: Case,
  filter: Filter,
  work: (search: Search) => Promise<T>,
): Promise<T> {
  const { end, ...search } = await startSearch(from, filter);
  try {
    return await work(search);
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    end();
  }
}
