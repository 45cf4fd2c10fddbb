import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type Case, reading, writing } from '../case/case.ts';
import { columns } from '../case/window-columns.ts';
import { changeRows } from '../chain/noted-rows.ts';
import { type StoredExport, writeExport } from './exports.ts';

/**
 * How far a window of an export is. `loaded`: its logs are in the case.
 * `split`: other windows took its place, and nothing of it is in the case.
 * `failed`: it was given up; a later run tries it again.
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

/** One part of the times of an export, which one export job brings. */
export interface StoredWindow {
  /** Its number in the case, from 1. */
  readonly window: number;
  /** The number of the export that it belongs to. */
  readonly export: number;
  /** Its times, both included: milliseconds since the epoch. */
  readonly oldest: number;
  readonly newest: number;
  /** What narrows it besides its times, as JSON: a millisecond can hold more logs than one call returns. */
  readonly slice?: string | undefined;
  readonly state: WindowState;
  /** How often it came to nothing so far. */
  readonly attempts: number;
  /** The id and the address of its job, once there is one. */
  readonly job?: string | undefined;
  readonly address?: string | undefined;
  /** Where its zip is. */
  readonly upload?: string | undefined;
  /** The zip that came. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  /** The records in the zip. */
  readonly records?: number | undefined;
  /** Those of them whose times are in the window. */
  readonly found?: number | undefined;
  /** Those of them that are in the case because of it. */
  readonly logs?: number | undefined;
  readonly unreadable?: number | undefined;
  /** What its logs have to be like for the order of the deployment to be trusted, as JSON. */
  readonly expected?: string | undefined;
  /** At least so many of its logs are not to be had. */
  readonly missing?: number | undefined;
  /** Why it failed, or is not complete. */
  readonly reason?: string | undefined;
  /** When this was noted: milliseconds since the epoch. */
  readonly updated: number;
}

/** What is to be noted of an export in one transaction. */
export interface ExportChanges {
  readonly export?: StoredExport;
  /** Each in place of what was known of the window of its number. */
  readonly windows?: readonly StoredWindow[];
  /** The numbers of windows that are no more: others have taken them in. */
  readonly removed?: readonly number[];
}

/**
 * Notes what has become of an export and its windows. What that is may be
 * decided when all that was noted before is in the case.
 */
export function saveWindows(into: Case, decide: () => ExportChanges): Promise<void> {
  return writing(into, (connection) => writeChanges(connection, decide()));
}

/** Notes what has become of an export and its windows within a transaction. */
export async function writeChanges(
  connection: DuckDBConnection,
  { export: kept, windows = [], removed = [] }: ExportChanges,
): Promise<void> {
  if (kept) await writeExport(connection, kept);
  const gone = [...removed, ...windows.map(({ window }) => window)];
  if (gone.length === 0) return;
  await changeRows(connection, { table: 'windows', keys: gone }, async () => {
    await connection.run(`DELETE FROM stored.windows WHERE "window" IN (${gone.map(Number).join(', ')})`);
    for (const each of windows) await insertWindow(connection, each);
  });
}

const names = Object.keys(columns) as (keyof typeof columns)[];

const insert = `INSERT INTO stored.windows VALUES (${names
  .map((name, index) => (columns[name] === 'TIMESTAMP' ? `epoch_ms($${index + 1}::BIGINT)` : `$${index + 1}`))
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
    if (columns[name] === 'TIMESTAMP') return `epoch_ms("${name}")::DOUBLE AS "${name}"`;
    return columns[name] === 'BIGINT' ? `"${name}"::DOUBLE AS "${name}"` : `"${name}"`;
  })
  .join(', ');

/** The windows of a case, or of one export of it, in the order of their numbers. */
export function findWindows(from: Case, ofExport?: number): Promise<readonly StoredWindow[]> {
  return reading(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT ${selected} FROM stored.windows WHERE $1::INTEGER IS NULL OR export = $1 ORDER BY "window"`,
      [ofExport ?? null],
    );
    return result.getRowObjectsJS().map((each) => v.parse(row, each));
  });
}
