import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf } from '../../database/index.ts';
import type { IdRange } from '../../word-index/index.ts';
import {
  collectSegments,
  findDifference,
  findUnlistedPages,
  isDamage,
  readSegments,
  readTexts,
  type Segment,
  usualThreads,
} from '../../word-index/index.ts';
import type { ReportDeviation } from './deviation.ts';

/**
 * Checks that the token index matches the tokens of the logs: every token of every log at its
 * position, and nothing else.
 */
export async function checkIndex(connection: DuckDBConnection, report: ReportDeviation): Promise<void> {
  await checkUnlistedTables(connection, report);
  let next = 1;
  const segments = await readSegments(connection).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    const message = `The list of the segments of the index was altered: ${error.message}. ${remedy}`;
    report({ code: 'INDEX_ALTERED', message });
    return [];
  });
  for (const segment of segments) {
    const { firstId, lastId } = segment;
    const problem =
      firstId === next ? await problemOf(connection, segment) : `it must begin with log ${next}`;
    next = lastId + 1;
    if (problem !== undefined)
      report({
        code: 'INDEX_ALTERED',
        message: `The index of logs ${firstId} to ${lastId} differs from their tokens: ${problem}. ${remedy}`,
      });
  }
}

/** Reports tables of pages that the list of segments does not name: without its row, a segment is not used. */
async function checkUnlistedTables(connection: DuckDBConnection, report: ReportDeviation): Promise<void> {
  for (const table of await findUnlistedPages(connection))
    report({
      code: 'INDEX_ALTERED',
      message: `The list of the segments of the index lacks "${table}". ${remedy}`,
    });
}

const remedy = '"logquarry index --rebuild" rebuilds it';

async function problemOf(connection: DuckDBConnection, segment: Segment): Promise<string | undefined> {
  const { lastId } = segment;
  try {
    const [logs, last] = await logsBetween(connection, segment);
    if (logs !== segment.logs) return `there are ${logs} logs, not ${segment.logs}`;
    // Before reading, which goes through all ids up to the last one, however far it is.
    if (last !== lastId) return `its last log is ${last}, not ${lastId}`;
    const { firstId } = segment;
    const texts = readTexts(connection, { firstId, lastId });
    const options = { maxBytes: Number.POSITIVE_INFINITY, threads: usualThreads(logs) };
    for await (const expected of collectSegments(texts, { firstId, lastId, ...options }))
      return await findDifference(connection, segment, expected);
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return `it cannot be read (${messageOf(error)})`;
  }
}

const numbers = v.tuple([v.number(), v.nullable(v.number())]);

/** Returns the number of logs in a range of ids, and the last id. */
async function logsBetween(connection: DuckDBConnection, { firstId, lastId }: IdRange) {
  const result = await connection.runAndReadAll(
    `SELECT count(*)::DOUBLE, max(id)::DOUBLE FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId}`,
  );
  return v.parse(numbers, result.getRowsJS()[0]);
}
