import { createHash, type Hash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { insertRows, packageVersion, readTextRows, type TextRow } from '../../database/index.ts';

/**
 * One recorded change of the case. Each holds the hash of the one before, so that none can be altered, removed
 * or inserted unnoticed.
 */
export interface Action {
  /** From 1, without gaps. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly done: number;
  readonly action: string;
  /** Details of the change, as JSON. */
  readonly details: string;
  /** Version of this program; absent only if it was removed. */
  readonly version?: string;
  /** Hash of the action before; empty in the first. */
  readonly previous: string;
  /** SHA-256 of all members above. */
  readonly hash: string;
}

/** Computes the hash of an action: SHA-256 of its members as a JSON list in UTF-8. */
export function actionHash({
  number,
  done,
  action,
  details,
  version,
  previous,
}: Omit<Action, 'hash'>): string {
  const text = JSON.stringify([number, done, action, details, version ?? null, previous]);
  return createHash('sha256').update(text).digest('hex');
}

/** Details that are recorded with an action. */
type ActionDetails = Readonly<Record<string, Json | undefined>>;

type Json = string | number | null | readonly Json[] | { readonly [name: string]: Json };

/** An action to record. */
export interface NewAction {
  readonly action: string;
  readonly details: ActionDetails;
}

/** Records an action in the case, in the transaction that carries it out. */
export function recordAction(
  connection: DuckDBConnection,
  action: string,
  details: ActionDetails,
): Promise<void> {
  return recordActions(connection, [{ action, details }]);
}

/** Records actions in their order, in the transaction that carries them out. */
export async function recordActions(
  connection: DuckDBConnection,
  notes: readonly NewAction[],
): Promise<void> {
  if (notes.length === 0) return;
  const last = await connection.runAndReadAll(
    'SELECT number::DOUBLE, hash FROM stored.actions ORDER BY number DESC LIMIT 1',
  );
  let [number, previous] = v.parse(
    v.optional(v.tuple([v.number(), v.string()]), [0, '']),
    last.getRowsJS()[0],
  );
  const actions = notes.map(({ action, details }): Action => {
    number += 1;
    const recorded = {
      number,
      action,
      details: JSON.stringify(details),
      version: packageVersion,
      done: Date.now(),
      previous,
    };
    previous = actionHash(recorded);
    return { ...recorded, hash: previous };
  });
  await insertActions(connection, actions);
}

const table = {
  table: 'stored.actions',
  columns: [
    ...['?::BIGINT', 'epoch_ms(?::BIGINT)', '?::VARCHAR', '?::VARCHAR', '?::VARCHAR'],
    ...['?::VARCHAR', '?::VARCHAR'],
  ],
};

function insertActions(connection: DuckDBConnection, actions: readonly Action[]): Promise<void> {
  return insertRows(
    connection,
    table,
    actions.map(({ number, done, action, details, version: by, previous, hash }) => [
      ...[number, done, action, details, by ?? null, previous, hash],
    ]),
  );
}

const row = v.object({
  number: v.number(),
  done: v.number(),
  action: v.string(),
  details: v.string(),
  version: v.nullable(v.string()),
  previous: v.nullish(v.string(), ''),
  hash: v.nullish(v.string(), ''),
});

/** Reads the actions of the case in their order. */
export async function readActions(connection: DuckDBConnection): Promise<Action[]> {
  const result = await connection.runAndReadAll(
    `SELECT * REPLACE (number::DOUBLE AS number, epoch_ms(done)::DOUBLE AS done) FROM stored.actions
     ORDER BY number`,
  );
  return result.getRowObjectsJS().map((values) => {
    const { version, ...rest } = v.parse(row, values);
    return { ...rest, ...(version !== null && { version }) };
  });
}

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

/** Selects the rows to digest. */
interface DigestedRows {
  readonly table: 'logs' | 'unreadable';
  /** Default: all columns but the part. */
  readonly columns?: readonly string[];
  readonly parts: readonly number[];
  /** Only rows at positions above this. */
  readonly after?: number;
  /** Only rows at positions up to this. */
  readonly upTo?: number;
}

/** Rows in one page, and parts in one statement. */
const page = { rows: 5_000, parts: 1_000 };

const cells = v.array(v.nullable(v.string()));

/**
 * Computes SHA-256 of the rows of parts in the order of their positions as texts, by part number. Each row is hashed
 * as a JSON list of texts and a line feed. Parts without rows are absent. Memory use does not depend on the number
 * of rows.
 */
export async function rowDigests(
  connection: DuckDBConnection,
  { parts, ...rows }: DigestedRows,
): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, Hash>();
  for (let from = 0; from < parts.length; from += page.parts)
    await addRows(connection, { ...rows, parts: parts.slice(from, from + page.parts) }, hashes);
  return new Map([...hashes].map(([part, hash]) => [part, hash.digest('hex')]));
}

async function addRows(
  connection: DuckDBConnection,
  { table, columns, parts, after = 0, upTo }: DigestedRows,
  hashes: Map<number, Hash>,
): Promise<void> {
  const isWithin = upTo === undefined ? `position > ${after}` : `position BETWEEN ${after + 1} AND ${upTo}`;
  const names = columns ? `[${columns.map((name) => `'${name}'`).join(', ')}]` : '* EXCLUDE (part)';
  const select = `SELECT part::VARCHAR, position::VARCHAR, COLUMNS(${names})::VARCHAR
    FROM stored."${table}" AS rows WHERE part IN (${parts.map(Number).join(', ')}) AND ${isWithin}`;
  let cursor = '';
  for (;;) {
    const found = await connection.runAndReadAll(
      `${select} ${cursor} ORDER BY rows.part, rows.position::VARCHAR LIMIT ${page.rows}`,
    );
    const rows = v.parse(v.array(cells), found.getRowsJson());
    for (const [part, , ...values] of rows)
      hashOf(hashes, Number(part)).update(`${JSON.stringify(values)}\n`);
    const [part, position] = rows.at(-1) ?? [];
    if (rows.length < page.rows) return;
    // Pages follow the same order as rows: a comparison of numbers would leave out rows.
    cursor = `AND (part > ${Number(part)} OR (part = ${Number(part)} AND position::VARCHAR > '${Number(position)}'))`;
  }
}

function hashOf(hashes: Map<number, Hash>, part: number): Hash {
  const hash = hashes.get(part) ?? createHash('sha256');
  hashes.set(part, hash);
  return hash;
}

/** Digests the pairs of position and id of the logs of parts, by part number. */
export function idDigests(
  connection: DuckDBConnection,
  parts: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  return rowDigests(connection, { table: 'logs', columns: ['position', 'id'], parts });
}
