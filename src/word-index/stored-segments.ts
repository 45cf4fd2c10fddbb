import { channel } from 'node:diagnostics_channel';
import { crc32 } from 'node:zlib';
import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import * as v from 'valibot';
import { blobBytes, chunksOf, messageOf } from '../database/index.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { type ByteRange, type FirstTerms, readFirstTerms } from './dictionary.ts';
import { type FieldFacts, indexedFields, sectionNames } from './segment-maker.ts';

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

/** Format of a segment; one of another format is not used, and made anew. */
const segmentFormat = 0x1005;

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
export const indexDamage: DamageChannel = channel('logquarry:index-damage');

/** A channel as Node has it, in words that need no types of Node. */
interface DamageChannel {
  readonly publish: (error: unknown) => void;
  readonly subscribe: (onDamage: (error: unknown) => void) => void;
  readonly unsubscribe: (onDamage: (error: unknown) => void) => unknown;
}

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

/** Bytes of the pages of a segment. */
export interface SegmentRange extends ByteRange {
  readonly segment: Segment;
}

/** Recently read pages of all segments of a case, which never change. */
export class PageCache {
  private readonly pages = new Map<number, Uint8Array>();
  private readonly maxPages: number;

  /** Keeps at most this many bytes beside those of the last reading. */
  constructor(bytes: number) {
    this.maxPages = Math.ceil(bytes / pageBytes);
  }

  /**
   * Reads some ranges, in their order: one statement reads all pages that are not cached. Rejects with a
   * `RangeError` if a page is missing or damaged.
   */
  async read(connection: DuckDBConnection, ranges: readonly SegmentRange[]): Promise<readonly Uint8Array[]> {
    const pages = new Map<number, Uint8Array>();
    const missing = new Map<number, Segment>();
    for (const range of ranges)
      for (const key of keysOf(range)) {
        const page = this.pages.get(key);
        if (page) pages.set(key, page);
        else missing.set(key, range.segment);
      }
    for (const [key, page] of await readPages(connection, [...missing.keys()])) {
      const segment = missing.get(key);
      if (segment) checkPage(segment, key % keyStep, page);
      pages.set(key, page);
    }
    for (const [key, page] of pages) this.keep(key, page);
    return ranges.map((range) => joinPages(range, pages));
  }

  private keep(key: number, page: Uint8Array): void {
    this.pages.delete(key);
    this.pages.set(key, page);
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= this.maxPages) break;
      this.pages.delete(oldest);
    }
  }
}

/** Pages of a segment that have a key of their own. */
const keyStep = 2 ** 24;

function keysOf({ segment, at, length }: SegmentRange): readonly number[] {
  if (length === 0) return [];
  const first = Math.floor(at / pageBytes);
  const last = Math.floor((at + length - 1) / pageBytes);
  const key = segment.segment * keyStep;
  if (first === last) return [key + first];
  return Array.from({ length: last - first + 1 }, (_, index) => key + first + index);
}

function joinPages(range: SegmentRange, pages: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const keys = keysOf(range);
  const bytes = keys.length === 1 ? undefined : new Uint8Array(range.length);
  let [from, filled] = [range.at % pageBytes, 0];
  for (const key of keys) {
    const page = pages.get(key);
    if (!page) throw new RangeError('A page of the index is missing');
    const piece = page.subarray(from, from + range.length - filled);
    if (!bytes) return piece;
    bytes.set(piece, filled);
    filled += piece.length;
    from = 0;
  }
  return bytes ?? new Uint8Array();
}

/** Reads pages, with one SELECT for each segment: planning one for each page would take longer than all the rest. */
async function readPages(
  connection: DuckDBConnection,
  keys: readonly number[],
): Promise<readonly (readonly [number, Uint8Array])[]> {
  if (keys.length === 0) return [];
  const conditions = new Map<number, string[]>();
  for (const { segment, first, last } of runsOf(keys)) {
    const ofSegment = conditions.get(segment) ?? [];
    conditions.set(segment, ofSegment);
    ofSegment.push(`rowid BETWEEN ${first} AND ${last}`);
  }
  const selects = [...conditions].map(([segment, runs]) => {
    const key = `${segment * keyStep}::BIGINT + rowid`;
    return `SELECT ${key}, bytes FROM ${pagesTable(segment)} WHERE ${runs.join(' OR ')}`;
  });
  const found: [number, Uint8Array][] = [];
  for (const chunk of chunksOf(await connection.run(selects.join(' UNION ALL '))))
    for (let row = 0; row < chunk.rowCount; row++)
      found.push([
        Number(chunk.getColumnVector(0).getItem(row)),
        blobBytes(chunk.getColumnVector(1), row).slice(),
      ]);
  return found;
}

/** Yields the runs of consecutive pages of one segment. */
function* runsOf(keys: readonly number[]) {
  const sorted = [...keys].sort((first, second) => first - second);
  let start = sorted[0] ?? 0;
  for (const [index, key] of sorted.entries()) {
    if (sorted[index + 1] === key + 1) continue;
    const segment = Math.floor(start / keyStep);
    yield { segment, first: start % keyStep, last: key % keyStep };
    start = sorted[index + 1] ?? 0;
  }
}

/**
 * Name of the index of the database that finds the rows of logs by their ids. With it a log that is far from all
 * others costs 0.05 ms instead of 1 to 1.5: the database then decodes the texts of that row alone, not those of its row
 * group (docs/speed.md). A case without it gives the same answers.
 */
export const idIndexName = 'log_ids';

/** Makes the index of ids if a case has none. Later logs are added to it as they are loaded. */
export async function makeIdIndex(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE INDEX IF NOT EXISTS ${idIndexName} ON stored.logs (id)`);
}

/** Removes the index of ids: the database merges no row groups of a table that has one. */
export async function dropIdIndex(connection: DuckDBConnection): Promise<void> {
  await connection.run(`DROP INDEX IF EXISTS stored.${idIndexName}`);
}
