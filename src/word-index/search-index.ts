import type { DuckDBConnection } from '@duckdb/node-api';
import {
  boolFilter,
  disMaxFilter,
  type Filter,
  filterKey,
  type PhraseFilter,
  type RangeFilter,
  type TermFilter,
} from '../language/index.ts';
import type { ByteRange } from './dictionary.ts';
import {
  type Condition,
  type FirstLogs,
  idsUpToSql,
  selectIds,
  setCondition,
  setSql,
  withCondition,
} from './log-conditions.ts';
import {
  addAll,
  addBytes,
  type Bitmap,
  bitsFor,
  copyOf,
  emptyBitmap,
  emptySet,
  keepOnly,
  type LogSet,
  logsInAll,
  maxListed,
  setOfBits,
  setOfFew,
  unionOf,
} from './log-set.ts';
import { blockWords, type FieldValues, firstIds, idsWithin, type Times, timeOf } from './log-values.ts';
import {
  type FoundTerm,
  findTerms,
  type IndexReader,
  joinRanges,
  lookUp,
  positionsRange,
  readPostingsOf,
  type TermMatches,
  termId,
} from './look-up.ts';
import { logsOfPattern } from './pattern.ts';
import {
  chunkIds,
  chunkOf,
  logsInSequence,
  lowBitsOfDense,
  type PostingChunk,
  readPostings,
} from './postings.ts';
import { fieldNumber } from './segment-maker.ts';
import { existingIds, fieldValuesOf, isNarrowRange, readerOf, type Snapshot, timesOf } from './snapshot.ts';
import { unlessDamaged } from './stored-segments.ts';

/** The logs that a filter selects. */
export interface Hits extends Pick<LogSet, 'bitmap' | 'ids'> {
  readonly count: number;
  /** Condition on a row of `stored.logs`. */
  readonly condition: () => Condition;
  /** Times of the logs; undefined as long as loading them does not pay, or if there are too many. */
  readonly times: () => Promise<Times | undefined>;
  /** Values of an SQL expression by log; undefined as long as loading them does not pay, or if there are too many. */
  readonly values: (expression: string) => Promise<FieldValues | undefined>;
}

/**
 * Finds the logs that a planned filter selects by the word index, and scans logs for parts that the index cannot
 * answer. Undefined if the index is damaged. If only the first logs are wanted, later ones may be missing.
 */
export async function searchIndex(
  context: SearchContext,
  plan: IndexPlan,
  first?: FirstLogs,
): Promise<Hits | undefined> {
  const found = await unlessDamaged(
    async () => (first && (await lookUpFirst(context, plan, first))) ?? (await evaluate(context, plan)),
  );
  if (!found) return undefined;
  const { snapshot, connection } = context;
  return {
    count: found.count(),
    bitmap: found.bitmap,
    ids: found.ids,
    condition: () => setCondition(found),
    times: () => timesOf(snapshot, connection),
    values: (expression) => fieldValuesOf(snapshot, connection, expression),
  };
}

/** Shares of all chunks of ids that are searched before all of them: nearly always the first is enough. */
const shares = [1 / 64, 1 / 8];
const fewestBlocks = 4;

/**
 * Returns the first logs that a filter with phrases selects, in any order, by the chunks of ids at one end of the
 * times: comparing the positions of words in all chunks takes longer. Undefined if that does not pay, or if these chunks
 * may lack some.
 */
async function lookUpFirst(
  context: SearchContext,
  plan: IndexPlan,
  first: FirstLogs,
): Promise<LogSet | undefined> {
  const { snapshot } = context;
  const times = await snapshot.times.promise;
  if (
    !times ||
    (first.after?.time === undefined && first.after) ||
    snapshot.covered < snapshot.lastId ||
    snapshot.sets.get(wholeKey(plan))
  )
    return undefined;
  if (!plan.known.has(plan.filter) || !plan.leaves.some(({ kind }) => kind === 'phrase')) return undefined;
  const blocks = orderedBlocks(times, first);
  for (const share of shares) {
    const count = Math.max(fewestBlocks, Math.ceil(share * blocks.length));
    const [near, far] = [blocks.slice(0, count), blocks[count]];
    if (!far) return undefined;
    const chunks = new Set(near.map(({ number }) => number));
    const found = await lookUpFilter(context, plan, chunks);
    const ids = firstIds(times, within(chunks, found.bitmap(), bitsFor(snapshot.lastId)), first);
    const last = timeOf(times, ids[first.count - 1] ?? 0);
    if (first.order === 'newest' ? far.last < last : last < far.first)
      return setOfFew(Uint32Array.from(ids), bitsFor(snapshot.lastId));
  }
  return undefined;
}

/** Returns the blocks of ids that may have logs after the cursor, in the order of the first log that they may have. */
function orderedBlocks({ blocks }: Times, { order, after }: FirstLogs) {
  const end = after?.time;
  return blocks
    .map(({ first, last }, number) => ({ number, first, last }))
    .filter(({ first, last }) => end === undefined || (order === 'newest' ? first <= end : end <= last))
    .sort((one, other) => (order === 'newest' ? other.last - one.last : one.first - other.first));
}

/** Returns the ids of a set that are in some chunks. */
function within(chunks: ReadonlySet<number>, { words }: Bitmap, bits: number): Bitmap {
  const bitmap = emptyBitmap(bits);
  for (const chunk of chunks) {
    const [from, to] = [chunk * blockWords, (chunk + 1) * blockWords];
    bitmap.words.set(words.subarray(from, to), from);
  }
  return bitmap;
}

/** A state of the index, and a connection that sees it. */
export interface SearchContext {
  readonly snapshot: Snapshot;
  readonly connection: DuckDBConnection;
}

/** Returns the logs that a filter selects, from the cache if it was asked before. */
async function evaluate(context: SearchContext, plan: IndexPlan): Promise<LogSet> {
  const { snapshot } = context;
  const key = wholeKey(plan);
  const cached = snapshot.sets.get(key);
  if (cached) return cached;
  const times = areLookedUp(plan) ? undefined : requiredTimes(plan.original);
  const logSet =
    times && (await isNarrowRange(snapshot, context.connection, times))
      ? setOfBits(await scanLogs(context, plan.original, { ranges: [idsUpToSql(snapshot.lastId)] }))
      : await lookUpFilter(context, plan);
  snapshot.sets.set(key, logSet);
  return logSet;
}

/** Returns the key of the cached set of a whole filter. That of a leaf ends at the end of the index. */
function wholeKey({ original }: IndexPlan): string {
  return `whole ${filterKey(original)}`;
}

/** Reports if a filter consists of terms and ranges of time: the index has their logs sooner than any scan. */
function areLookedUp({ filter, known, leaves }: IndexPlan): boolean {
  return (
    known.has(filter) && leaves.every(({ kind }) => kind === 'term' || kind === 'range' || kind === 'none')
  );
}

/**
 * Returns the logs that a filter selects by the index. With `chunks`, the words of phrases are compared in these chunks of
 * ids only: the set is right within them.
 */
async function lookUpFilter(
  context: SearchContext,
  plan: IndexPlan,
  chunks?: ReadonlySet<number>,
): Promise<LogSet> {
  const { snapshot } = context;
  const held = new Map<string, LogSet>();
  for (const key of plan.leaves.map(filterKey)) {
    const set = snapshot.sets.get(key);
    if (set) held.set(key, set);
  }
  const missing = plan.leaves.filter((leaf) => !held.has(filterKey(leaf)));
  const reader = readerOf(snapshot, context.connection);
  const found = await findTerms(reader, missing.filter(isTerm), snapshot.lastId);
  const phrases = await findPhrases(reader, missing.filter(isPhrase), { lastId: snapshot.lastId, chunks });
  for (const [key, set] of phrases) held.set(key, set);
  const sets = new Map<Filter, LogSet>();
  for (const filter of plan.known)
    sets.set(filter, await setOf({ ...context, reader, found, held, chunks }, filter));
  const ranges = [idsUpToSql(snapshot.covered)];
  const whole = sets.get(plan.filter);
  const covered = whole ?? setOfBits(await scanLogs(context, plan.filter, { ranges, sets }));
  if (snapshot.covered === snapshot.lastId) return covered;
  // Cached sets are not modified.
  const bitmap = copyOf(covered.bitmap());
  await addUncovered(context, plan.original, bitmap);
  return setOfBits(bitmap);
}

function isTerm(filter: Filter): filter is TermFilter {
  return filter.kind === 'term';
}

function isPhrase(filter: Filter): filter is PhraseFilter {
  return filter.kind === 'phrase';
}

interface LookupContext extends SearchContext {
  /** Logs of the terms that are not cached. */
  readonly found: TermMatches;
  readonly reader: IndexReader;
  /**
   * Sets of leaves that were cached at the start, which are not looked up even if the cache drops them meanwhile, and
   * those of phrases.
   */
  readonly held: ReadonlyMap<string, LogSet>;
  readonly chunks: ReadonlySet<number> | undefined;
}

/** Returns the set of a filter that the index answers. */
async function setOf(context: LookupContext, filter: Filter): Promise<LogSet> {
  const { snapshot, connection } = context;
  switch (filter.kind) {
    case 'all':
      return existingIds(snapshot, connection);
    case 'none':
      return emptySet(bitsFor(snapshot.lastId));
    case 'disMax':
      return unionOf(await setsOf(context, filter.filters), bitsFor(snapshot.lastId));
    case 'bool':
      return combineClauses(context, filter);
    default: {
      const key = filterKey(filter);
      const logSet = context.held.get(key) ?? snapshot.sets.get(key) ?? (await leafSet(context, filter));
      if (!(context.chunks && isPhrase(filter))) snapshot.sets.set(key, logSet);
      return logSet;
    }
  }
}

async function leafSet(context: LookupContext, filter: Filter): Promise<LogSet> {
  if (filter.kind !== 'term') return setOfBits(await leafBits(context, filter));
  const { found, snapshot } = context;
  return found.get(termId(filter)) ?? emptySet(bitsFor(snapshot.lastId));
}

async function leafBits(context: LookupContext, filter: Filter): Promise<Bitmap> {
  const { snapshot, connection, reader } = context;
  switch (filter.kind) {
    case 'range':
      if (filter.field.type !== 'date') return logsOfPattern(reader, filter, snapshot.lastId);
      return (
        (await logsWithin(snapshot, connection, filter)) ??
        (await scanLogs(context, filter, { ranges: [idsUpToSql(snapshot.covered)] }))
      );
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
    case 'termRange':
      return logsOfPattern(reader, filter, snapshot.lastId);
    default:
      throw new Error(`The index has no answer to "${filter.kind}"`);
  }
}

async function logsWithin(
  snapshot: Snapshot,
  connection: DuckDBConnection,
  { lower, upper }: RangeFilter,
): Promise<Bitmap | undefined> {
  const times = await timesOf(snapshot, connection);
  if (!times) return undefined;
  const bitmap = idsWithin(times, bitsFor(snapshot.lastId), { lower, upper });
  // Blocks within the range were added completely.
  keepOnly(bitmap, (await existingIds(snapshot, connection)).bitmap());
  return bitmap;
}

async function combineClauses(
  context: LookupContext,
  { must, should, mustNot }: Extract<Filter, { kind: 'bool' }>,
): Promise<LogSet> {
  const { snapshot, connection } = context;
  const required = must.length === 0 && 0 < should.length ? [disMaxFilter(should)] : must;
  const all =
    required.length === 0 ? [await existingIds(snapshot, connection)] : await setsOf(context, required);
  return logsInAll(all, await setsOf(context, mustNot), bitsFor(snapshot.lastId));
}

async function setsOf(context: LookupContext, filters: readonly Filter[]): Promise<readonly LogSet[]> {
  const sets: LogSet[] = [];
  for (const filter of filters) sets.push(await setOf(context, filter));
  return sets;
}

/** Rows to scan. */
interface ScanOptions {
  /** SQL conditions of id ranges. */
  readonly ranges: readonly string[];
  /** Sets of the parts of the filter that are known. */
  readonly sets?: ReadonlyMap<Filter, LogSet>;
}

/** Selects logs by a scan of some id ranges. */
async function scanLogs(
  { snapshot, connection }: SearchContext,
  filter: Filter,
  { ranges, sets }: ScanOptions,
): Promise<Bitmap> {
  const bits = bitsFor(snapshot.lastId);
  return withCondition(
    filter,
    ({ sql, parameters }) => {
      // One SELECT for each range: an OR of ranges would prevent DuckDB from skipping row groups.
      const selects = ranges.map((range) => `SELECT id FROM stored.logs WHERE ${range} AND ${sql}`);
      return selectIds(connection, { sql: selects.join(' UNION ALL '), parameters, bits });
    },
    (filter, bind) => {
      const set = sets?.get(filter);
      return set && setSql(set, bind);
    },
  );
}

/** Adds the selected logs after the end of the index. */
async function addUncovered(
  { snapshot: { covered, lastId }, connection }: SearchContext,
  filter: Filter,
  bitmap: Bitmap,
): Promise<void> {
  await withCondition(filter, async ({ sql, parameters }) => {
    const bits = bitsFor(lastId);
    const uncovered = await selectIds(connection, {
      sql: `SELECT id FROM stored.logs WHERE id > ${covered} AND ${sql}`,
      parameters,
      bits,
    });
    clearFrom(bitmap, covered + 1);
    addAll(bitmap, uncovered);
  });
}

/** Removes the ids from this one on. */
function clearFrom({ bit }: Bitmap, id: number): void {
  const at = 1 + (id >>> 3);
  bit[at] = (bit[at] ?? 0) & ~(0xff >>> (id & 7));
  bit.fill(0, at + 1);
}

/** What to find of phrases. */
interface PhraseOptions {
  readonly lastId: number;
  /** Chunks of ids to compare positions in; all if not given. */
  readonly chunks: ReadonlySet<number> | undefined;
}

/**
 * Finds the logs with the words of phrases in sequence, by the positions of the words. All words are looked up at
 * once. Returns sets by `filterKey`, with ids up to `lastId`, and in some chunks of ids only if they are given.
 */
async function findPhrases(
  reader: IndexReader,
  phrases: readonly PhraseFilter[],
  options: PhraseOptions,
): Promise<ReadonlyMap<string, LogSet>> {
  const words = phrases.flatMap(({ field, terms }) =>
    terms.map((term) => ({ field: fieldNumber(field) ?? 0, term })),
  );
  const found = await lookUp(reader, words);
  const sets = new Map<string, LogSet>();
  let next = 0;
  for (const phrase of phrases) {
    const foundWords = found.slice(next, next + phrase.terms.length);
    next += phrase.terms.length;
    sets.set(filterKey(phrase), await logsOfPhrase(reader, foundWords, options));
  }
  return sets;
}

/** Returns the logs with words in sequence, given where each word is. */
async function logsOfPhrase(
  reader: IndexReader,
  words: readonly (readonly FoundTerm[])[],
  { lastId, chunks }: PhraseOptions,
): Promise<LogSet> {
  const bySegment = reader.segments
    .map((segment) => words.flatMap((found) => found.find((term) => term.segment === segment) ?? []))
    .filter((terms) => terms.length === words.length);
  const max = bySegment.reduce((sum, terms) => sum + fewestLogs(terms), 0);
  const collector = max <= maxListed ? collectFew(bitsFor(lastId)) : collectMany(bitsFor(lastId));
  for (const terms of bySegment) await addPhrase(collector, reader, terms, chunks);
  return collector.finish();
}

function fewestLogs(terms: readonly FoundTerm[]): number {
  return terms.reduce((fewest, { entry }) => Math.min(fewest, entry.logs), Number.POSITIVE_INFINITY);
}

/** Collects the logs of chunks. */
interface ChunkCollector {
  /** Adds the logs of a chunk, given a bit for each. */
  readonly add: (chunk: number, bits: Uint8Array) => void;
  readonly finish: () => LogSet;
}

function collectMany(bits: number): ChunkCollector {
  const bitmap = emptyBitmap(bits);
  return {
    add: (chunk, added) => addBytes(bitmap, added, chunk * chunkIds),
    finish: () => setOfBits(bitmap),
  };
}

/** A set of all logs takes longer to make, to count and to read than a few of them to find. */
function collectFew(bits: number): ChunkCollector {
  const ids: number[] = [];
  const lows = new Uint16Array(chunkIds);
  return {
    add: (chunk, added) => {
      const count = lowBitsOfDense(added, lows);
      for (const low of lows.subarray(0, count)) ids.push(chunk * chunkIds + low);
    },
    finish: () => setOfFew(Uint32Array.from(ids), bits),
  };
}

/** Chunks whose positions are read by one statement. */
const chunksAtOnce = 256;

/** Adds the logs of one segment that have the terms in sequence. */
async function addPhrase(
  collector: ChunkCollector,
  reader: IndexReader,
  terms: readonly FoundTerm[],
  chunks: PhraseOptions['chunks'],
): Promise<void> {
  const postings = await readPostingsOf(reader, terms);
  const words = terms.map((term, offset) => ({
    offset,
    term,
    chunks: chunksOfTerm(term, postings[offset] ?? new Uint8Array()),
  }));
  words.sort((first, second) => first.term.entry.logs - second.term.entry.logs);
  const [rarest, ...others] = words;
  const shared = [...(rarest?.chunks.keys() ?? [])].filter(
    (number) => (chunks?.has(number) ?? true) && others.every(({ chunks }) => chunks.has(number)),
  );
  for (let from = 0; from < shared.length; from += chunksAtOnce) {
    const numbers = shared.slice(from, from + chunksAtOnce);
    const positions = await readPositions(reader, words, numbers);
    for (const [index, number] of numbers.entries()) {
      const bits = logsInSequence(
        words.flatMap(({ offset, chunks }, word) => {
          const found = chunks.get(number);
          const bytes = positions[word]?.[index];
          return found && bytes ? [{ offset, chunk: found.chunk, positions: bytes }] : [];
        }),
      );
      if (bits) collector.add(number, bits);
    }
  }
}

/** A chunk of a term, and its range of the positions of the term. */
interface PlacedChunk {
  readonly chunk: PostingChunk;
  readonly positions: ByteRange;
}

/** Returns the chunks of a term by their numbers. */
function chunksOfTerm(
  { segment, entry: { only } }: FoundTerm,
  postings: Uint8Array,
): ReadonlyMap<number, PlacedChunk> {
  const results = new Map<number, PlacedChunk>();
  let at = 0;
  for (const chunk of only
    ? [chunkOf(only.id, only.positions.length)]
    : readPostings(postings, segment.firstId)) {
    results.set(chunk.chunk, { chunk, positions: { at, length: chunk.positionBytes } });
    at += chunk.positionBytes;
  }
  return results;
}

interface WordOfPhrase {
  readonly term: FoundTerm;
  readonly chunks: ReadonlyMap<number, PlacedChunk>;
}

/** Reads the positions of words in some chunks, all at once: of each word a list in the order of the chunks. */
async function readPositions(
  { cache, connection }: IndexReader,
  words: readonly WordOfPhrase[],
  numbers: readonly number[],
): Promise<readonly (readonly Uint8Array[])[]> {
  const joined = words.map(({ term, chunks }) =>
    term.entry.only ? [] : joinRanges(numbers.flatMap((number) => chunks.get(number)?.positions ?? [])),
  );
  const read = await cache.read(
    connection,
    joined.flatMap((ranges, word) =>
      ranges.flatMap(({ range }) => {
        const found = words[word];
        return found ? [positionsRange(found.term, range)] : [];
      }),
    ),
  );
  let next = 0;
  return joined.map((ranges, word) => {
    const only = words[word]?.term.entry.only;
    if (only) return [only.positions];
    return ranges.flatMap(({ range, parts }) => {
      const bytes = read[next++] ?? new Uint8Array();
      return parts.map(({ at, length }) => bytes.subarray(at - range.at, at - range.at + length));
    });
  });
}

/** Division of a filter between the index and the logs. */
export interface IndexPlan {
  readonly original: Filter;
  /** An equivalent filter that groups the parts for the index. */
  readonly filter: Filter;
  /** The parts that the index answers alone; none is within another. */
  readonly known: ReadonlySet<Filter>;
  /** The leaves of those parts. */
  readonly leaves: readonly Filter[];
  /** The filter uses the index: one without words does not. */
  readonly asksIndex: boolean;
}

/** Plans the evaluation of a filter with a token index. */
export function planIndexUse(filter: Filter): IndexPlan {
  const known = new Set<Filter>();
  const regrouped = regroup(filter, known);
  const leaves = [...known].flatMap(leavesOf);
  return {
    original: filter,
    filter: regrouped,
    known,
    leaves,
    asksIndex: leaves.some((leaf) => 'field' in leaf && fieldNumber(leaf.field) !== undefined),
  };
}

/** Returns a range of times that all logs of a filter must be in, if it has one. */
export function requiredTimes(filter: Filter): RangeFilter | undefined {
  const required = filter.kind === 'bool' ? filter.must : [filter];
  return required.find((filter): filter is RangeFilter => filter.kind === 'range' && isTime(filter));
}

function isTime({ field }: RangeFilter): boolean {
  return field.type === 'date' && field.name === 'time';
}

/** Reports if the index alone answers a filter. */
function isIndexed(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return true;
    case 'phrase':
      return filter.slop === 0 && fieldNumber(filter.field) !== undefined;
    case 'term':
    case 'termRange':
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return fieldNumber(filter.field) !== undefined;
    case 'range':
      // The times of the logs are in memory.
      return isTime(filter) || fieldNumber(filter.field) !== undefined;
    case 'exists':
    case 'fieldReference':
    case 'timePart':
    case 'network':
      return false;
    case 'disMax':
      return filter.filters.every(isIndexed);
    case 'bool':
      return [...filter.must, ...filter.mustNot, ...deciding(filter)].every(isIndexed);
  }
}

/** Optional clauses that select logs: beside a required one they only affect the relevance. */
function deciding({ must, should }: Extract<Filter, { kind: 'bool' }>): readonly Filter[] {
  return must.length === 0 ? should : [];
}

function regroup(filter: Filter, known: Set<Filter>): Filter {
  if (isIndexed(filter)) {
    known.add(filter);
    return filter;
  }
  if (filter.kind === 'phrase' && fieldNumber(filter.field) !== undefined) {
    // Only logs with all words can have them close to each other.
    const wordFilter = boolFilter({ must: phraseTerms(filter) });
    known.add(wordFilter);
    return boolFilter({ must: [wordFilter, filter] });
  }
  if (filter.kind === 'disMax') return anyOf(filter.filters, known);
  if (filter.kind !== 'bool') return filter;
  const should = deciding(filter);
  const must = should.length === 0 ? filter.must : [disMaxFilter(should)];
  const core = { must: must.filter(isIndexed), mustNot: filter.mustNot.filter(isIndexed) };
  const rest = (filters: readonly Filter[]) =>
    filters.filter((filter) => !isIndexed(filter)).map((filter) => regroup(filter, known));
  if (core.must.length + core.mustNot.length === 0)
    return boolFilter({ must: rest(must), mustNot: rest(filter.mustNot) });
  const together = boolFilter(core);
  known.add(together);
  return boolFilter({ must: [together, ...rest(must)], mustNot: rest(filter.mustNot) });
}

function anyOf(filters: readonly Filter[], known: Set<Filter>): Filter {
  const indexed = filters.filter(isIndexed);
  const rest = filters.filter((filter) => !isIndexed(filter)).map((filter) => regroup(filter, known));
  if (indexed.length === 0) return disMaxFilter(rest);
  const together = disMaxFilter(indexed);
  known.add(together);
  return disMaxFilter([together, ...rest]);
}

/** Returns the leaves of a filter that affect the selection. */
function leavesOf(filter: Filter): readonly Filter[] {
  if (filter.kind === 'disMax') return filter.filters.flatMap(leavesOf);
  if (filter.kind !== 'bool') return [filter];
  return [...filter.must, ...filter.mustNot, ...deciding(filter)].flatMap(leavesOf);
}

/** Returns the words of a phrase as filters. */
export function phraseTerms({ field, terms }: PhraseFilter): readonly TermFilter[] {
  return [...new Set(terms)].map((term) => ({ kind: 'term', field, term }));
}
