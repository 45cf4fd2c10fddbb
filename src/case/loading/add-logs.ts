import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { insertRows } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import type { Extra, Log } from '../../records/index.ts';
import { withCondition } from '../../word-index/index.ts';
import type { UnreadableInCase } from '../contents/summary.ts';
import { type Case, writeToCase } from '../file/case.ts';
import { recordAction, recordActions, rowDigests } from '../file/chain.ts';
import { insertParts, nextNumbers, partAction, programFormat, type StoredPart } from '../file/parts.ts';
import { logBatchColumns, logBatcher, recordBatcher, rowBatcher } from '../rows/batches.ts';
import { openRowWriter } from '../rows/row-writer.ts';
import type { StoredLog } from '../searching/stored-log.ts';
import { openPartWriter } from './part-writer.ts';

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
  await recordActions(connection, [partAction(part)]);
}

function emptyPart(part: number, name: string): StoredPart {
  const empty = { logs: 0, unreadable: 0, bytes: 0, remarks: [], entryNumber: 0, format: programFormat };
  return { ...empty, part, file: name, entry: name, added: Date.now() };
}

/** Columns that tell the logs of several parts apart, behind those of one part. */
const columns = {
  numbers: [...logBatchColumns.numbers, { name: 'part', type: 'INTEGER' }],
  texts: [...logBatchColumns.texts, 'entry'],
} as const;

const idColumn = logBatchColumns.numbers.findIndex(({ name }) => name === 'id');

/**
 * Adds logs that another store has, with their ids, to a temporary case; returns their number. Nothing is
 * recorded as an action: the case is no evidence.
 */
export function addStoredLogs(
  into: Case,
  logs: AsyncIterable<StoredLog>,
  onProgress: (count: number) => void = () => undefined,
): Promise<number> {
  return writeToCase(into, async (connection) => {
    const rows = rowBatcher({ numbers: columns.numbers.length, texts: columns.texts.length });
    const batcher = logBatcher(rows);
    await using writer = await openRowWriter(connection, {
      table: 'stored.logs',
      constants: [],
      ...columns,
    });
    let count = 0;
    for await (const { id, part, entry, position, log, extra } of logs) {
      batcher.add({ kind: 'log', log, position: { number: position }, ...(extra && { extra }) });
      rows.setNumber(idColumn, id);
      rows.setNumber(columns.numbers.length - 1, part);
      rows.setText(columns.texts.length - 1, rows.addText(entry));
      count += 1;
      if (!batcher.isFull()) continue;
      await writer.write(batcher.take(), []);
      onProgress(count);
    }
    await writer.write(batcher.take(), []);
    await writer.finish();
    return count;
  });
}

const unreadableTable = {
  table: 'stored.unreadable',
  columns: [
    ...['?::INTEGER', '?::VARCHAR', '?::INTEGER', '?::BIGINT', '?::BIGINT'],
    ...['?::VARCHAR', '?::VARCHAR', '?::VARCHAR'],
  ],
};

/** Adds parts and unreadable records that another store has, with their numbers, to a temporary case. */
export function addStoredParts(
  into: Case,
  parts: readonly StoredPart[],
  unreadable: readonly UnreadableInCase[],
): Promise<void> {
  return writeToCase(into, async (connection) => {
    await insertParts(connection, parts);
    await insertRows(
      connection,
      unreadableTable,
      unreadable.map(({ part, entry, position, code, reason, raw }) => [
        ...[part, entry, position, null, null, code],
        ...[reason, raw],
      ]),
    );
  });
}

/**
 * Deletes all but the newest logs of a part that `addLogs` created, by order of arrival, and
 * records the action. Only for a case in memory that a running program writes to: a case file loses
 * nothing. Does nothing if the part does not exist.
 */
export async function keepNewestLogs(
  of: Case,
  { part: name, count }: { readonly part: string; readonly count: number },
): Promise<void> {
  if (of.path !== ':memory:') return;
  await writeToCase(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `DELETE FROM stored.logs WHERE part IN (SELECT part FROM stored.parts WHERE format = 'program' AND file = $1)
       AND id < (SELECT min(id) FROM (
         SELECT id FROM stored.logs WHERE part IN (SELECT part FROM stored.parts WHERE format = 'program' AND file = $1)
         ORDER BY id DESC LIMIT ${Math.max(1, Math.trunc(count))}))`,
      [name],
    );
    const deleted = Number(result.getRowsJS()[0]?.[0] ?? 0);
    if (0 < deleted) await recordAction(connection, 'delete oldest logs', { file: name, logs: deleted });
  });
}

/**
 * Deletes the logs that a filter selects from a case in memory, and returns their number. A case in a file keeps all:
 * undefined.
 */
export async function deleteLogs(of: Case, filter: Filter): Promise<number | undefined> {
  if (of.path !== ':memory:') return undefined;
  return writeToCase(of, (connection) =>
    withCondition(filter, async ({ sql, parameters }) => {
      const result = await connection.runAndReadAll(`DELETE FROM stored.logs WHERE ${sql}`, [...parameters]);
      const deleted = Number(result.getRowsJS()[0]?.[0] ?? 0);
      if (0 < deleted) await recordAction(connection, 'delete logs', { logs: deleted });
      return deleted;
    }),
  );
}
