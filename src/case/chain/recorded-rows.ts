import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { readTextRows, type TextRow } from '../../database/index.ts';
import { type Action, type NewAction, recordActions } from './actions.ts';

/**
 * The tables whose rows change during an export, with their key columns. Each change is recorded in its
 * transaction as an action `note <table>` with the changed columns. The expected rows follow from the actions
 * at any time, whose number grows with the changes, not with the rows.
 */
export const recordedTables = { exports: 'export', windows: 'window', jobs: 'address' } as const;

/** A table whose changes are recorded. */
export type RecordedTable = keyof typeof recordedTables;

/** Maximum number of rows in one action. */
const maxRows = 1_000;

/** Changes the rows of certain keys and records the differences, in the transaction of the caller. */
export async function changeRecordedRows(
  connection: DuckDBConnection,
  { table, keys }: { readonly table: RecordedTable; readonly keys: readonly (string | number)[] },
  change: () => Promise<void>,
): Promise<void> {
  const where = { column: recordedTables[table], values: keys };
  const before = byKey(table, await readTextRows(connection, table, where));
  await change();
  const after = byKey(table, await readTextRows(connection, table, where));
  const changed = [...after].flatMap(([key, row]) => changedColumns(table, row, before.get(key)));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  await recordActions(connection, toActions(table, changed, removed));
}

/** Records all rows of these tables as they are, in a case of a version that did not record them. */
export async function recordExistingRows(connection: DuckDBConnection): Promise<void> {
  for (const table of recordedTableNames) {
    const rows = await readTextRows(connection, table);
    const found = rows.flatMap((row) => changedColumns(table, row, undefined));
    await recordActions(connection, toActions(table, found, []));
  }
}

/** Names of the tables whose changes are recorded. */
export const recordedTableNames: readonly RecordedTable[] = ['exports', 'windows', 'jobs'];

function byKey(table: RecordedTable, rows: readonly TextRow[]): ReadonlyMap<string, TextRow> {
  return new Map(rows.map((row) => [row[recordedTables[table]] ?? '', row]));
}

/** Returns the key of a row with its changed columns; an empty list if none changed. */
function changedColumns(table: RecordedTable, row: TextRow, before: TextRow | undefined): readonly TextRow[] {
  const changed = Object.entries(row).filter(([column, value]) => value !== (before?.[column] ?? null));
  if (before && changed.length === 0) return [];
  return [{ [recordedTables[table]]: row[recordedTables[table]] ?? null, ...Object.fromEntries(changed) }];
}

function toActions(
  table: RecordedTable,
  rows: readonly TextRow[],
  removed: readonly string[],
): readonly NewAction[] {
  const newActions: NewAction[] = [];
  for (let from = 0; from < rows.length; from += maxRows)
    newActions.push({ action: `note ${table}`, details: { rows: rows.slice(from, from + maxRows) } });
  if (0 < removed.length) newActions.push({ action: `note ${table}`, details: { removed } });
  return newActions;
}

const details = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    rows: v.optional(v.array(v.record(v.string(), v.nullable(v.string()))), []),
    removed: v.optional(v.array(v.string()), []),
  }),
);

/** Returns the rows that a table must have according to the actions, by key. Columns without a value are absent. */
export function recordedRows(actions: readonly Action[], table: RecordedTable): ReadonlyMap<string, TextRow> {
  const rows = new Map<string, TextRow>();
  for (const action of actions) {
    if (action.action !== `note ${table}`) continue;
    const { success, output } = v.safeParse(details, action.details);
    // Unreadable details were altered, which the chain of hashes reveals.
    if (!success) continue;
    for (const row of output.rows) {
      const key = row[recordedTables[table]] ?? '';
      rows.set(key, { ...rows.get(key), ...row });
    }
    for (const key of output.removed) rows.delete(key);
  }
  return rows;
}
