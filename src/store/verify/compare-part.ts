import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { openPartWriter, type PartWriter } from '../loading/part-writer.ts';
import type { TakeBatch } from '../loading/read-entry.ts';
import { bytesOf } from '../loading/text-heap.ts';
import type { Part } from '../parts.ts';
import { type Compared, compareRows, nothingCompared, together } from './compare-rows.ts';

/** What comparing a part with its records found. */
export interface Found {
  readonly logs: Compared;
  readonly unreadable: Compared;
}

/** Takes the records of a part as they are read again, in their order. The connection is busy until it is disposed of. */
export interface PartComparison extends AsyncDisposable {
  readonly take: TakeBatch;
  /** Compares what is not compared yet, and gives what was found of the whole part. */
  readonly finish: () => Promise<Found>;
}

/** Bytes of texts, as they were written: as rows they are several times as long, and the database holds those of both sides. */
const longestSpan = 8 * 1024 * 1024;

/** Compares a part with its records a span at a time, so that a large one takes no more room than a small one. */
export function openPartComparison(connection: DuckDBConnection, { part, entry }: Part): PartComparison {
  let found: Found = { logs: nothingCompared, unreadable: nothingCompared };
  let writer: PartWriter | undefined;
  let after: number | undefined;
  let length = 0;
  return { take, finish, [Symbol.asyncDispose]: endSpan };

  async function take(batch: Parameters<TakeBatch>[0], before: number): Promise<void> {
    writer ??= await beginSpan();
    await writer.addBatch(batch, before);
    length += bytesOf(batch.logs.texts) + bytesOf(batch.unreadable.texts);
    if (length < longestSpan) return;
    await writer.finish();
    await compare(await lastPosition(connection));
  }

  async function finish(): Promise<Found> {
    writer ??= await beginSpan();
    await writer.finish();
    await compare();
    return found;
  }

  async function beginSpan(): Promise<PartWriter> {
    await makeRereadTables(connection);
    const next = await openPartWriter(connection, { schema: 'temp' });
    next.begin({ part, entry, firstId: 1 });
    return next;
  }

  /** Compares the rows up to a position, or all that are left, with what was written since the span began. */
  async function compare(upTo?: number): Promise<void> {
    await endSpan();
    const asked = { part, span: { after, upTo } };
    const logs = await compareRows(connection, 'logs', asked);
    const unreadable = await compareRows(connection, 'unreadable', asked);
    found = { logs: together(found.logs, logs), unreadable: together(found.unreadable, unreadable) };
    after = upTo;
    length = 0;
  }

  async function endSpan(): Promise<void> {
    await writer?.[Symbol.asyncDispose]();
    writer = undefined;
  }
}

/** Makes empty tables into which records are read again. They are gone with the connection. */
async function makeRereadTables(connection: DuckDBConnection): Promise<void> {
  for (const table of ['logs', 'unreadable'])
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM stored.${table} LIMIT 0`);
}

/** The position of the last record that was read again. */
async function lastPosition(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    'SELECT max(position) FROM (SELECT position FROM temp.logs UNION ALL SELECT position FROM temp.unreadable)',
  );
  return v.parse(v.number(), result.getRowsJS()[0]?.[0]);
}
