import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../database/index.ts';
import type { Case } from '../file/case.ts';
import type { StoredPart } from '../file/parts.ts';
import { openEntries } from '../originals/entries.ts';
import { storedSource } from '../originals/evidence.ts';
import { checkFile, type Original } from './check-files.ts';
import { checkRows } from './check-rows.ts';
import { openPartsComparison, type PartsComparison } from './compare-parts.ts';
import type { ReportDeviation } from './deviation.ts';
import { findUnproven } from './find-unproven.ts';
import type { ReadFacts } from './recorded-parts.ts';

interface Work {
  readonly originals: readonly Original[];
  readonly parts: readonly StoredPart[];
  readonly recorded: ReadonlyMap<number, ReadFacts>;
  /** Parts with more or fewer rows than recorded. */
  readonly miscounted: ReadonlySet<number>;
  readonly report: ReportDeviation;
  /** Receives the number of bytes read of a file. */
  readonly onBytes: (file: string) => (bytes: number) => void;
}

/**
 * Checks the bytes of originals, and the rows of parts against the records in them. A fast check proves most of
 * them; the thorough one, which names differences, follows for the others.
 */
export async function checkOriginals(of: Case, connection: DuckDBConnection, work: Work): Promise<void> {
  const { originals, report, onBytes } = work;
  const parts = byFile(work.parts);
  const unproven = await findUnproven(of, connection, { ...work, parts });
  await using comparison = openPartsComparison(connection);
  for (const original of originals) {
    const callbacks = { report, onBytes: onBytes(original.name) };
    const all = parts.get(original.sha256) ?? [];
    const isAltered = unproven.files.has(original.sha256);
    const own = isAltered ? all : all.filter(({ part }) => unproven.parts.has(part));
    const mustCheck = isAltered || 0 < own.length;
    if (mustCheck && (await checkFile(of, original, callbacks)))
      await checkEntries(of, comparison, { ...callbacks, original, parts: own, recorded: work.recorded });
  }
  await comparison.finish();
}

function byFile(parts: readonly StoredPart[]): ReadonlyMap<string, readonly StoredPart[]> {
  const files = new Map<string, StoredPart[]>();
  for (const part of parts) {
    const { fileSha256 = '' } = part;
    const own = files.get(fileSha256) ?? [];
    own.push(part);
    files.set(fileSha256, own);
  }
  return files;
}

interface FileWork extends Pick<Work, 'parts' | 'recorded' | 'report'> {
  readonly original: Original;
  readonly onBytes: (bytes: number) => void;
}

async function checkEntries(
  of: Case,
  comparison: PartsComparison,
  { original, parts, recorded, report, onBytes }: FileWork,
): Promise<void> {
  const source = storedSource(of, original.sha256);
  if (!source || parts.length === 0) return;
  const opened = await openOrUndefined(() => openEntries(original.name, source));
  if (!opened) return;
  const entries = new Map(opened.entries.map((entry) => [entry.number, entry]));
  try {
    for (const part of parts) {
      const entry = entries.get(part.entryNumber);
      const { leftOut = 0, firstId } = recorded.get(part.part) ?? {};
      if (entry?.name === part.entry)
        await checkRows(comparison, { part, entry, leftOut, firstId, report, onBytes });
      else
        report({
          code: 'ENTRY_MISSING',
          part: part.part,
          message: `The entry "${part.entry}" of part ${part.part} is gone`,
        });
    }
  } finally {
    opened.close();
  }
}

/** An original that can no longer be opened was altered, which is already reported. */
async function openOrUndefined<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'BAD_ZIP' || error.code === 'TRUNCATED_ZIP'))
      return undefined;
    throw error;
  }
}
