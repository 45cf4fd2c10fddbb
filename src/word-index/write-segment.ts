import { crc32 } from 'node:zlib';
import { DuckDBBlobValue, type DuckDBConnection } from '@duckdb/node-api';
import type { CollectedSegment } from './index-logs.ts';
import type { SegmentFacts } from './segment-maker.ts';
import {
  blobsOf,
  headOf,
  makePagesTable,
  pageBytes,
  pagesName,
  pagesTable,
  type Segment,
} from './stored-segments.ts';

/** A segment that is stored: its number, the first of its logs, and what was collected of them. */
interface NewSegment {
  readonly segment: number;
  readonly collected: CollectedSegment;
}

/** Stores a segment, in the transaction of the caller. Returns its facts. */
export async function writeSegment(
  connection: DuckDBConnection,
  { segment, collected }: NewSegment,
): Promise<SegmentFacts> {
  await makePagesTable(connection, segment);
  const appender = await connection.createAppender(pagesName(segment), 'stored');
  const checksums: number[] = [];
  const facts = await forEachPages(collected, (pages) => {
    for (const page of pages) {
      appender.appendBlob(page);
      appender.endRow();
      checksums.push(crc32(page));
    }
    appender.flushSync();
  });
  appender.closeSync();
  const head = new DuckDBBlobValue(headOf(collected.firstId, facts.fields, checksums));
  await connection.run(
    'INSERT INTO stored.segments VALUES ($1::INTEGER, $2::BIGINT, $3::BIGINT, $4::BIGINT, $5::BIGINT, $6)',
    [segment, collected.firstId, facts.lastId, facts.logs, tokensOf(facts), head],
  );
  return facts;
}

/** Calls a function with the pages of a segment, some at a time. Returns the facts of the segment. */
async function forEachPages(
  collected: CollectedSegment,
  onPages: (pages: readonly Uint8Array[]) => void | Promise<void>,
): Promise<SegmentFacts> {
  for (const written = collected.write(); ; ) {
    const { value, done } = await written.next();
    if (done) return value;
    const pages = Array.from({ length: Math.ceil(value.length / pageBytes) }, (_, index) =>
      value.subarray(index * pageBytes, (index + 1) * pageBytes),
    );
    await onPages(pages);
  }
}

/** Returns the number of tokens in all fields. */
export function tokensOf({ fields }: SegmentFacts): number {
  return fields.reduce((sum, field) => sum + field.tokens, 0);
}

/**
 * Compares a stored segment with what was collected of its logs. Returns the difference in words, or undefined if
 * there is none.
 */
export async function findDifference(
  connection: DuckDBConnection,
  { segment, firstId, tokens }: Segment,
  collected: CollectedSegment,
): Promise<string | undefined> {
  const checksums: number[] = [];
  let differing: number | undefined;
  const facts = await forEachPages(collected, async (pages) => {
    const stored = await readPages(connection, segment, { from: checksums.length, count: pages.length });
    for (const [index, page] of pages.entries()) {
      if (Buffer.compare(page, stored[index] ?? new Uint8Array()) !== 0) differing ??= checksums.length;
      checksums.push(crc32(page));
    }
  });
  const expectedTokens = tokensOf(facts);
  if (tokens !== expectedTokens) return `there are ${expectedTokens} tokens, not ${tokens}`;
  const heads = await connection.run('SELECT head FROM stored.segments WHERE segment = $1', [segment]);
  const [head] = blobsOf(heads);
  if (!head || Buffer.compare(head, headOf(firstId, facts.fields, checksums)) !== 0)
    return 'its head differs';
  if (differing !== undefined) return `page ${differing + 1} of its terms differs`;
  const all = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${pagesTable(segment)}`);
  const more = Number(all.getRowsJS()[0]?.[0]) - checksums.length;
  return more === 0 ? undefined : `there are ${more} pages too many`;
}

async function readPages(
  connection: DuckDBConnection,
  segment: number,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly Uint8Array[]> {
  return blobsOf(
    await connection.run(
      `SELECT bytes FROM ${pagesTable(segment)} WHERE rowid BETWEEN ${from} AND ${from + count - 1} ORDER BY rowid`,
    ),
  );
}
