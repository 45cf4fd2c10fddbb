import { existsSync, rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { caseComment } from './catalogue.ts';

/**
 * Writes the write-ahead file into a case that is open for writing. DuckDB does so on closing, unless that file has
 * no complete entry.
 */
export async function emptyWriteAhead(path: string, writer: DuckDBConnection): Promise<void> {
  if (!existsSync(`${path}.wal`)) return;
  try {
    await writer.run('CHECKPOINT');
    if (!existsSync(`${path}.wal`)) return;
    // Half a first entry remains until another entry follows.
    await writer.run(`COMMENT ON TABLE stored.about IS '${caseComment}'`);
    await writer.run('CHECKPOINT');
  } catch {
    // The next opening replays the write-ahead file.
  }
}

/** Removes the file of a case that stayed empty. If that fails, an empty case remains. */
export function removeCaseFile(path: string): void {
  try {
    // Right after closing, before another process can open it.
    for (const each of [path, `${path}.wal`]) rmSync(each, { force: true });
  } catch {}
}
