import type { DuckDBConnection } from '@duckdb/node-api';
import { blobBytes, chunksOf } from '../database/index.ts';
import type { ByteRange } from './dictionary.ts';
import { checkPage, pageBytes, pagesTable, type Segment } from './stored-segments.ts';

/** Bytes of the pages of a segment. */
export interface SegmentRange extends ByteRange {
  readonly segment: Segment;
}

/** Recently read pages of all segments of a case, which never change. */
export class PageCache {
  private readonly pages = new Map<number, Uint8Array>();
  private readonly most: number;

  /** Keeps at most this many bytes beside those of the last reading. */
  constructor(bytes: number) {
    this.most = Math.ceil(bytes / pageBytes);
  }

  /**
   * Reads some ranges, in their order: one statement reads all pages that are not cached. Rejects with a
   * `RangeError` if a page is missing or damaged.
   */
  async read(connection: DuckDBConnection, ranges: readonly SegmentRange[]): Promise<readonly Uint8Array[]> {
    const asked = new Map<number, Uint8Array>();
    const missing = new Map<number, Segment>();
    for (const range of ranges)
      for (const key of keysOf(range)) {
        const page = this.pages.get(key);
        if (page) asked.set(key, page);
        else missing.set(key, range.segment);
      }
    for (const [key, page] of await readPages(connection, [...missing.keys()])) {
      const segment = missing.get(key);
      if (segment) checkPage(segment, key % keyStep, page);
      asked.set(key, page);
    }
    for (const [key, page] of asked) this.keep(key, page);
    return ranges.map((range) => joinPages(range, asked));
  }

  private keep(key: number, page: Uint8Array): void {
    this.pages.delete(key);
    this.pages.set(key, page);
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= this.most) break;
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
  const made = keys.length === 1 ? undefined : new Uint8Array(range.length);
  let [from, filled] = [range.at % pageBytes, 0];
  for (const key of keys) {
    const page = pages.get(key);
    if (!page) throw new RangeError('A page of the index is missing');
    const piece = page.subarray(from, from + range.length - filled);
    if (!made) return piece;
    made.set(piece, filled);
    filled += piece.length;
    from = 0;
  }
  return made ?? new Uint8Array();
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
