import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { idDigests, rowDigests } from '../chain/row-digests.ts';
import type { ReportDeviation } from './deviation.ts';
import type { LogsDigest, RecordedPart } from './recorded-parts.ts';

/**
 * Checks data that the originals of parts do not determine: ids, descriptions of unreadable
 * records, and logs of this program.
 */
export async function checkDigests(
  connection: DuckDBConnection,
  recorded: ReadonlyMap<number, RecordedPart>,
  report: ReportDeviation,
): Promise<void> {
  const parts = [...recorded.values()];
  await checkUnreadable(connection, parts, report);
  await checkIds(connection, parts, report);
  for (const part of parts)
    for (const digest of part.digests ?? []) await checkLogs(connection, { part, digest }, report);
}

async function checkUnreadable(
  connection: DuckDBConnection,
  parts: readonly RecordedPart[],
  report: ReportDeviation,
): Promise<void> {
  const recorded = parts.filter(({ unreadableSha256 }) => unreadableSha256 !== undefined);
  const numbers = recorded.map(({ part }) => part);
  const found = await rowDigests(connection, { table: 'unreadable', parts: numbers });
  for (const part of recorded)
    if (found.get(part.part) !== part.unreadableSha256)
      reportPart(part, 'its unreadable records differ from the recorded ones', report);
}

async function checkIds(
  connection: DuckDBConnection,
  parts: readonly RecordedPart[],
  report: ReportDeviation,
): Promise<void> {
  const trimmed = parts.filter(({ idsSha256, logs }) => idsSha256 !== undefined && 0 < logs);
  const found = await idDigests(
    connection,
    trimmed.map(({ part }) => part),
  );
  const altered = trimmed.filter(({ part, idsSha256 }) => found.get(part) !== idsSha256);
  const partial = parts.filter(isPartial);
  const first = await firstIds(
    connection,
    partial.map(({ part }) => part),
  );
  const others = partial.filter(({ part, firstId }) => first.get(part) !== firstId);
  for (const part of [...altered, ...others])
    reportPart(part, 'the ids of its logs differ from the recorded ones', report);
}

/**
 * Reports if logs of a part were omitted when it was added: the ids of all other parts are compared
 * with their records.
 */
function isPartial({ leftOut, logs, firstId, idsSha256 }: RecordedPart): boolean {
  return 0 < leftOut && 0 < logs && firstId !== undefined && idsSha256 === undefined;
}

const firsts = v.array(v.tuple([v.number(), v.number()]));

/** Returns the first ids of parts whose ids are without gaps in the order of their positions, by part. */
async function firstIds(
  connection: DuckDBConnection,
  parts: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (parts.length === 0) return new Map();
  const result = await connection.runAndReadAll(
    `SELECT part, min(id)::DOUBLE FROM (
       SELECT part, id, row_number() OVER (PARTITION BY part ORDER BY position) AS place
       FROM stored.logs WHERE part IN (${parts.map(Number).join(', ')}))
     GROUP BY part HAVING min(id - place) = max(id - place) AND count(id) = count(*)`,
  );
  return new Map(v.parse(firsts, result.getRowsJS()));
}

async function checkLogs(
  connection: DuckDBConnection,
  { part, digest }: { readonly part: RecordedPart; readonly digest: LogsDigest },
  report: ReportDeviation,
): Promise<void> {
  const { after, upTo, sha256 } = digest;
  const found = await rowDigests(connection, { table: 'logs', parts: [part.part], after, upTo });
  if (found.get(part.part) !== sha256)
    reportPart(part, `its logs ${after + 1} to ${upTo} differ from the recorded ones`, report);
}

function reportPart({ part, file, entry }: RecordedPart, problem: string, report: ReportDeviation): void {
  const message = `Part ${part} ("${entry ?? file}"): ${problem}`;
  report({ code: 'ROWS_ALTERED', part, message });
}
