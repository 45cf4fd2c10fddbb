import { channel } from 'node:diagnostics_channel';
import { crc32 } from 'node:zlib';
import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import * as v from 'valibot';
import { blobBytes, chunksOf, messageOf } from '../database/index.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { type ByteRange, type FirstTerms, readFirstTerms } from './dictionary.ts';
import { indexedFields } from './indexed-fields.ts';
import { type FieldFacts, sectionNames } from './segment-sections.ts';

/**
 * The table of the segments of the token index. The head of a segment has the top of each dictionary. All else is in
 * the pages of its own table, whose row numbers are those of the pages; they are read as they are asked for.
 */
export const segmentsTable = `CREATE TABLE IF NOT EXISTS stored.segments (
     segment INTEGER, first_id BIGINT, last_id BIGINT, logs BIGINT, tokens BIGINT, head BLOB)`;

/** Returns the name of the table with the pages of a segment. */
export function pagesTable(segment: number): string {
  return `stored.${pagesName(segment)}`;
}

/** Returns the name of that table in its schema. */
export function pagesName(segment: number): string {
  return `segment_${Math.trunc(segment)}`;
}

/** Creates the empty table of the pages of a segment. Compressing pages takes time and saves little. */
export async function makePagesTable(connection: DuckDBConnection, segment: number): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TABLE ${pagesTable(segment)} (bytes BLOB USING COMPRESSION uncompressed)`,
  );
}

/** Bytes of a page. */
export const pageBytes = 16_384;

/** The index of a range of log ids: the first begins with id 1, every other after the end of the one before. */
export interface Segment {
  readonly segment: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly logs: number;
  /** Number of tokens in its logs. */
  readonly tokens: number;
  /** By field number. */
  readonly fields: readonly SegmentField[];
  /** CRC-32 of each page: a damaged page, or one of another segment, is noticed before it is used. */
  readonly checksums: readonly number[];
}

/** Where the terms of a field are in the pages of a segment. */
export interface SegmentField {
  readonly tokens: number;
  /** Logs with a token. */
  readonly documents: number;
  readonly top: FirstTerms;
  /** Offsets of sections in the pages. */
  readonly blocks: ByteRange;
  readonly pages: ByteRange;
  readonly postings: ByteRange;
  readonly positions: ByteRange;
  readonly lengths: ByteRange;
}

/**
 * Format of a segment: the second has lengths, the third all fields and shorter chunks, the fourth shorter heads of terms
 * and chunks, with ids counted from its first. Heads of the first begin with the number of fields.
 */
const segmentFormat = 0x1004;

/** Writes the head of a segment: its own checksum ends it. */
export function headOf(
  firstId: number,
  fields: readonly FieldFacts[],
  checksums: readonly number[],
): Uint8Array {
  const head = new ByteWriter();
  head.varint(segmentFormat);
  head.varint(firstId);
  head.varint(fields.length);
  for (const field of fields) {
    for (const name of sectionNames) head.varint(field[name]);
    head.varint(field.tokens);
    head.varint(field.documents);
    head.varint(field.top.length);
    head.bytes(field.top);
  }
  head.varint(checksums.length);
  for (const checksum of checksums) head.varint(checksum);
  head.varint(crc32(head.view()));
  return head.take();
}

/** Returns a copy of each BLOB of the first column of a result. */
export function blobsOf(result: DuckDBMaterializedResult): readonly Uint8Array[] {
  return chunksOf(result).flatMap((chunk) =>
    Array.from({ length: chunk.rowCount }, (_, row) => blobBytes(chunk.getColumnVector(0), row).slice()),
  );
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const row = v.tuple([count, count, count, count, count]);

/**
 * Reads the segments of the index in the order of their ids; none if one has another format, so that all are made
 * anew. A damaged head throws a `RangeError`.
 */
export async function readSegments(connection: DuckDBConnection): Promise<readonly Segment[]> {
  const result = await connection.run(
    `SELECT segment, first_id::DOUBLE, last_id::DOUBLE, logs::DOUBLE, tokens::DOUBLE, head FROM stored.segments
     ORDER BY first_id`,
  );
  const segments: Segment[] = [];
  for (const chunk of chunksOf(result))
    for (let index = 0; index < chunk.rowCount; index++) {
      const values = [0, 1, 2, 3, 4].map((column) => chunk.getColumnVector(column).getItem(index));
      const [segment, firstId, lastId, logs, tokens] = v.parse(row, values);
      const bytes = blobBytes(chunk.getColumnVector(5), index).slice();
      if (isOfOtherFormat(bytes)) return [];
      const head = readHead(bytes, firstId);
      segments.push({ segment, firstId, lastId, logs, tokens, ...head });
    }
  return segments;
}

/** Reports if a head is not damaged, but has the format of another version. */
function isOfOtherFormat(head: Uint8Array): boolean {
  const isWhole = [1, 2, 3, 4, 5].some((length) => {
    const end = head.length - length;
    return 0 < end && new ByteReader(head.subarray(end)).varint() === crc32(head.subarray(0, end));
  });
  return isWhole && new ByteReader(head).varint() !== segmentFormat;
}

function readHead(head: Uint8Array, firstId: number): Pick<Segment, 'fields' | 'checksums'> {
  const reader = new ByteReader(head);
  reader.varint();
  // All ids of the segment are counted from it.
  const isFirst = reader.varint() === firstId;
  let at = 0;
  const next = (length: number): ByteRange => {
    at += length;
    return { at: at - length, length };
  };
  const fields = Array.from({ length: reader.count() }, () => {
    const pages = next(reader.varint());
    const blocks = next(reader.varint());
    const postings = next(reader.varint());
    const positions = next(reader.varint());
    const lengths = next(reader.varint());
    const [tokens, documents] = [reader.varint(), reader.varint()];
    const top = readFirstTerms(reader.bytes(reader.varint()));
    return { pages, blocks, postings, positions, lengths, tokens, documents, top };
  });
  const checksums = Array.from({ length: reader.count() }, () => reader.varint());
  const expected = crc32(head.subarray(0, reader.at));
  if (!isFirst || reader.varint() !== expected || fields.length !== indexedFields.length)
    throw new RangeError('The head of a segment is damaged');
  return { fields, checksums };
}

/** Throws a `RangeError` if a page is not the one that was stored. */
export function checkPage({ checksums }: Segment, number: number, page: Uint8Array): void {
  if (crc32(page) !== checksums[number]) throw new RangeError(`Page ${number + 1} of a segment is damaged`);
}

/** Says that the index is not used because a segment is missing or damaged: its messages are the errors. */
export const indexDamage = channel('logquarry:index-damage');

/**
 * Runs work on the segments of a case; undefined if one is missing or damaged. Then the logs answer, as without an
 * index.
 */
export async function unlessDamaged<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isDamage(error)) throw error;
    indexDamage.publish(error);
    return undefined;
  }
}

/** Reports if an error says that a segment is damaged, or that its table is missing. */
export function isDamage(error: unknown): error is Error {
  if (error instanceof RangeError || error instanceof v.ValiError) return true;
  return /^Catalog Error: Table with name segment_\d+ does not exist/.test(messageOf(error));
}

/**
 * Removes the segments that have logs from an id on, rows without a valid last id, and pages without a row, in the
 * transaction of the caller.
 */
export async function dropSegmentsFrom(connection: DuckDBConnection, id: number): Promise<void> {
  await connection.run(
    'DELETE FROM stored.segments WHERE (last_id BETWEEN 1 AND $1::BIGINT - 1) IS NOT TRUE',
    [id],
  );
  for (const table of await findUnlistedPages(connection)) await connection.run(`DROP TABLE stored.${table}`);
}

/** Returns the names of the tables of pages that the list of segments lacks. */
export async function findUnlistedPages(connection: DuckDBConnection): Promise<readonly string[]> {
  const result = await connection.runAndReadAll(
    `SELECT table_name FROM system.main.duckdb_tables()
     WHERE database_name = current_database() AND schema_name = 'stored'
       AND regexp_full_match(table_name, 'segment_[0-9]+')
       AND table_name NOT IN (SELECT 'segment_' || segment FROM stored.segments WHERE segment IS NOT NULL)
     ORDER BY table_name`,
  );
  return result.getRowsJS().map(([table]) => String(table));
}

/**
 * Removes the segments of parts, at least one, that lose logs, and all later ones: their ids may be given to other
 * logs. Must run in the transaction that removes the logs.
 */
export async function dropSegmentsOfParts(
  connection: DuckDBConnection,
  parts: readonly number[],
): Promise<void> {
  const result = await connection.runAndReadAll(
    `SELECT min(id)::DOUBLE FROM stored.logs WHERE part IN (${parts.map(Number).join(', ')})`,
  );
  const first = result.getRowsJS()[0]?.[0];
  if (typeof first === 'number') await dropSegmentsFrom(connection, first);
}
