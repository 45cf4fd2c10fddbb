import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { readTextRows, type TextRow, timestampText } from '../../database/index.ts';
import type { Action } from '../chain/actions.ts';
import {
  type RecordedTable,
  recordedRows,
  recordedTableNames,
  recordedTables,
} from '../chain/recorded-rows.ts';
import { type FileFacts, readFileFacts } from '../contents/file-facts.ts';
import { caseFormat } from '../file/schema.ts';
import type { ReportDeviation } from './deviation.ts';
import { differingColumns } from './differing-columns.ts';
import { parseDetails } from './recorded-parts.ts';

/** Checks the rows that describe the case, its files and its exports against the record of actions. */
export async function checkFacts(
  connection: DuckDBConnection,
  actions: readonly Action[],
  report: ReportDeviation,
): Promise<void> {
  await checkAbout(connection, actions, report);
  if (!coversAllRows(actions)) return;
  await checkFiles(connection, actions, report);
  for (const table of recordedTableNames)
    checkTable(
      await readTextRows(connection, table),
      { table, recorded: recordedRows(actions, table) },
      report,
    );
}

const versions = v.object({ version: v.optional(v.number()), to: v.optional(v.number()) });

/** First version whose record of actions covers all rows. */
const coveringVersion = 6;

/**
 * Reports if the record of actions covers the rows of files and exports: since the case was
 * created, or migrated to a version that covers them.
 */
export function coversAllRows(actions: readonly Action[]): boolean {
  return actions.some((action) => coveringVersion <= (versionOf(action) ?? 0));
}

/**
 * Returns the time when an older case was migrated to a version that covers all rows, in
 * milliseconds since the epoch; undefined for any other case.
 */
export function coveredSince(actions: readonly Action[]): number | undefined {
  const first = actions.find((action) => coveringVersion <= (versionOf(action) ?? 0));
  return first?.action === 'migrate case' ? first.done : undefined;
}

function versionOf({ action, details }: Action): number | undefined {
  if (action !== 'create case' && action !== 'migrate case') return undefined;
  const { success, output } = v.safeParse(versions, parseDetails(details));
  return success ? (output.version ?? output.to) : undefined;
}

const making = v.object({ created: v.string() });

async function checkAbout(
  connection: DuckDBConnection,
  actions: readonly Action[],
  report: ReportDeviation,
): Promise<void> {
  const rows = await readTextRows(connection, 'about');
  const recorded = actions.map(versionOf).findLast((version) => version !== undefined);
  const created = actions.flatMap(({ action, details }) => {
    const isMaking = action === 'create case' || action === 'migrate case';
    const { success, output } = v.safeParse(making, parseDetails(details));
    return isMaking && success ? [output.created] : [];
  });
  const expected: TextRow = {
    format: caseFormat,
    ...(recorded !== undefined && { version: String(recorded) }),
    ...(created[0] !== undefined && { created: created[0] }),
  };
  const problem =
    rows.length === 1
      ? differingColumns(rows[0] ?? {}, expected).join('; ')
      : `it has ${rows.length} rows, and not one`;
  if (problem !== '') report({ code: 'CASE_ALTERED', message: `Description of the case: ${problem}` });
}

async function checkFiles(
  connection: DuckDBConnection,
  actions: readonly Action[],
  report: ReportDeviation,
): Promise<void> {
  const left = [...(await readTextRows(connection, 'files'))];
  const missing: TextRow[] = [];
  for (const expected of notedFiles(actions)) {
    const at = left.findIndex((row) => differingColumns(row, expected).length === 0);
    if (at < 0) missing.push(expected);
    else left.splice(at, 1);
  }
  for (const expected of missing) {
    // Of the remaining rows, the one with the same hash, else the same name, is the altered one.
    const isIt = (column: string) => (row: TextRow) => row[column] === expected[column];
    const at = [left.findIndex(isIt('sha256')), left.findIndex(isIt('file'))].find((each) => 0 <= each);
    const [row] = at === undefined ? [] : left.splice(at, 1);
    const problem = row ? differingColumns(row, expected).join('; ') : 'its row is gone';
    report(fileDeviation(expected, problem));
  }
  for (const row of left) report(fileDeviation(row, 'no action recorded it'));
}

function fileDeviation({ file, sha256 }: TextRow, problem: string) {
  const message = `Row of file "${file ?? ''}": ${problem}`;
  return { code: 'FILE_ROW_ALTERED', ...(sha256 && { file: sha256 }), message } as const;
}

const fileActions: ReadonlySet<string> = new Set(['add file', 'add window', 'find file']);

function notedFiles(actions: readonly Action[]): readonly TextRow[] {
  const rows = new Map<string, TextRow>();
  for (const { number, action, details } of actions) {
    if (!fileActions.has(action)) continue;
    // A repeated find repeats an earlier record.
    for (const row of toFileRow(readFileFacts(parseDetails(details)))) {
      const key = JSON.stringify(row);
      rows.set(rows.has(key) && action !== 'find file' ? `${key} ${number}` : key, row);
    }
  }
  return [...rows.values()];
}

function toFileRow(facts: FileFacts | undefined): readonly TextRow[] {
  if (!facts) return [];
  const { file, sha256, bytes, job = null, added } = facts;
  return [{ sha256, file, bytes: String(bytes), job, added: timestampText(added) }];
}

function checkTable(
  rows: readonly TextRow[],
  { table, recorded }: { readonly table: RecordedTable; readonly recorded: ReadonlyMap<string, TextRow> },
  report: ReportDeviation,
): void {
  const key = recordedTables[table];
  const found = new Set<string>();
  const deviate = (name: string, problem: string) =>
    report({
      code: 'EXPORT_ALTERED',
      message: `Row of ${names[table]} ${name}: ${problem}`,
    });
  for (const row of rows) {
    const name = row[key] ?? '';
    const expected = recorded.get(name);
    const isTwice = found.has(name);
    found.add(name);
    if (!expected || isTwice) {
      deviate(name === '' ? 'without a name' : name, isTwice ? 'it occurs twice' : 'no action recorded it');
      continue;
    }
    const all = { ...Object.fromEntries(Object.keys(row).map((column) => [column, null])), ...expected };
    const differing = differingColumns(row, all);
    if (0 < differing.length) deviate(name, differing.join('; '));
  }
  for (const name of recorded.keys()) if (!found.has(name)) deviate(name, 'it is gone');
}

const names = { exports: 'export', windows: 'window', jobs: 'job' } as const;
