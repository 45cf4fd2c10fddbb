import * as v from 'valibot';
import { type Case, readCase, writeToCase } from '../file/case.ts';
import { recordAction } from '../file/chain.ts';

/** A query that is stored in the case under a name. */
export interface SavedSearch {
  readonly name: string;
  readonly query: string;
  /** Interval of the search, both ends included, in milliseconds since the epoch; absent for no bound. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly author: string;
  /** Time of saving: milliseconds since the epoch. */
  readonly saved: number;
}

/**
 * Saves a query in the chain of a case, in place of an earlier one of this name. The chain keeps the earlier one.
 *
 * ```ts
 * await saveSearch(incident, { name: 'timeouts', query: 'msg:timeout', author: 'ada' });
 * ```
 */
export function saveSearch(into: Case, search: Omit<SavedSearch, 'saved'>): Promise<void> {
  const { name, query, from, to, author } = search;
  const details = {
    name,
    query,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    author,
  };
  return writeToCase(into, (connection) => recordAction(connection, 'save search', details));
}

/** Removes a saved search from the list; does nothing if there is none of this name. */
export function removeSearch(
  into: Case,
  { name, author }: Pick<SavedSearch, 'name' | 'author'>,
): Promise<void> {
  return writeToCase(into, (connection) => recordAction(connection, 'remove search', { name, author }));
}

const bound = v.nullable(v.number());
const row = v.tuple([v.string(), v.string(), bound, bound, v.string(), v.number()]);

/** Returns the saved searches of a case by name. */
export function listSearches(from: Case): Promise<readonly SavedSearch[]> {
  return readCase(from, async (connection) => {
    // Unreadable details were altered, which the chain of hashes reveals.
    const result = await connection.runAndReadAll(
      `SELECT name, query, first, last, author, saved FROM (
         SELECT action, epoch_ms(done)::DOUBLE AS saved, number,
           try_cast(details AS JSON)->>'name' AS name, try_cast(details AS JSON)->>'query' AS query,
           try_cast(try_cast(details AS JSON)->>'from' AS DOUBLE) AS first,
           try_cast(try_cast(details AS JSON)->>'to' AS DOUBLE) AS last,
           try_cast(details AS JSON)->>'author' AS author
         FROM stored.actions WHERE action IN ('save search', 'remove search')
         QUALIFY row_number() OVER (PARTITION BY name ORDER BY number DESC) = 1)
       WHERE action = 'save search' AND name IS NOT NULL AND query IS NOT NULL AND author IS NOT NULL
       ORDER BY name`,
    );
    return result.getRowsJS().map((each) => {
      const [name, query, from, to, author, saved] = v.parse(row, each);
      return { name, query, ...(from !== null && { from }), ...(to !== null && { to }), author, saved };
    });
  });
}
