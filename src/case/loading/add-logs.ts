import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { Extra, Log } from '../../records/index.ts';
import { recordAction, recordActions } from '../chain/actions.ts';
import { rowDigests } from '../chain/row-digests.ts';
import { type Case, writeToCase } from '../file/case.ts';
import { insertParts, nextNumbers, partAction, type StoredPart } from '../file/parts.ts';
import { recordBatcher } from '../rows/record-batch.ts';
import { openPartWriter } from './part-writer.ts';

/** Format of parts whose logs this program created. */
const programFormat = 'program';

/**
 * Adds logs created by this program, which have no original. All logs of one name form one part.
 *
 * ```ts
 * await addLogs(incident, [{ time: Date.now(), logLevel: 'INFO', msg: 'Imported by hand' }], { part: 'by hand' });
 * ```
 */
export function addLogs(into: Case, logs: readonly Log[], part: { readonly part: string }): Promise<void> {
  return addRecords(
    into,
    logs.map((log) => ({ log })),
    part,
  );
}

/** Adds logs as `addLogs` does, with the members of their records beyond the fields of a log. */
export async function addRecords(
  into: Case,
  records: readonly { readonly log: Log; readonly extra?: Extra }[],
  { part: name }: { readonly part: string },
): Promise<void> {
  await writeToCase(into, async (connection) => {
    const found = await findPart(connection, name);
    if (found.count === undefined) await beginProgramPart(connection, emptyPart(found.part, name));
    const { part, count = 0, firstId } = found;
    await using writer = await openPartWriter(connection);
    writer.beginPart({ part, entry: name, firstId });
    const batcher = recordBatcher();
    for (const [index, record] of records.entries()) {
      batcher.add({ kind: 'log', ...record, position: { number: count + index + 1 } });
      if (batcher.isFull()) await writer.add(batcher.take(), 0);
    }
    await writer.add(batcher.take(), 0);
    await writer.finish();
    await connection.run('UPDATE stored.parts SET logs = logs + $1::BIGINT WHERE part = $2', [
      records.length,
      part,
    ]);
    const digests = await rowDigests(connection, { table: 'logs', parts: [part], after: count });
    const sha256 = digests.get(part);
    await recordAction(connection, 'add logs', { part, file: name, logs: records.length, sha256 });
  });
}

const found = v.object({ part: v.number(), count: v.number() });

/**
 * Finds the part of a name with its number of logs, or the number of a new part; and the id of the
 * next log.
 */
async function findPart(
  connection: DuckDBConnection,
  name: string,
): Promise<{ readonly part: number; readonly count?: number; readonly firstId: number }> {
  const next = await nextNumbers(connection);
  const result = await connection.runAndReadAll(
    `SELECT max(part) AS part, max(logs::DOUBLE) AS count FROM stored.parts WHERE format = $1 AND file = $2
     HAVING 0 < count(*)`,
    [programFormat, name],
  );
  const known = v.parse(v.optional(found), result.getRowObjectsJS()[0]);
  return { part: next.part, ...known, firstId: next.id };
}

async function beginProgramPart(connection: DuckDBConnection, part: StoredPart): Promise<void> {
  await insertParts(connection, [part]);
  await recordActions(connection, [partAction('add part', part)]);
}

function emptyPart(part: number, name: string): StoredPart {
  const empty = { logs: 0, unreadable: 0, bytes: 0, remarks: [], entryNumber: 0, format: programFormat };
  return { ...empty, part, file: name, entry: name, added: Date.now() };
}
