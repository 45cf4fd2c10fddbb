import type { DuckDBConnection } from '@duckdb/node-api';
import type { TermFilter } from '../language/index.ts';
import {
  type ByteRange,
  blockWith,
  findInBlock,
  rangeWith,
  type TermEntry,
  TermReader,
} from './dictionary.ts';
import { addId, bitsFor, emptyBitmap, type LogSet, maxListed, setOfBits, setOfFew } from './log-set.ts';
import { addPostings, idsOfPostings } from './postings.ts';
import { fieldNumber } from './segment-maker.ts';
import type { PageCache, Segment, SegmentField, SegmentRange } from './stored-segments.ts';

/** What a search reads of the index, in one state of the case. */
export interface IndexReader {
  readonly connection: DuckDBConnection;
  readonly segments: readonly Segment[];
  readonly cache: PageCache;
}

/** A term of a field in one segment. */
export interface FoundTerm {
  readonly segment: Segment;
  readonly field: SegmentField;
  readonly entry: TermEntry;
}

/** A term to look up, of the field with a number. */
export interface FieldTerm {
  readonly field: number;
  readonly term: string;
}

/** Looks up terms in all segments: of each, the entries in the order of the segments. Two statements at most. */
export async function lookUp(
  { connection, segments, cache }: IndexReader,
  terms: readonly FieldTerm[],
): Promise<readonly (readonly FoundTerm[])[]> {
  const candidates = terms.flatMap(({ field: number, term }, index) =>
    segments.flatMap((segment) => {
      const field = segment.fields[number];
      return field && 0 < field.tokens ? [{ index, segment, field, term: Buffer.from(term) }] : [];
    }),
  );
  const pages = await cache.read(
    connection,
    candidates.map(({ segment, field, term }) => within(segment, field.pages, rangeWith(field.top, term))),
  );
  const blocks = await cache.read(
    connection,
    candidates.map(({ segment, field, term }, at) =>
      within(segment, field.blocks, blockWith(pages[at] ?? new Uint8Array(), term)),
    ),
  );
  const found: FoundTerm[][] = terms.map(() => []);
  for (const [at, { index, segment, field, term }] of candidates.entries()) {
    const entry = findInBlock(blocks[at] ?? new Uint8Array(), term, segment.firstId);
    if (entry) found[index]?.push({ segment, field, entry });
  }
  return found;
}

/** Returns the range of a section as one of the pages of its segment. */
function within(segment: Segment, section: ByteRange, { at, length }: ByteRange): SegmentRange {
  if (section.length < at + length) throw new RangeError('A range is not in its section');
  return { segment, at: section.at + at, length };
}

/** Reads the postings of terms, all at once; none for a term with a single log, whose entry has it. */
export function readPostingsOf(
  { cache, connection }: IndexReader,
  terms: readonly FoundTerm[],
): Promise<readonly Uint8Array[]> {
  return cache.read(
    connection,
    terms.map(({ segment, field, entry }) => within(segment, field.postings, entry.postings)),
  );
}

/** Returns where a range of the positions of a term is. */
export function positionsRange(
  { segment, field, entry }: FoundTerm,
  { at, length }: ByteRange,
): SegmentRange {
  if (entry.positions.length < at + length) throw new RangeError('The positions of a term are cut');
  return within(segment, field.positions, { at: entry.positions.at + at, length });
}

/** Consecutive terms of a field. */
export interface TermRange {
  readonly field: number;
  /** Lower bound of the terms: sections before it are not read, but terms before it may be visited. */
  readonly from: Uint8Array;
  /** Upper bound, likewise; default: the end. */
  readonly to?: Uint8Array | undefined;
}

/** Bytes of blocks that are read at a time. */
const bytesAtOnce = 1 << 20;

/** Terms to visit of one segment, and how to read their postings. */
export interface SegmentTerms {
  readonly terms: TermReader;
  /** First id of the segment. */
  readonly firstId: number;
  /** Reads ranges of the postings of the field, all at once. */
  readonly readPostings: (ranges: readonly ByteRange[]) => Promise<readonly Uint8Array[]>;
}

/** Yields readers of the terms of a range: for each segment, blocks in their order. */
export async function* scanTerms(
  { connection, segments, cache }: IndexReader,
  { field: number, from, to }: TermRange,
): AsyncGenerator<SegmentTerms, void, undefined> {
  for (const segment of segments) {
    const field = segment.fields[number];
    if (!field || field.tokens === 0) continue;
    const last = to ? rangeWith(field.top, to) : (field.top.ranges.at(-1) ?? { at: 0, length: 0 });
    const pages = await cache.read(
      connection,
      [rangeWith(field.top, from), last].map((range) => within(segment, field.pages, range)),
    );
    const [first, second] = pages;
    if (!first || !second) continue;
    const lastBlock = blockWith(second, to);
    const end = lastBlock.at + lastBlock.length;
    const readPostings = (ranges: readonly ByteRange[]) =>
      cache.read(
        connection,
        ranges.map((range) => within(segment, field.postings, range)),
      );
    for (let [at, length] = [blockWith(first, from).at, bytesAtOnce]; at < end; ) {
      const piece = { at, length: Math.min(length, end - at) };
      const [blocks] = await cache.read(connection, [within(segment, field.blocks, piece)]);
      const terms = new TermReader(blocks ?? new Uint8Array(), segment.firstId);
      yield { terms, firstId: segment.firstId, readPostings };
      // A block longer than the piece needs a longer one.
      if (terms.read === 0 && at + piece.length === end) throw new RangeError('A block of terms is cut');
      length = terms.read === 0 ? 2 * length : bytesAtOnce;
      at += terms.read;
    }
  }
}

/** A range that covers others. */
interface JoinedRange {
  readonly range: ByteRange;
  readonly parts: readonly ByteRange[];
}

/** Ranges with a smaller gap are read together. */
const nearBytes = 16 * 1024;

/** Joins ascending ranges that are near to each other. */
export function joinRanges(ascending: readonly ByteRange[]): readonly JoinedRange[] {
  const joined: { range: ByteRange; readonly parts: ByteRange[] }[] = [];
  for (const part of ascending) {
    const last = joined.at(-1);
    const end = part.at + part.length;
    if (last && part.at - last.range.at - last.range.length < nearBytes) {
      last.range = { at: last.range.at, length: end - last.range.at };
      last.parts.push(part);
    } else joined.push({ range: part, parts: [part] });
  }
  return joined;
}

/** Sets of logs by `termId`. */
export type TermMatches = ReadonlyMap<string, LogSet>;

/** Returns the key of a term in `TermMatches`. */
export function termId({ field, term }: Pick<TermFilter, 'field' | 'term'>): string {
  return `${fieldNumber(field)} ${term}`;
}

/** Looks up the logs of terms, all at once. Sets have ids up to `lastId`. */
export async function findTerms(
  reader: IndexReader,
  terms: readonly TermFilter[],
  lastId: number,
): Promise<TermMatches> {
  const distinct = [...new Map(terms.map((term) => [termId(term), term])).values()];
  const found = await lookUp(
    reader,
    distinct.map(({ field, term }) => ({ field: fieldNumber(field) ?? 0, term: String(term) })),
  );
  const postings = await readPostingsOf(reader, found.flat());
  let next = 0;
  return new Map(
    distinct.map((filter, index) => {
      const parts = (found[index] ?? []).map((term) => ({
        ...term,
        postings: postings[next++] ?? new Uint8Array(),
      }));
      return [termId(filter), toLogSet(parts, lastId)];
    }),
  );
}

function toLogSet(parts: readonly (FoundTerm & { readonly postings: Uint8Array })[], lastId: number): LogSet {
  const bits = bitsFor(lastId);
  const count = parts.reduce((sum, { entry }) => sum + entry.logs, 0);
  if (count <= maxListed) {
    const ids = parts.flatMap(({ segment, entry, postings }) =>
      entry.only ? [entry.only.id] : idsOfPostings(postings, segment.firstId),
    );
    return setOfFew(Uint32Array.from(ids), bits);
  }
  const bitmap = emptyBitmap(bits);
  for (const { segment, entry, postings } of parts) {
    if (entry.only) addId(bitmap, entry.only.id);
    else addPostings(bitmap, { bytes: postings, from: 0, to: postings.length, firstId: segment.firstId });
  }
  return setOfBits(bitmap);
}
