import { rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { arrivingPrefix, evidenceFolder, removeCopy } from './evidence-folder.ts';

/**
 * Marks a new original until the case refers to it. A killed process cannot remove its original, so the next
 * one does. Without a mark, it could be evidence of a newer state of the case.
 */
export function markPending(folder: string, sha256: string): void {
  writeFileSync(join(folder, arrivingPrefix + sha256), '');
}

/** Removes the mark of an original. */
export function unmarkPending(folder: string, sha256: string): void {
  rmSync(join(folder, arrivingPrefix + sha256), { force: true });
}

/**
 * Removes the originals that a killed process left: incomplete ones, and marked ones to which the case does not
 * refer. For the one process that may write to the case.
 */
export async function removePending(connection: DuckDBConnection, casePath: string): Promise<void> {
  const folder = evidenceFolder(casePath);
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) =>
    name.startsWith(arrivingPrefix),
  );
  const marked = names
    .map((name) => name.slice(arrivingPrefix.length))
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
  const listed = marked.length === 0 ? new Set() : await readListed(connection);
  for (const sha256 of marked) if (!listed.has(sha256)) removeCopy(folder, sha256);
  for (const name of names) await rm(join(folder, name), { force: true });
}

async function readListed(connection: DuckDBConnection): Promise<ReadonlySet<unknown>> {
  const result = await connection.runAndReadAll(
    'SELECT sha256 FROM stored.files UNION SELECT file_sha256 FROM stored.parts',
  );
  return new Set(result.getRowsJS().map(([sha256]) => sha256));
}
