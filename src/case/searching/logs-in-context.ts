import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { mostLookedUp } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import { compareCursors, type LogCursor, type LogOrder } from '../../records/index.ts';
import type { Condition } from '../../word-index/index.ts';
import { afterCursorSql, idsSql, orderBySql } from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import {
  firstIdsOf,
  limitClause,
  pageCondition,
  type StreamOptions,
  streamSearch,
  toSqlCount,
} from './find-logs.ts';
import type { LogSearch } from './search.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** A log that a filter selects, or a neighbour of one. */
export interface LogInContext extends StoredLog {
  /** The filter selects this log. */
  readonly isHit: boolean;
  /**
   * Rank among all logs of the case, the oldest first: no log is between consecutive ranks. Logs without a time
   * follow after a gap: they are no neighbours of logs with one.
   */
  readonly rank: number;
}

/** Options of `streamContext`. */
export interface ContextOptions extends StreamOptions {
  /** Number of neighbours before and after each selected log. */
  readonly around: number;
}

/**
 * Streams the logs that a filter selects, each with its neighbours in time among all logs. Each log appears
 * once. `limit` counts the selected ones.
 */
export async function* streamContext(
  from: Case,
  filter: Filter,
  { around, order = 'oldest', limit, after, signal }: ContextOptions,
): AsyncGenerator<LogInContext, void, undefined> {
  const rows = streamSearch(from, filter, {
    signal,
    toSelects: async function* (search) {
      const options = { around, order, limit, after };
      const hits = await findFewHits(search, options);
      const ranks = hits && (await rankNeighbours(search.connection, hits, around));
      if (ranks) yield* selectRanked(search, ranks, order);
      else yield selectFromAll(search.condition(), options);
    },
  });
  for await (const [isHit, rank, ...row] of rows)
    yield { ...toStoredLog(row), isHit: isHit === true, rank: Number(rank) };
}

/** Resolved options. */
type ResolvedOptions = Required<Pick<ContextOptions, 'around' | 'order'>> & {
  readonly limit: number | undefined;
  readonly after: LogCursor | undefined;
};

/** SELECT of all selected logs with their neighbours: ranks all logs of the case. */
function selectFromAll(condition: Condition, { around, order, limit, after }: ResolvedOptions): Condition {
  const { sql, parameters } = pageCondition(condition, order, after);
  const distance = toSqlCount(around);
  const select = `
    WITH ranked AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY ${orderBySql.oldest}) + if("time" IS NULL, ${distance} + 1, 0) AS rank
      FROM stored.logs),
    hits AS (
      SELECT id FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]} ${limitClause(limit)}),
    wanted AS (
      SELECT DISTINCT rank + distance AS rank
      FROM ranked JOIN hits USING (id), range(-${distance}, ${distance} + 1) AS near(distance))
    SELECT coalesce(${condition.sql}, false), rank::DOUBLE, ${storedLogColumns}
    FROM stored.logs JOIN ranked USING (id) JOIN wanted USING (rank) ORDER BY ${orderBySql[order]}`;
  return { sql: select, parameters };
}

/** Up to these numbers, neighbours are looked up for each hit: ranking all logs takes longer. */
const [fewHits, fewNeighbours] = [10, 100];

type TimedCursor = Required<LogCursor>;

const timedCursors = v.array(v.object({ time: v.number(), id: v.number() }));

/**
 * Finds the selected logs, the oldest first; undefined if there are more than a few, if one has no time, or if
 * many neighbours are wanted.
 */
async function findFewHits(
  search: LogSearch,
  { around, order, limit = Number.POSITIVE_INFINITY, after }: ResolvedOptions,
): Promise<readonly TimedCursor[] | undefined> {
  if (fewNeighbours < around || fewHits < Math.min(limit, search.hits?.count ?? 0)) return undefined;
  const count = Math.min(limit, fewHits + 1);
  const ids = await firstIdsOf(search, { order, count, after });
  const found = await search.connection.runAndReadAll(
    `SELECT epoch_ms("time")::DOUBLE AS "time", id::DOUBLE AS id FROM stored.logs WHERE ${idsSql(ids)}`,
  );
  const hits = v.safeParse(timedCursors, found.getRowObjectsJS());
  if (!hits.success || fewHits < hits.output.length) return undefined;
  return hits.output.sort((first, second) => compareCursors(first, second, 'oldest'));
}

/** Returns the ranks of logs and of their neighbours, by id. The logs come in order, the oldest first. */
async function rankNeighbours(
  connection: DuckDBConnection,
  hits: readonly TimedCursor[],
  around: number,
): Promise<ReadonlyMap<number, number>> {
  const ranks = new Map<number, number>();
  if (hits.length === 0) return ranks;
  const neighbours = await findNeighbours(connection, hits, around);
  for (const [index, rank] of (await rankHits(connection, hits)).entries()) {
    const { id, before, after } = neighbours[index] ?? { id: 0, before: [], after: [] };
    ranks.set(id, rank);
    for (const [distance, neighbour] of before.entries()) ranks.set(neighbour.id, rank - distance - 1);
    for (const [distance, neighbour] of after.entries()) ranks.set(neighbour.id, rank + distance + 1);
  }
  return ranks;
}

const countRows = v.array(v.tuple([v.number(), v.number()]));

/** Returns the ranks of logs in order: counts the logs from each time to the next. */
async function rankHits(
  connection: DuckDBConnection,
  hits: readonly TimedCursor[],
): Promise<readonly number[]> {
  const selects = hits.map(({ time, id }, index) => {
    const previous = hits[index - 1];
    const from = previous ? `"time" >= ${timeSql(previous.time)} AND` : '';
    return `SELECT ${index} AS hit,
      (SELECT count(*) FROM stored.logs WHERE ${from} "time" < ${timeSql(time)})::DOUBLE,
      (SELECT count(*) FROM stored.logs WHERE "time" = ${timeSql(time)} AND id < ${id})::DOUBLE`;
  });
  const result = await connection.runAndReadAll(
    `SELECT * EXCLUDE (hit) FROM (${selects.join(' UNION ALL ')}) ORDER BY hit`,
  );
  let earlier = 0;
  return v.parse(countRows, result.getRowsJS()).map(([more, simultaneous]) => {
    earlier += more;
    return earlier + simultaneous + 1;
  });
}

function timeSql(time: number): string {
  return `epoch_ms(${time}::BIGINT)`;
}

/** A log and its neighbours, the nearest first. */
interface Neighbours extends TimedCursor {
  readonly before: readonly TimedCursor[];
  readonly after: readonly TimedCursor[];
}

/** Span of time. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const spanRows = v.array(v.tuple([v.number(), v.number(), v.number()]));

/** An interval is searched first in which there would be this many times the neighbours if logs were even. */
const margin = 100;

/** Finds the neighbours of logs: first within an interval around each, as the database then skips the others. */
async function findNeighbours(
  connection: DuckDBConnection,
  hits: readonly TimedCursor[],
  around: number,
): Promise<readonly Neighbours[]> {
  const result = await connection.runAndReadAll(
    `SELECT epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE, count("time")::DOUBLE FROM stored.logs`,
  );
  const [[from, to, logs] = [0, 0, 1]] = v.parse(spanRows, result.getRowsJS());
  const width = Math.ceil((margin * (around + 1) * (to - from + 1)) / logs);
  const near = ({ time }: TimedCursor) => ({
    from: Math.max(from, time - width),
    to: Math.min(to, time + width),
  });
  const found = await selectNeighbours(connection, hits, { around, spanOf: near });
  const areAll = found.every((hit) => {
    const isFirst = near(hit).from === from || around <= hit.before.length;
    return isFirst && (near(hit).to === to || around <= hit.after.length);
  });
  return areAll ? found : selectNeighbours(connection, hits, { around, spanOf: () => ({ from, to }) });
}

const neighbourRows = v.array(v.object({ hit: v.number(), time: v.number(), id: v.number() }));

async function selectNeighbours(
  connection: DuckDBConnection,
  hits: readonly TimedCursor[],
  { around, spanOf }: { readonly around: number; readonly spanOf: (hit: TimedCursor) => Span },
): Promise<readonly Neighbours[]> {
  const parameters: number[] = [];
  const select = (hit: number, cursor: TimedCursor, order: LogOrder) => {
    const after = afterCursorSql(cursor, order, parameters.length + 1);
    parameters.push(cursor.time, cursor.id);
    const { from, to } = spanOf(cursor);
    return `(SELECT ${hit} AS hit, epoch_ms("time")::DOUBLE AS "time", id::DOUBLE AS id FROM stored.logs
      WHERE "time" BETWEEN ${timeSql(from)} AND ${timeSql(to)} AND ${after.sql}
      ORDER BY ${orderBySql[order]} ${limitClause(around)})`;
  };
  const selects = hits.flatMap((cursor, hit) => [
    select(hit, cursor, 'newest'),
    select(hit, cursor, 'oldest'),
  ]);
  const result = await connection.runAndReadAll(selects.join(' UNION ALL '), parameters);
  const found = v.parse(neighbourRows, result.getRowObjectsJS());
  return hits.map((cursor, index) => {
    const near = (order: LogOrder) =>
      found
        .filter((neighbour) => neighbour.hit === index && compareCursors(cursor, neighbour, order) < 0)
        .sort((first, second) => compareCursors(first, second, order));
    return { ...cursor, before: near('newest'), after: near('oldest') };
  });
}

/** SELECTs of logs with known ranks, as many at a time as one statement looks up. */
function* selectRanked(
  { condition }: LogSearch,
  ranks: ReadonlyMap<number, number>,
  order: LogOrder,
): Generator<Condition> {
  const { sql, parameters } = condition();
  const sorted = [...ranks].sort(([, one], [, other]) => (order === 'oldest' ? one - other : other - one));
  for (let at = 0; at < sorted.length; at += mostLookedUp) {
    const some = sorted.slice(at, at + mostLookedUp);
    const ranked = some.map(([id, rank]) => `(${id}, ${rank})`).join(', ');
    const select = `
      SELECT coalesce(${sql}, false), rank::DOUBLE, ${storedLogColumns}
      FROM (FROM stored.logs WHERE ${idsSql(some.map(([id]) => id))})
        JOIN (VALUES ${ranked}) AS ranked(id, rank) USING (id) ORDER BY ${orderBySql[order]}`;
    yield { sql: select, parameters };
  }
}
