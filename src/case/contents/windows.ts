import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type Case, readCase, writeToCase } from '../file/case.ts';
import { changeRecordedRows } from '../file/chain.ts';
import { windowColumnTypes } from '../file/schema.ts';
import { type StoredExport, writeExport } from './exports.ts';

/**
 * State of a window of an export. `loaded`: its logs are in the case. `split`: other windows replaced it, and
 * the case has nothing of it. `failed`: given up; a later run retries it.
 */
export const windowStates = [
  'planned',
  'submitted',
  'ready',
  'fetched',
  'loaded',
  'split',
  'failed',
] as const;

export type WindowState = (typeof windowStates)[number];

/** An interval of an export, which one export job fetches. */
export interface StoredWindow {
  /** Number of the window in the case, from 1. */
  readonly window: number;
  /** Number of its export. */
  readonly export: number;
  /** Interval, both ends included: milliseconds since the epoch. */
  readonly oldest: number;
  readonly newest: number;
  /** Further restriction besides the interval, as JSON: one millisecond can hold more logs than a call returns. */
  readonly slice?: string | undefined;
  readonly state: WindowState;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Id and address of its job, once submitted. */
  readonly job?: string | undefined;
  readonly address?: string | undefined;
  /** Address of its zip. */
  readonly upload?: string | undefined;
  /** Size and digest of the received zip. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  /** Records in the zip. */
  readonly records?: number | undefined;
  /** Records whose times are in the interval. */
  readonly found?: number | undefined;
  /** Records that are in the case because of this window. */
  readonly logs?: number | undefined;
  readonly unreadable?: number | undefined;
  /** Conditions that the logs must meet for the order of the deployment to be trusted, as JSON. */
  readonly expected?: string | undefined;
  /** Lower bound of the logs that could not be fetched. */
  readonly missing?: number | undefined;
  /** Reason for a failure or an incomplete window. */
  readonly reason?: string | undefined;
  /** Time of this change: milliseconds since the epoch. */
  readonly updated: number;
}

/** Changes of an export that are stored in one transaction. */
export interface ExportChanges {
  readonly export?: StoredExport;
  /** Each replaces the stored window of its number. */
  readonly windows?: readonly StoredWindow[];
  /** Numbers of windows to delete: other windows include them now. */
  readonly removed?: readonly number[];
}

/** Stores changes of an export and its windows. `decide` runs once all earlier changes are in the case. */
export function saveExportChanges(into: Case, decide: () => ExportChanges): Promise<void> {
  return writeToCase(into, (connection) => writeExportChanges(connection, decide()));
}

/** Stores changes of an export and its windows within a transaction. */
export async function writeExportChanges(
  connection: DuckDBConnection,
  { export: stored, windows = [], removed = [] }: ExportChanges,
): Promise<void> {
  if (stored) await writeExport(connection, stored);
  const gone = [...removed, ...windows.map(({ window }) => window)];
  if (gone.length === 0) return;
  await changeRecordedRows(connection, { table: 'windows', keys: gone }, async () => {
    await connection.run(`DELETE FROM stored.windows WHERE "window" IN (${gone.map(Number).join(', ')})`);
    for (const each of windows) await insertWindow(connection, each);
  });
}

const names = Object.keys(windowColumnTypes) as (keyof typeof windowColumnTypes)[];

const insert = `INSERT INTO stored.windows VALUES (${names
  .map((name, index) =>
    windowColumnTypes[name] === 'TIMESTAMP' ? `epoch_ms($${index + 1}::BIGINT)` : `$${index + 1}`,
  )
  .join(', ')})`;

async function insertWindow(connection: DuckDBConnection, each: StoredWindow): Promise<void> {
  await connection.run(
    insert,
    names.map((name) => each[name] ?? null),
  );
}

const present = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.nullable(schema),
    v.transform((value) => value ?? undefined),
  );
const text = present(v.string());
const number = present(v.number());

const row = v.object({
  window: v.number(),
  export: v.number(),
  oldest: v.number(),
  newest: v.number(),
  slice: text,
  state: v.picklist(windowStates),
  attempts: v.number(),
  job: text,
  address: text,
  upload: text,
  bytes: number,
  sha256: text,
  records: number,
  found: number,
  logs: number,
  unreadable: number,
  expected: text,
  missing: number,
  reason: text,
  updated: v.number(),
});

const selected = names
  .map((name) => {
    if (windowColumnTypes[name] === 'TIMESTAMP') return `epoch_ms("${name}")::DOUBLE AS "${name}"`;
    return windowColumnTypes[name] === 'BIGINT' ? `"${name}"::DOUBLE AS "${name}"` : `"${name}"`;
  })
  .join(', ');

/** Reads the windows of a case, or of one of its exports, in the order of their numbers. */
export function findWindows(from: Case, ofExport?: number): Promise<readonly StoredWindow[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT ${selected} FROM stored.windows WHERE $1::INTEGER IS NULL OR export = $1 ORDER BY "window"`,
      [ofExport ?? null],
    );
    return result.getRowObjectsJS().map((each) => v.parse(row, each));
  });
}
