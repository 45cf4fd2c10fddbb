import type { DuckDBConnection } from '@duckdb/node-api';
import { messageOf } from '../database/store-error.ts';
import { indexLogs } from '../segments/index-logs.ts';
import { findDifference, isDamage, readSegments, type Segment } from '../segments/stored-segments.ts';
import type { ReportDeviation } from './deviation.ts';

/**
 * Checks that the token index matches the tokens of the logs: every token of every log at its
 * position, and nothing else.
 */
export async function checkIndex(connection: DuckDBConnection, report: ReportDeviation): Promise<void> {
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

const remedy = '"logquarry index --rebuild" rebuilds it';

async function problemOf(connection: DuckDBConnection, segment: Segment): Promise<string | undefined> {
  const { firstId, lastId } = segment;
  try {
    const logs = await numberOf(
      connection,
      `SELECT count(*) FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId}`,
    );
    if (logs !== segment.logs) return `there are ${logs} logs, not ${segment.logs}`;
    const expected = await indexLogs(connection, segment, Number.POSITIVE_INFINITY);
    if (expected.lastId !== lastId) return `its last log is ${expected.lastId}, not ${lastId}`;
    return await findDifference(connection, segment, expected.fields);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return `it cannot be read (${messageOf(error)})`;
  }
}

async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  const result = await connection.runAndReadAll(`SELECT (${sql})::DOUBLE`);
  return Number(result.getRowsJS()[0]?.[0]);
}
