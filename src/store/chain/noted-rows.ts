import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { readTextRows, type TextRow } from '../database/text-rows.ts';
import { type Action, type Note, noteActions } from './actions.ts';

/**
 * The tables whose rows change while an export goes on, and the column that tells their rows apart. Each change is noted in the
 * record of actions, in the transaction that makes it: an action `note <table>` holds the columns that changed. So the record
 * says at any moment what the rows have to be, and grows with the changes and not with the rows.
 */
export const notedTables = { exports: 'export', windows: 'window', jobs: 'address' } as const;

/** A table whose changes are noted. */
export type NotedTable = keyof typeof notedTables;

/** Rows in one action. */
const mostRows = 1_000;

/** Changes the rows of some keys of a table and notes what is different afterwards, in the transaction of the caller. */
export async function changeRows(
  connection: DuckDBConnection,
  { table, keys }: { readonly table: NotedTable; readonly keys: readonly (string | number)[] },
  change: () => Promise<void>,
): Promise<void> {
  const where = { column: notedTables[table], values: keys };
  const before = byKey(table, await readTextRows(connection, table, where));
  await change();
  const after = byKey(table, await readTextRows(connection, table, where));
  const changed = [...after].flatMap(([key, row]) => changedColumns(table, row, before.get(key)));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  await noteActions(connection, toNotes(table, changed, removed));
}

/** Notes all rows of these tables as they are found in a case whose record did not say so far. */
export async function noteFoundRows(connection: DuckDBConnection): Promise<void> {
  for (const table of notedTableNames) {
    const rows = await readTextRows(connection, table);
    const found = rows.flatMap((row) => changedColumns(table, row, undefined));
    await noteActions(connection, toNotes(table, found, []));
  }
}

/** The names of the tables whose changes are noted. */
export const notedTableNames: readonly NotedTable[] = ['exports', 'windows', 'jobs'];

function byKey(table: NotedTable, rows: readonly TextRow[]): ReadonlyMap<string, TextRow> {
  return new Map(rows.map((row) => [row[notedTables[table]] ?? '', row]));
}

/** The key of a row and the columns that are other than before; nothing where none is. */
function changedColumns(table: NotedTable, row: TextRow, before: TextRow | undefined): readonly TextRow[] {
  const changed = Object.entries(row).filter(([column, value]) => value !== (before?.[column] ?? null));
  if (before && changed.length === 0) return [];
  return [{ [notedTables[table]]: row[notedTables[table]] ?? null, ...Object.fromEntries(changed) }];
}

function toNotes(table: NotedTable, rows: readonly TextRow[], removed: readonly string[]): readonly Note[] {
  const notes: Note[] = [];
  for (let from = 0; from < rows.length; from += mostRows)
    notes.push({ action: `note ${table}`, details: { rows: rows.slice(from, from + mostRows) } });
  if (0 < removed.length) notes.push({ action: `note ${table}`, details: { removed } });
  return notes;
}

const details = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    rows: v.optional(v.array(v.record(v.string(), v.nullable(v.string()))), []),
    removed: v.optional(v.array(v.string()), []),
  }),
);

/** The rows that a table has to have by the record of actions, by their keys. Columns without a value are left out. */
export function notedRows(actions: readonly Action[], table: NotedTable): ReadonlyMap<string, TextRow> {
  const rows = new Map<string, TextRow>();
  for (const action of actions) {
    if (action.action !== `note ${table}`) continue;
    const { success, output } = v.safeParse(details, action.details);
    // Details that cannot be read were altered, which the chain of hashes shows.
    if (!success) continue;
    for (const row of output.rows) {
      const key = row[notedTables[table]] ?? '';
      rows.set(key, { ...rows.get(key), ...row });
    }
    for (const key of output.removed) rows.delete(key);
  }
  return rows;
}
