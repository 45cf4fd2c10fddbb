import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type NewAction, recordActions } from '../chain/actions.ts';
import { recordExistingRows } from '../chain/recorded-rows.ts';
import { idDigests, rowDigests } from '../chain/row-digests.ts';
import { partAction, readParts, type StoredPart, unreadableDigests } from './parts.ts';

/**
 * Records the contents of a case of a version before 6, whose actions are incomplete. From then on,
 * verification compares with these actions; earlier ones still count.
 */
export async function recordExistingContents(connection: DuckDBConnection): Promise<void> {
  const parts = await readParts(connection);
  await recordActions(connection, await partActions(connection, parts));
  await recordActions(connection, await fileActions(connection));
  await recordExistingRows(connection);
}

async function partActions(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
): Promise<readonly NewAction[]> {
  const spans = await idSpans(connection);
  const isDense = (part: number) => spans.get(part)?.isDense === true;
  const sparse = parts.map(({ part }) => part).filter((part) => !isDense(part));
  const unreadable = await unreadableDigests(connection, parts);
  const ids = await idDigests(connection, sparse);
  const made = parts.filter(({ fileSha256 }) => fileSha256 === undefined).map(({ part }) => part);
  const logs = await rowDigests(connection, { table: 'logs', parts: made });
  return parts.map((part) => {
    const firstId = isDense(part.part) ? spans.get(part.part)?.firstId : undefined;
    const action = partAction('find part', part, { firstId, unreadableSha256: unreadable.get(part.part) });
    const digests = { idsSha256: ids.get(part.part), logsSha256: logs.get(part.part) };
    return { ...action, details: { ...action.details, ...digests } };
  });
}

const spans = v.array(v.tuple([v.number(), v.number(), v.boolean()]));

/** Returns the first log id of each part, and whether its ids have no gaps, by part number. */
async function idSpans(
  connection: DuckDBConnection,
): Promise<ReadonlyMap<number, { readonly firstId: number; readonly isDense: boolean }>> {
  const result = await connection.runAndReadAll(
    `SELECT part, min(id)::DOUBLE, max(id) - min(id) + 1 = count(*) FROM stored.logs
     WHERE part IS NOT NULL AND id IS NOT NULL GROUP BY part`,
  );
  const found = v.parse(spans, result.getRowsJS());
  return new Map(found.map(([part, firstId, isDense]) => [part, { firstId, isDense }]));
}

const files = v.array(v.tuple([v.string(), v.string(), v.bigint(), v.nullable(v.string()), v.bigint()]));

async function fileActions(connection: DuckDBConnection): Promise<readonly NewAction[]> {
  const result = await connection.runAndReadAll(
    'SELECT sha256, file, bytes, job, epoch_ms(added) FROM stored.files ORDER BY added, sha256',
  );
  return v.parse(files, result.getRowsJS()).map(([sha256, file, bytes, job, added]) => {
    const facts = { sha256, file, bytes: Number(bytes), job: job ?? undefined, added: Number(added) };
    return { action: 'find file', details: facts };
  });
}
