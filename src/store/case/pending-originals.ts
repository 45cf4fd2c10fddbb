import { rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { arriving, evidenceFolder } from './evidence-folder.ts';

/**
 * Marks an original that is new, until it is decided whether the case refers to
 * it: a killed process cannot take it back, so the next one does. Without a mark
 * it could not be told from evidence whose case is older than itself.
 */
export function markPending(folder: string, sha256: string): void {
  writeFileSync(join(folder, arriving + sha256), '');
}

/** Removes the mark of an original. */
export function unmarkPending(folder: string, sha256: string): void {
  rmSync(join(folder, arriving + sha256), { force: true });
}

/**
 * Removes what a killed process has left among the originals: those that are
 * half copied, and those with a mark to which the case does not refer. Only for
 * the one process that may write to the case.
 */
export async function removePending(connection: DuckDBConnection, casePath: string): Promise<void> {
  const folder = evidenceFolder(casePath);
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.startsWith(arriving));
  const marked = names
    .map((name) => name.slice(arriving.length))
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
  const listed = marked.length === 0 ? new Set() : await readListed(connection);
  for (const sha256 of marked) if (!listed.has(sha256)) await rm(join(folder, sha256), { force: true });
  for (const name of names) await rm(join(folder, name), { force: true });
}

async function readListed(connection: DuckDBConnection): Promise<ReadonlySet<unknown>> {
  const result = await connection.runAndReadAll(
    'SELECT sha256 FROM stored.files UNION SELECT file_sha256 FROM stored.parts',
  );
  return new Set(result.getRowsJS().map(([sha256]) => sha256));
}
