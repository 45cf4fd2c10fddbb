import type { DuckDBConnection } from '@duckdb/node-api';
import { streamRows, toStoreError } from '../../database/index.ts';
import type { Statistics } from '../../language/index.ts';
import {
  type Filter,
  matchAllFilter,
  type Scored,
  type Scorer,
  toScorer,
  withoutProhibited,
} from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import type { Condition } from '../file/column-test.ts';
import { afterCursorSql, compareCursors, type LogCursor, orderBySql } from '../file/log-order.ts';
import { findBestScores } from '../index/best-scores.ts';
import { selectsLogs } from '../index/essential-leaves.ts';
import { idListSql } from '../index/id-conditions.ts';
import { cursorOf, limitClause, toSqlCount } from './find-logs.ts';
import { type LeafColumns, shiftPlaceholders, startLeafColumns } from './leaf-columns.ts';
import { relevanceStatistics } from './relevance-statistics.ts';
import { type LogSearch, startSearch, withSearch } from './search.ts';
import { readStoredLogs, type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** A log with its relevance. */
export interface ScoredLog extends StoredLog {
  /** From 0 on; comparable with other scores of the same query only. */
  readonly score: number;
}

/** A position in the order by relevance. */
export interface ScoredCursor extends LogCursor {
  readonly score: number;
}

/** Options of a stream by relevance. */
export interface BestOptions {
  /** Selects the logs to score; default: those that the scored query selects. */
  readonly filter?: Filter;
  readonly limit?: number;
  /** Number of logs to skip. */
  readonly offset?: number;
  /** Only logs after this cursor, which is stable as long as no logs are added. */
  readonly after?: ScoredCursor;
  /** Statistics of all searched logs; default: those of the case. */
  readonly statistics?: Statistics;
  /** Ends the stream at any time: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Streams the logs that a filter selects, the most relevant first. Equally relevant ones are ordered by time,
 * the newest first, then by id.
 */
export async function* streamBest(
  from: Case,
  scored: Scored,
  options: BestOptions = {},
): AsyncGenerator<ScoredLog, void, undefined> {
  const { filter = scored.filter, signal } = options;
  signal?.throwIfAborted();
  const rated = withoutProhibited(scored);
  const statistics = options.statistics ?? (await relevanceStatistics(from, rated.filter));
  const scorer = toScorer(rated, statistics);
  const areSelected = rated.filter === filter && selectsLogs(scorer);
  const page = await readPage(from, { scorer, filter: areSelected ? undefined : filter }, options);
  if (page) return yield* page;
  const { connection, condition, end } = await startSearch(from, filter, signal);
  try {
    await storeCandidates(connection, condition(), scorer);
    signal?.throwIfAborted();
    await storeBest(connection, options);
    const sql = await selectBest(connection);
    const result = await streamRows(connection, { sql, signal });
    for await (const rows of result.yieldRowsJs()) {
      signal?.throwIfAborted();
      for (const [score, ...row] of rows) yield { ...toStoredLog(row), score: Number(score) };
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}

/**
 * Returns the most relevant logs in the order of `streamBest`.
 *
 * ```ts
 * const best = await findBest(incident, resolveScored(parse('timeout').query), { limit: 10 });
 * ```
 */
export async function findBest(
  from: Case,
  scored: Scored,
  options: BestOptions & { readonly limit: number },
): Promise<readonly ScoredLog[]> {
  const found: ScoredLog[] = [];
  for await (const log of streamBest(from, scored, options)) found.push(log);
  return found;
}

/** Up to this number of logs, the best ones are picked here. Above it, the database sorts all selected logs. */
const maxPicked = 1000;

/** A scorer, and the logs to score: those that match it if no filter selects them. */
interface Rating {
  readonly scorer: Scorer;
  readonly filter: Filter | undefined;
}

/** Returns the best logs in their order by the index alone; undefined if it cannot score them, or if they are too many. */
async function readPage(
  from: Case,
  { scorer, filter }: Rating,
  { limit, offset = 0, after, signal }: BestOptions,
): Promise<readonly ScoredLog[] | undefined> {
  const count = offset + (limit ?? Number.POSITIVE_INFINITY);
  if (count <= 0 || maxPicked < count) return undefined;
  const read = async ({ connection, hits }: LogSearch) => {
    if (filter && !hits) return undefined;
    const logs = filter && hits?.bitmap();
    const scores = await findBestScores({ from, connection, scorer, logs }, { count, after });
    return scores && (await readBest({ from, connection }, scores, offset));
  };
  return withSearch(from, filter ?? matchAllFilter, read, signal);
}

/** Reads the logs with these scores, in their order. */
async function readBest(
  { from, connection }: { readonly from: Case; readonly connection: DuckDBConnection },
  scores: ReadonlyMap<number, number>,
  offset: number,
): Promise<readonly ScoredLog[]> {
  const logs = await readStoredLogs(from, connection, [...scores.keys()]);
  const found = logs.map((log): ScoredLog => ({ ...log, score: scores.get(log.id) ?? 0 }));
  const order = (first: ScoredLog, second: ScoredLog) =>
    second.score - first.score || compareCursors(cursorOf(first), cursorOf(second), 'newest');
  return found.sort(order).slice(offset);
}

/** Stores scoring inputs of the selected logs, and their scores, in temporary tables of the connection. */
async function storeCandidates(
  connection: DuckDBConnection,
  condition: Condition,
  scorer: Scorer,
): Promise<void> {
  const leaves = startLeafColumns(scorer.leaves);
  const where = shiftPlaceholders(condition.sql, leaves.parameters.length);
  const names = leaves.columns.map((_, index) => `leaf_${index}`);
  const columns = leaves.columns.map(({ sql, type }, index) => `(${sql})::${type} AS ${names[index]}`);
  try {
    await connection.run(
      `CREATE TEMP TABLE candidates AS SELECT id, "time", ${columns.join(', ')}
       FROM (SELECT ${['*', ...leaves.inner].join(', ')} FROM stored.logs WHERE ${where})`,
      [...leaves.parameters, ...condition.parameters],
    );
  } finally {
    leaves.done();
  }
  await connection.run(
    `CREATE TEMP TABLE kinds AS
     SELECT (row_number() OVER ())::INTEGER AS kind, * FROM (SELECT DISTINCT ${names.join(', ')} FROM temp.candidates)`,
  );
  await connection.run('CREATE TEMP TABLE scores (kind INTEGER, score FLOAT)');
  await storeScores(connection, leaves, scorer);
}

/** Kinds in one page: they may include long texts. */
const kindsInPage = 10_000;

/** Scores each distinct combination of scoring inputs once. */
async function storeScores(connection: DuckDBConnection, leaves: LeafColumns, scorer: Scorer): Promise<void> {
  const appender = await connection.createAppender('scores', undefined, 'temp');
  for (let first = 1; ; first += kindsInPage) {
    const last = first + kindsInPage - 1;
    const result = await connection.runAndReadAll(
      `SELECT * FROM temp.kinds WHERE kind BETWEEN ${first} AND ${last}`,
    );
    for (const [kind, ...values] of result.getRowsJS()) {
      appender.appendInteger(Number(kind));
      // A log added after the statistics were computed may have terms missing in them.
      appender.appendFloat(scorer.score(leaves.read(values)) ?? 0);
      appender.endRow();
    }
    if (result.currentRowCount < kindsInPage) break;
  }
  appender.closeSync();
}

const order = `score DESC, ${orderBySql.newest}`;

/** Stores the requested candidates in a temporary table. */
async function storeBest(
  connection: DuckDBConnection,
  { limit, offset = 0, after }: BestOptions,
): Promise<void> {
  const rest = after && afterCursorSql(after, 'newest', 2);
  const where = rest ? `WHERE score < $1::FLOAT OR (score = $1::FLOAT AND ${rest.sql})` : '';
  await connection.run(
    `CREATE TEMP TABLE best AS
     SELECT id, score FROM temp.candidates NATURAL JOIN temp.kinds JOIN temp.scores USING (kind) ${where}
     ORDER BY ${order} ${limitClause(limit)} OFFSET ${toSqlCount(offset)}`,
    rest && after ? [after.score, ...rest.parameters] : [],
  );
}

/** Up to this number, ids are listed in the SELECT, so that DuckDB skips the rows between them. */
const maxListedIds = 1000;

async function selectBest(connection: DuckDBConnection): Promise<string> {
  const result = await connection.runAndReadAll(`SELECT id::DOUBLE FROM temp.best LIMIT ${maxListedIds + 1}`);
  const ids = result.getRowsJS().map(([id]) => Number(id));
  const idsSql = ids.length <= maxListedIds ? idListSql(ids) : 'true';
  return `SELECT score::DOUBLE, ${storedLogColumns} FROM (SELECT * FROM stored.logs WHERE ${idsSql})
    JOIN temp.best USING (id) ORDER BY ${order}`;
}
