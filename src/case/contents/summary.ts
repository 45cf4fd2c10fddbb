import * as v from 'valibot';
import { type Case, readCase, readCaseSnapshot } from '../file/case.ts';
import { readParts, type StoredPart } from '../file/parts.ts';
import { findJobs, type StoredJob } from './jobs.ts';

/** Contents of a case. */
export interface CaseSummary {
  readonly logs: number;
  readonly unreadable: number;
  /** Times of the first and last log: milliseconds since the epoch. Absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  readonly parts: readonly StoredPart[];
  readonly jobs: readonly StoredJob[];
}

const times = v.tuple([v.number(), v.number(), v.nullable(v.number()), v.nullable(v.number())]);

/**
 * Summarises a case by counting its rows, not from the recorded counts.
 *
 * ```ts
 * const { parts, jobs } = await summary(incident);
 * ```
 */
export async function summary(of: Case): Promise<CaseSummary> {
  const jobs = await findJobs(of);
  return readCaseSnapshot(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT count(*)::DOUBLE, (SELECT count(*) FROM stored.unreadable)::DOUBLE,
         epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE FROM stored.logs`,
    );
    const [logs, unreadable, first, last] = v.parse(times, result.getRowsJS()[0]);
    return {
      logs,
      unreadable,
      ...(first !== null && { first }),
      ...(last !== null && { last }),
      parts: await readParts(connection),
      jobs,
    };
  });
}

/** A stored record that could not be read. */
export interface UnreadableInCase {
  readonly part: number;
  readonly entry: string;
  /** Number of the record in its entry, from 1. */
  readonly position: number;
  readonly code: string;
  readonly reason: string;
  /** Text of the record, or its beginning. */
  readonly raw: string;
}

const unreadable = v.object({
  part: v.number(),
  entry: v.string(),
  position: v.number(),
  code: v.string(),
  reason: v.string(),
  raw: v.string(),
});

/**
 * Returns the unreadable records in the order in which they were read.
 *
 * ```ts
 * const records = await findUnreadable(incident, { limit: 10 });
 * ```
 */
export function findUnreadable(
  from: Case,
  { limit }: { readonly limit: number },
): Promise<readonly UnreadableInCase[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT part, entry, position, code, reason, coalesce(raw, '') AS raw FROM stored.unreadable
       ORDER BY part, position LIMIT $1::BIGINT`,
      [limit],
    );
    return result.getRowObjectsJS().map((each) => v.parse(unreadable, each));
  });
}

const fileRows = v.array(v.tuple([v.string(), v.string()]));

/** Returns the names of the files that logs of a case were read from, by their SHA-256. */
export async function filesWithLogs(of: Case): Promise<ReadonlyMap<string, string>> {
  return readCase(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT file_sha256, min(file) FROM stored.parts
       WHERE file_sha256 IS NOT NULL AND 0 < logs GROUP BY file_sha256 ORDER BY min(part)`,
    );
    return new Map(v.parse(fileRows, result.getRowsJS()));
  });
}
