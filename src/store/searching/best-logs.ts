import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter } from '../../meaning/filter.ts';
import { type Scored, withoutProhibited } from '../../meaning/relevance/scored.ts';
import { type Scorer, toScorer } from '../../meaning/relevance/scorer.ts';
import type { Statistics } from '../../meaning/relevance/statistics.ts';
import { type Case, toStoreError } from '../case/case.ts';
import type { Condition } from '../case/column-test.ts';
import { behind, orders, type Place } from '../case/log-order.ts';
import { streamWhole } from '../database/stream-whole.ts';
import { amongIds } from '../token-index/among.ts';
import { limitTo, toCount } from './find-logs.ts';
import { behindParameters, type LeafColumns, startLeafColumns } from './leaf-columns.ts';
import { relevanceStatistics } from './relevance-statistics.ts';
import { startSearch } from './search.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** A log and how well it fits what was asked for. */
export interface ScoredLog extends StoredLog {
  /** From 0 on; it says something beside other scores of the same query only. */
  readonly score: number;
}

/** A place in the order of logs by relevance. */
export interface ScoredPlace extends Place {
  readonly score: number;
}

/** Which logs a stream by relevance gives. */
export interface BestOptions {
  /** Which logs are scored; by default those that what is scored selects. */
  readonly filter?: Filter;
  readonly limit?: number;
  /** So many are passed over first. */
  readonly offset?: number;
  /** Only those behind this place, which is the same as long as no logs are added. */
  readonly after?: ScoredPlace;
  /** What is known of all logs that are searched; of those of the case unless given. */
  readonly statistics?: Statistics;
  /** Ends the stream, also while the first log is looked for: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The logs that a filter selects, the most relevant first. Those that are as
 * relevant come in the order of time, the newest first, and those of the same time by id.
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
  const { connection, condition, end } = await startSearch(from, filter, signal);
  try {
    await keepCandidates(connection, condition(), scorer);
    signal?.throwIfAborted();
    await keepBest(connection, options);
    const sql = await selectBest(connection);
    const result = await streamWhole(connection, { sql, signal });
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

/** The most relevant of the logs that a filter selects, as `streamBest` gives them. */
export async function findBest(
  from: Case,
  scored: Scored,
  options: BestOptions & { readonly limit: number },
): Promise<readonly ScoredLog[]> {
  const found: ScoredLog[] = [];
  for await (const log of streamBest(from, scored, options)) found.push(log);
  return found;
}

/** Keeps in tables of the connection what the selected logs have, and what scores that gives. */
async function keepCandidates(
  connection: DuckDBConnection,
  condition: Condition,
  scorer: Scorer,
): Promise<void> {
  const leaves = startLeafColumns(scorer.leaves);
  const where = behindParameters(condition.sql, leaves.parameters.length);
  const names = leaves.columns.map((_, index) => `leaf_${index}`);
  const columns = leaves.columns.map(({ sql, type }, index) => `(${sql})::${type} AS ${names[index]}`);
  try {
    await connection.run(
      `CREATE TEMP TABLE candidates AS SELECT id, "time", ${columns.join(', ')} FROM stored.logs WHERE ${where}`,
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
  await keepScores(connection, leaves, scorer);
}

/** So many kinds are read at a time: they may have long texts. */
const kindsAtOnce = 10_000;

/** Scores what the candidates have, each kind of it once, however many are alike. */
async function keepScores(connection: DuckDBConnection, leaves: LeafColumns, scorer: Scorer): Promise<void> {
  const appender = await connection.createAppender('scores', undefined, 'temp');
  for (let first = 1; ; first += kindsAtOnce) {
    const last = first + kindsAtOnce - 1;
    const result = await connection.runAndReadAll(
      `SELECT * FROM temp.kinds WHERE kind BETWEEN ${first} AND ${last}`,
    );
    for (const [kind, ...values] of result.getRowsJS()) {
      appender.appendInteger(Number(kind));
      // A log that was added since the statistics were made may have what they do not know.
      appender.appendFloat(scorer.score(leaves.read(values)) ?? 0);
      appender.endRow();
    }
    if (result.currentRowCount < kindsAtOnce) break;
  }
  appender.closeSync();
}

const order = `score DESC, ${orders.newest}`;

/** Keeps which of the candidates are wanted. */
async function keepBest(
  connection: DuckDBConnection,
  { limit, offset = 0, after }: BestOptions,
): Promise<void> {
  const rest = after && behind(after, 'newest', 2);
  const where = rest ? `WHERE score < $1::FLOAT OR (score = $1::FLOAT AND ${rest.sql})` : '';
  await connection.run(
    `CREATE TEMP TABLE best AS
     SELECT id, score FROM temp.candidates NATURAL JOIN temp.kinds JOIN temp.scores USING (kind) ${where}
     ORDER BY ${order} ${limitTo(limit)} OFFSET ${toCount(offset)}`,
    rest && after ? [after.score, ...rest.parameters] : [],
  );
}

/** Up to so many logs are named in the SELECT that reads them, so that the rows between them are passed over. */
const fewLogs = 1000;

async function selectBest(connection: DuckDBConnection): Promise<string> {
  const result = await connection.runAndReadAll(`SELECT id::DOUBLE FROM temp.best LIMIT ${fewLogs + 1}`);
  const ids = result.getRowsJS().map(([id]) => Number(id));
  const among = ids.length <= fewLogs ? amongIds(ids) : 'true';
  return `SELECT score::DOUBLE, ${storedLogColumns} FROM (SELECT * FROM stored.logs WHERE ${among})
    JOIN temp.best USING (id) ORDER BY ${order}`;
}
