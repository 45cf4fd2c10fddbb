import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { readActions } from '../actions.ts';
import { type Case, differencesOf, reading } from '../case.ts';
import { readColumnComments } from '../catalogue/catalogue.ts';
import { describeDifference } from '../catalogue/check-catalogue.ts';
import { openEntries } from '../originals/entries.ts';
import { keptSource } from '../originals/evidence.ts';
import { type Part, readParts } from '../parts.ts';
import { StoreError } from '../store-error.ts';
import { checkActions } from './check-actions.ts';
import { checkFile, checkUnlisted, type Original, readOriginals } from './check-files.ts';
import { checkIndex } from './check-index.ts';
import { checkRows } from './check-rows.ts';
import type { Deviation, Report } from './deviation.ts';
import { checkParts, type NotedPart, notedParts } from './noted-parts.ts';

/** What checking a case found. */
export interface Verification {
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
  readonly actions: number;
  /** The hash of the last action. Noted elsewhere, it proves later that nothing was taken away or altered before it. */
  readonly head?: string;
  /** Empty when all is as it was noted. */
  readonly deviations: readonly Deviation[];
}

/** How a case is checked. */
export interface VerifyOptions {
  /** The hash of an action that was noted elsewhere and must be there. */
  readonly head?: string | undefined;
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

/** How far the check is. */
export interface VerifyProgress {
  /** The original under way. */
  readonly file: string;
  /** Bytes that were read of all originals, and inflated of their entries. */
  readonly bytes: number;
}

/**
 * Checks a case against itself and its originals: the chain of actions, the
 * hashes of all originals and entries, the number of rows of each part, and
 * every row, read again from its record. What is not as it was noted when it
 * was added is named.
 *
 * Rejects with the signal's reason or a `StoreError`.
 */
export async function verifyCase(
  of: Case,
  { head, onProgress, signal }: VerifyOptions = {},
): Promise<Verification> {
  const deviations: Deviation[] = [];
  const report: Report = (deviation) => void deviations.push(deviation);
  let bytes = 0;
  const onBytes = (file: string) => (more: number) => {
    signal?.throwIfAborted();
    bytes += more;
    onProgress?.({ file, bytes });
  };
  return reading(of, async (connection) => {
    if (await checkCatalogueOf(of, connection, report)) return { ...nothingChecked, deviations };
    const actions = await readActions(connection);
    checkActions(actions, report, { head });
    const [parts, noted] = [await readParts(connection), notedParts(actions)];
    checkParts(parts, noted, report);
    const counts = await checkCounts(connection, parts, report);
    const originals = await readOriginals(connection, parts);
    await checkUnlisted(of, originals, report);
    await checkIndex(connection, report);
    for (const original of originals) {
      const work = { original, parts, noted, report, onBytes: onBytes(original.name) };
      if (await checkFile(of, original, work)) await checkEntries(of, connection, work);
    }
    const last = actions.at(-1)?.hash;
    const checked = { files: originals.length, parts: parts.length, ...counts, actions: actions.length };
    return { ...checked, ...(last !== undefined && { head: last }), deviations };
  });
}

const nothingChecked = { files: 0, parts: 0, logs: 0, unreadable: 0, actions: 0 };

/** Reports objects of the file that are not as this version makes them; tells whether nothing it says can be trusted. */
async function checkCatalogueOf(of: Case, connection: DuckDBConnection, report: Report): Promise<boolean> {
  const differences = differencesOf(of);
  for (const difference of differences)
    report({ code: 'CATALOGUE_ALTERED', message: `In the file ${describeDifference(difference)}` });
  for (const column of await readColumnComments(connection))
    report({
      code: 'CATALOGUE_ALTERED',
      message: `The column ${column} has a comment, which is not of this program`,
    });
  return 0 < differences.length;
}

interface Work {
  readonly original: Original;
  readonly parts: readonly Part[];
  readonly noted: ReadonlyMap<number, NotedPart>;
  readonly report: Report;
  readonly onBytes: (bytes: number) => void;
}

async function checkEntries(
  of: Case,
  connection: DuckDBConnection,
  { original, parts, noted, report, onBytes }: Work,
): Promise<void> {
  const source = keptSource(of, original.sha256);
  const own = parts.filter(({ fileSha256 }) => fileSha256 === original.sha256);
  if (!source || own.length === 0) return;
  const opened = await openOrUndefined(() => openEntries(original.name, source));
  if (!opened) return;
  try {
    for (const part of own) {
      const entry = opened.entries.find(({ number }) => number === part.entryNumber);
      if (!entry || entry.name !== part.entry)
        report({
          code: 'ENTRY_MISSING',
          part: part.part,
          message: `The entry "${part.entry}" of part ${part.part} is gone`,
        });
      else
        await checkRows(connection, {
          of,
          part,
          entry,
          leftOut: noted.get(part.part)?.leftOut ?? 0,
          report,
          onBytes,
        });
    }
  } finally {
    opened.close();
  }
}

/** An original that cannot be opened any more was altered, which is reported already. */
async function openOrUndefined<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'BAD_ZIP' || error.code === 'TRUNCATED_ZIP'))
      return undefined;
    throw error;
  }
}

const counted = v.array(v.tuple([v.number(), v.number(), v.number()]));

/** Counts the rows of each part, and reports those that are not what the case says of the part. */
async function checkCounts(
  connection: DuckDBConnection,
  parts: readonly Part[],
  report: Report,
): Promise<{ logs: number; unreadable: number }> {
  const result = await connection.runAndReadAll(
    `SELECT part, sum(logs)::DOUBLE, sum(unreadable)::DOUBLE FROM (
       SELECT part, 1 AS logs, 0 AS unreadable FROM stored.logs UNION ALL
       SELECT part, 0, 1 FROM stored.unreadable)
     GROUP BY part ORDER BY part`,
  );
  const rows = v.parse(counted, result.getRowsJS());
  const found = new Map(rows.map(([part, logs, unreadable]) => [part, { logs, unreadable }]));
  for (const { part, entry, logs, unreadable } of parts) {
    const there = found.get(part) ?? { logs: 0, unreadable: 0 };
    found.delete(part);
    if (there.logs !== logs || there.unreadable !== unreadable)
      report({
        ...{ code: 'ROWS_MISCOUNTED', part },
        message: `Part ${part} ("${entry}") has ${there.logs} logs and ${there.unreadable} unreadable records; noted were ${logs} and ${unreadable}`,
      });
  }
  for (const [part, { logs, unreadable }] of found)
    report({
      code: 'ROWS_UNLISTED',
      part,
      message: `${logs + unreadable} rows belong to part ${part}, which there is not`,
    });
  return rows.reduce(
    (sum, [, logs, unreadable]) => ({ logs: sum.logs + logs, unreadable: sum.unreadable + unreadable }),
    { logs: 0, unreadable: 0 },
  );
}
