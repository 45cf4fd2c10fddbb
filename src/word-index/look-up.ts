import type { DuckDBConnection } from '@duckdb/node-api';
import type { TermFilter } from '../language/index.ts';
import { ByteReader } from './bytes.ts';
import {
  type ByteRange,
  blockWith,
  type FirstTerm,
  findInBlock,
  rangeWith,
  readFirstTerm,
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

/** Returns where the postings of the current term of a reader are; it must have several logs. */
export function postingsRange({ terms, segment, field }: SegmentTerms): SegmentRange {
  return within(segment, field.postings, { at: terms.postingsAt, length: terms.postingsLength });
}

/** Returns where a range of the positions of a term is. */
export function positionsRange(
  { segment, field, entry }: FoundTerm,
  { at, length }: ByteRange,
): SegmentRange {
  if (entry.positions.length < at + length) throw new RangeError('The positions of a term are cut');
  return within(segment, field.positions, { at: entry.positions.at + at, length });
}

/** Terms of a field to visit. */
export interface TermSelection {
  readonly field: number;
  /** Kinds of bytes that each selected term has, as bits of `kindOf`. */
  readonly kinds: number;
  /** Reports if a term from one on and before another, or the end, may be selected. */
  readonly mayHave: (from: Uint8Array, to: Uint8Array | undefined) => boolean;
}

/** Bytes of pages or blocks that are read at a time. */
const bytesAtOnce = 1 << 20;

/** Terms to visit of one segment. */
export interface SegmentTerms {
  readonly terms: TermReader;
  readonly segment: Segment;
  readonly field: SegmentField;
}

/** A page or consecutive blocks of a field. */
interface TermPart extends SegmentRange {
  readonly field: SegmentField;
}

/** Yields readers of the blocks that may have selected terms, in their order for each segment. */
export async function* scanTerms(
  { connection, segments, cache }: IndexReader,
  selection: TermSelection,
): AsyncGenerator<SegmentTerms, void, undefined> {
  const pages = segments.flatMap((segment) => {
    const field = segment.fields[selection.field];
    return field && 0 < field.tokens ? pagesWith(segment, field, selection) : [];
  });
  for (const somePages of groupsOf(pages)) {
    const read = await cache.read(connection, somePages);
    const blocks = somePages.flatMap((page, index) =>
      blocksWith(page, read[index] ?? new Uint8Array(), selection),
    );
    for (const someBlocks of groupsOf(blocks))
      for (const [index, bytes] of (await cache.read(connection, someBlocks)).entries()) {
        const { segment, field } = someBlocks[index] ?? {};
        if (!segment || !field) continue;
        const terms = new TermReader(bytes, segment.firstId);
        yield { terms, segment, field };
        if (terms.read !== bytes.length) throw new RangeError('A block of terms is cut');
      }
  }
}

/** A page of a field. */
interface TermPage extends TermPart {
  /** First term of the next page, if there is one. */
  readonly next: Uint8Array | undefined;
}

/** Returns the pages of a field in one segment that may have selected terms. */
function pagesWith(
  segment: Segment,
  field: SegmentField,
  { kinds, mayHave }: TermSelection,
): readonly TermPage[] {
  const { terms, ranges, kinds: kindsOf } = field.top;
  return terms.flatMap((first, index) => {
    const [range, next] = [ranges[index], terms[index + 1]];
    const hasKinds = (kinds & ~(kindsOf[index] ?? 0)) === 0;
    return range && hasKinds && mayHave(first, next)
      ? [{ ...within(segment, field.pages, range), field, next }]
      : [];
  });
}

/** Returns the blocks of a page that may have selected terms; those that follow each other are one part. */
function blocksWith(
  { segment, field, next: end }: TermPage,
  page: Uint8Array,
  { kinds, mayHave }: TermSelection,
): readonly TermPart[] {
  const found: { at: number; length: number }[] = [];
  const reader = new ByteReader(page);
  const termOf = ({ from, to }: FirstTerm) => page.subarray(from, to);
  let block = readFirstTerm(reader);
  while (block) {
    const next = readFirstTerm(reader);
    // Making the terms takes longer than all the rest.
    if ((kinds & ~block.kinds) === 0 && mayHave(termOf(block), next ? termOf(next) : end)) {
      const last = found.at(-1);
      if (last && last.at + last.length === block.at) last.length += block.length;
      else found.push({ at: block.at, length: block.length });
    }
    block = next;
  }
  return found.map((range) => ({ ...within(segment, field.blocks, range), field }));
}

/** Yields parts in groups of some bytes, at least one each. */
function* groupsOf<T extends ByteRange>(parts: readonly T[]): Generator<readonly T[], void, undefined> {
  let group: T[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (0 < group.length && bytesAtOnce < bytes + part.length) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(part);
    bytes += part.length;
  }
  if (0 < group.length) yield group;
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
