import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readRecords } from '../../records/read-records.ts';
import { parseZone, utc } from '../../records/zone.ts';
import { openPartWriter } from '../loading/part-writer.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import { gunzip } from '../originals/gunzip.ts';
import type { Part } from '../parts.ts';
import { compareTable } from './compare-table.ts';
import type { Report } from './deviation.ts';

/** A part whose entry is read again. */
export interface Checked {
  readonly part: Part;
  readonly entry: FileEntry;
  /** Logs of the entry that are not to be in the case. */
  readonly leftOut: number;
  readonly report: Report;
  readonly onBytes: (bytes: number) => void;
}

/** Makes the tables into which entries are read again. They are gone with the connection. */
export async function makeRereadTables(connection: DuckDBConnection): Promise<void> {
  for (const table of ['logs', 'unreadable'])
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM stored.${table} LIMIT 0`);
}

/**
 * Reads the entry of a part again and checks that its bytes have the hash that
 * was noted, and that every row of the part is what its record says.
 */
export async function checkRows(connection: DuckDBConnection, checked: Checked): Promise<void> {
  const { part, report } = checked;
  await connection.run('DELETE FROM temp.logs');
  await connection.run('DELETE FROM temp.unreadable');
  try {
    const sha256 = await reread(connection, checked);
    if (part.entrySha256 !== undefined && part.entrySha256 !== sha256)
      report(altered(part, `its SHA-256 is ${sha256}, not ${part.entrySha256}`));
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    // An entry that was refused when it was added is refused again.
    if (part.problem?.code !== error.problem.code) report(altered(part, error.problem.message));
    return;
  }
  if (!part.problem) await compareRows(connection, checked);
}

function altered({ part, entry }: Part, problem: string) {
  return {
    code: 'ENTRY_ALTERED',
    part,
    message: `The entry "${entry}" of part ${part} was altered: ${problem}`,
  } as const;
}

async function reread(connection: DuckDBConnection, { part, entry, onBytes }: Checked): Promise<string> {
  const hash = createHash('sha256');
  async function* stored() {
    for await (const chunk of entry.read()) {
      hash.update(chunk);
      onBytes(chunk.length);
      yield chunk;
    }
  }
  await using writer = await openPartWriter(connection, 'temp');
  writer.begin({ part: part.part, entry: part.entry, firstId: 1 });
  const { records } = await readRecords(gunzip(stored()), { zone: zoneOf(part) });
  for await (const batch of records) await writer.add(batch);
  await writer.finish();
  return hash.digest('hex');
}

function zoneOf({ zone }: Part) {
  return (zone === undefined ? undefined : parseZone(zone)) ?? utc;
}

async function compareRows(connection: DuckDBConnection, checked: Checked): Promise<void> {
  const { part, leftOut, report } = checked;
  const name = `part ${part.part} ("${part.entry}")`;
  const logs = await compareTable(connection, 'logs', part.part);
  const unreadable = await compareTable(connection, 'unreadable', part.part);
  for (const { altered, positions } of [logs, unreadable])
    if (0 < altered)
      report({
        ...{ code: 'ROWS_ALTERED', part: part.part, positions },
        message: `${altered} rows of ${name} are not what their records say: ${listed(positions, altered)}`,
      });
  if (0 < logs.terms)
    report({
      ...{ code: 'TERMS_ALTERED', part: part.part, positions: logs.termPositions },
      message: `${logs.terms} logs of ${name} have other terms than their texts: ${listed(logs.termPositions, logs.terms)}`,
    });
  if (logs.records !== part.logs + leftOut || unreadable.records !== part.unreadable)
    report({
      ...{ code: 'ROWS_MISCOUNTED', part: part.part },
      message: `The original of ${name} holds ${logs.records} logs and ${unreadable.records} unreadable records; the case knows of ${part.logs + leftOut} and ${part.unreadable}`,
    });
}

function listed(positions: readonly number[], count: number): string {
  return `record ${positions.join(', ')}${positions.length < count ? ', …' : ''}`;
}
