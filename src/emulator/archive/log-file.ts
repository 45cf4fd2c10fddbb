import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beginAtomicFile } from '../../database/index.ts';
import type { Log } from '../../records/index.ts';
import { type LogFormat, writeLogs } from './log-formats.ts';

/**
 * Writes logs to a file, which is replaced after all are written. Memory does not grow with their number.
 * Rejects with the system's error.
 *
 * ```ts
 * await writeLogFile('incident.ndjson', incidentLogs({ count: 1_000_000 }));
 * ```
 */
export async function writeLogFile(
  path: string,
  logs: Iterable<Log>,
  format: LogFormat = 'ndjson',
): Promise<void> {
  await using file = await beginAtomicFile(path);
  await pipeline(Readable.from(writeLogs(logs, format)), createWriteStream(file.temporary));
  await file.finish();
}
