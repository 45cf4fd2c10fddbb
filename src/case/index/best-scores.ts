import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter, Scorer } from '../../language/index.ts';
import { unlessDamaged } from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import { withCondition } from '../file/column-test.ts';
import { afterCursorSql, type LogCursor, orderBySql } from '../file/log-order.ts';
import { addId, type Bitmap, bitsFor, emptyBitmap } from './bitmap.ts';
import { findHits } from './hits.ts';
import { setCondition } from './id-conditions.ts';
import { setOfBits } from './log-set.ts';
import { isCounted, scoreLogs } from './score-logs.ts';
import { selectIds } from './select-ids.ts';
import { readerOf, type Snapshot, snapshotOf, timesOf } from './snapshot.ts';
import { firstIds } from './times.ts';
import { topScores } from './top-scores.ts';

/** A search whose logs are scored. */
export interface ScoredSearch {
  readonly from: Case;
  /** In the transaction in which the logs were found. */
  readonly connection: DuckDBConnection;
  readonly scorer: Scorer;
  /** The logs to score; undefined for all that match the scorer, if that selects: see `selectsLogs`. */
  readonly logs: Bitmap | undefined;
}

/** The page of the most relevant logs. */
interface ScoredPage {
  /** Number of logs, at least one. */
  readonly count: number;
  /** Only logs after this cursor. */
  readonly after?: (LogCursor & { readonly score: number }) | undefined;
}

/**
 * Returns the scores of the most relevant logs by id, in no order. Undefined if the index cannot score them: it lacks
 * logs, or frequencies of sloppy phrases or of other fields, or is damaged.
 */
export async function findBestScores(
  search: ScoredSearch,
  { count, after }: ScoredPage,
): Promise<ReadonlyMap<number, number> | undefined> {
  const { from, connection, logs, scorer } = search;
  const snapshot = isCounted(scorer.leaves) ? await snapshotOf(from, connection) : undefined;
  if (!snapshot || snapshot.covered < snapshot.lastId) return undefined;
  return await unlessDamaged(async () => {
    const sets = await testedSets(search, snapshot);
    const top = topScores(count);
    const atCursor: number[] = [];
    const last = Math.fround(after?.score ?? Number.POSITIVE_INFINITY);
    const visit = (id: number, score: number) => {
      if (score < last) top.add(id, score);
      else if (score === last) atCursor.push(id);
    };
    const scored = { scorer, logs, sets };
    await scoreLogs(readerOf(snapshot, connection), scored, { visit, least: top.least });
    const picked = new Map<number, number>();
    const pick = async (ids: readonly number[], score: number, cursor?: LogCursor) => {
      const wanted = count - picked.size;
      for (const id of await newestOf(search, snapshot, { ids, count: wanted, after: cursor }))
        picked.set(id, score);
    };
    await pick(atCursor, last, after);
    const { scores, tied, tiedScore } = top.finish(count - picked.size);
    for (const [id, score] of scores) picked.set(id, score);
    await pick(tied, tiedScore);
    return picked;
  });
}

/** Returns the logs that match each tested leaf of a scorer, by leaf number. */
async function testedSets(
  { from, connection, scorer: { leaves } }: ScoredSearch,
  { lastId }: Snapshot,
): Promise<ReadonlyMap<number, Bitmap>> {
  const sets = new Map<number, Bitmap>();
  // A word is no number, so most queries have such a part.
  for (const [leaf, { kind, filter }] of leaves.entries())
    if (kind === 'tested' && filter.kind !== 'none') {
      const hits = await findHits(from, connection, filter);
      const bits = bitsFor(lastId);
      sets.set(leaf, hits?.bitmap() ?? (await scanFor(connection, filter, bits)));
    }
  return sets;
}

/** Selects logs by a scan. */
function scanFor(connection: DuckDBConnection, filter: Filter, bits: number): Promise<Bitmap> {
  return withCondition(filter, ({ sql, parameters }) =>
    selectIds(connection, { sql: `SELECT id FROM stored.logs WHERE ${sql}`, parameters, bits }),
  );
}

/** Returns the newest of some logs, in no order. */
async function newestOf(
  { connection }: ScoredSearch,
  snapshot: Snapshot,
  {
    ids,
    count,
    after,
  }: { readonly ids: readonly number[]; readonly count: number; readonly after: LogCursor | undefined },
): Promise<readonly number[]> {
  if (ids.length <= count && !after) return ids;
  const some = emptyBitmap(bitsFor(snapshot.lastId));
  for (const id of ids) addId(some, id);
  const times = await timesOf(snapshot, connection);
  if (times) return firstIds(times, some, { order: 'newest', count, after });
  const { sql, parameters } = setCondition(setOfBits(some));
  const rest = after && afterCursorSql(after, 'newest', parameters.length + 1);
  const found = await connection.runAndReadAll(
    `SELECT id::DOUBLE FROM stored.logs WHERE ${sql} ${rest ? `AND ${rest.sql}` : ''}
     ORDER BY ${orderBySql.newest} LIMIT ${Math.max(0, count)}`,
    [...parameters, ...(rest?.parameters ?? [])],
  );
  return found.getRowsJS().map(([id]) => Number(id));
}
