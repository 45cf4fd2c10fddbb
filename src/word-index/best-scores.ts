import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type CountedNode,
  type Filter,
  fromLengthByte,
  type PhraseFilter,
  type ScoreLeaf,
  type ScoreNode,
  type Scorer,
  type SumNode,
  type TermFilter,
} from '../language/index.ts';
import type { LogCursor } from '../records/index.ts';
import { afterCursorSql, orderBySql, selectIds, setCondition, withCondition } from './log-conditions.ts';
import {
  addAll,
  addId,
  type Bitmap,
  bitsFor,
  countIds,
  eachId,
  emptyBitmap,
  hasId,
  keepOnly,
  setOfBits,
} from './log-set.ts';
import { firstIds } from './log-values.ts';
import { type FoundTerm, type IndexReader, lookUp } from './look-up.ts';
import { chunkBits, chunkIds, skipPositions } from './postings.ts';
import { planIndexUse, type SearchContext, searchIndex } from './search-index.ts';
import { fieldNumber } from './segment-maker.ts';
import { readerOf, timesOf } from './snapshot.ts';
import { type Segment, unlessDamaged } from './stored-segments.ts';
import { type FrequencyCursor, openTerms, type TermCursor } from './term-cursor.ts';

/** A search whose logs are scored, in the state in which they were found. */
export interface ScoredSearch extends SearchContext {
  readonly scorer: Scorer;
  /** The logs to score; undefined for all that match the scorer, if that selects: see `selectsLogs`. */
  readonly logs: Bitmap | undefined;
}

/** The page of the most relevant logs. */
export interface ScoredPage {
  /** Number of logs, at least one. */
  readonly count: number;
  /** Only logs after this cursor. */
  readonly after?: (LogCursor & { readonly score: number }) | undefined;
}

/**
 * Returns the scores of the most relevant logs by id, in no order. Undefined if the index cannot score them: it lacks
 * logs, or frequencies of sloppy phrases or of other fields, or is damaged.
 */
export async function bestScores(
  search: ScoredSearch,
  { count, after }: ScoredPage,
): Promise<ReadonlyMap<number, number> | undefined> {
  const { snapshot, connection, logs, scorer } = search;
  if (snapshot.covered < snapshot.lastId || !isCounted(scorer.leaves)) return undefined;
  return await unlessDamaged(async () => {
    const sets = await testedSets(search);
    const top = topScores(count);
    const atCursor: number[] = [];
    const last = Math.fround(after?.score ?? Number.POSITIVE_INFINITY);
    const visit = (id: number, score: number) => {
      if (score < last) top.add(id, score);
      else if (score === last) atCursor.push(id);
    };
    const scored = { scorer, logs, sets };
    await scoreLogs(readerOf(snapshot, connection), scored, { visit, minScore: top.minScore });
    const picked = new Map<number, number>();
    const pick = async (ids: readonly number[], score: number, cursor?: LogCursor) => {
      const remaining = count - picked.size;
      for (const id of await newestOf(search, { ids, count: remaining, after: cursor }))
        picked.set(id, score);
    };
    await pick(atCursor, last, after);
    const { scores, tied, tiedScore } = top.finish(count - picked.size);
    for (const [id, score] of scores) picked.set(id, score);
    await pick(tied, tiedScore);
    return picked;
  });
}

/** Returns the logs that match each tested leaf of a scorer, by leaf number. */
async function testedSets({
  snapshot,
  connection,
  scorer: { leaves },
}: ScoredSearch): Promise<ReadonlyMap<number, Bitmap>> {
  const sets = new Map<number, Bitmap>();
  // A word is no number, so most queries have such a part.
  for (const [leaf, { kind, filter }] of leaves.entries())
    if (kind === 'tested' && filter.kind !== 'none') {
      const plan = planIndexUse(filter);
      const hits = plan.asksIndex ? await searchIndex({ snapshot, connection }, plan) : undefined;
      const bits = bitsFor(snapshot.lastId);
      sets.set(leaf, hits?.bitmap() ?? (await scanFor(connection, filter, bits)));
    }
  return sets;
}

/** Selects logs by a scan. */
function scanFor(connection: DuckDBConnection, filter: Filter, bits: number): Promise<Bitmap> {
  return withCondition(filter, ({ sql, parameters }) =>
    selectIds(connection, { sql: `SELECT id FROM stored.logs WHERE ${sql}`, parameters, bits }),
  );
}

/** Returns the newest of some logs, in no order. */
async function newestOf(
  { snapshot, connection }: ScoredSearch,
  {
    ids,
    count,
    after,
  }: { readonly ids: readonly number[]; readonly count: number; readonly after: LogCursor | undefined },
): Promise<readonly number[]> {
  if (ids.length <= count && !after) return ids;
  const some = emptyBitmap(bitsFor(snapshot.lastId));
  for (const id of ids) addId(some, id);
  const times = await timesOf(snapshot, connection);
  if (times) return firstIds(times, some, { order: 'newest', count, after });
  const { sql, parameters } = setCondition(setOfBits(some));
  const rest = after && afterCursorSql(after, 'newest', parameters.length + 1);
  const found = await connection.runAndReadAll(
    `SELECT id::DOUBLE FROM stored.logs WHERE ${sql} ${rest ? `AND ${rest.sql}` : ''}
     ORDER BY ${orderBySql.newest} LIMIT ${Math.max(0, count)}`,
    [...parameters, ...(rest?.parameters ?? [])],
  );
  return found.getRowsJS().map(([id]) => Number(id));
}

/** Reports if the index has the frequencies of all counted leaves: of terms and exact phrases in indexed fields. */
function isCounted(leaves: readonly ScoreLeaf[]): boolean {
  return leaves.every((leaf) => leaf.kind === 'tested' || isIndexed(leaf.filter));
}

function isIndexed(filter: TermFilter | PhraseFilter): boolean {
  const isExact = filter.kind === 'term' || (filter.slop === 0 && 0 < filter.terms.length);
  return isExact && fieldNumber(filter.field) !== undefined;
}

/** Logs to score. */
interface ScoredLogs {
  /** The index has the frequencies of its counted leaves: see `isCounted`. */
  readonly scorer: Scorer;
  /** The logs that were selected; undefined for those that match the scorer, if that selects: see `selectsLogs`. */
  readonly logs: Bitmap | undefined;
  /** The logs that match tested leaves, by leaf number. */
  readonly sets: ReadonlyMap<number, Bitmap>;
}

/** What to do with scores. */
interface ScoreVisitor {
  /** Takes a log with its score; 0 if it was selected and does not match. */
  readonly visit: (id: number, score: number) => void;
  /** Returns the least score that is still wanted. */
  readonly minScore: () => number;
}

/** Visits indexed logs in the order of their ids; some whose score is not wanted may be missing. */
async function scoreLogs(
  reader: IndexReader,
  { scorer: { root, leaves }, logs, sets }: ScoredLogs,
  { visit, minScore }: ScoreVisitor,
): Promise<void> {
  const counted = leaves.flatMap((leaf, number) =>
    leaf.kind === 'counted' ? [toCountedLeaf(leaf.filter, number)] : [],
  );
  const found = await lookUp(
    reader,
    counted.flatMap(({ field, words }) => words.map((term) => ({ field, term }))),
  );
  const inputs = { terms: new Map<number, FrequencyCursor>(), sets };
  const raiseScores = compileScores(root, inputs);
  const scores = new Float64Array(chunkIds);
  const matched = [...sets].flatMap(([leaf, set]) => (countIds(set) === 0 ? [] : [leaf]));
  for (const segment of reader.segments) {
    const inSegment = found.map((terms) => terms.find((term) => term.segment === segment));
    const cursors = new Map(await openLeaves(reader, counted, inSegment));
    const otherwise = logs ? 0 : unmatched;
    const essential = essentialLeaves(root, { present: new Set([...cursors.keys(), ...matched]), otherwise });
    const search = { logs, segment, cursors, inputs, essential: () => essential(minScore()) };
    for (const some of chunksWith(search)) {
      setScores(scores, some, unmatched);
      raiseScores(some, scores);
      for (let at = 0; at < some.count; at++) {
        const low = some.lows[at] ?? 0;
        const score = Math.max(otherwise, scores[low] ?? 0);
        if (score !== unmatched) visit(some.chunk * chunkIds + low, score);
      }
    }
  }
}

/** A term or phrase to count. */
interface CountedLeaf {
  /** Number of the leaf. */
  readonly leaf: number;
  /** Number of the field. */
  readonly field: number;
  readonly terms: readonly string[];
  /** The different terms. */
  readonly words: readonly string[];
}

function toCountedLeaf(filter: TermFilter | PhraseFilter, leaf: number): CountedLeaf {
  const terms = filter.kind === 'term' ? [filter.term] : filter.terms;
  return { leaf, field: fieldNumber(filter.field) ?? 0, terms, words: [...new Set(terms)] };
}

/** Opens a cursor on each leaf that the segment may have. `found` are the words of all leaves, one after the other. */
async function openLeaves(
  reader: IndexReader,
  counted: readonly CountedLeaf[],
  found: readonly (FoundTerm | undefined)[],
): Promise<readonly (readonly [leaf: number, cursor: FrequencyCursor])[]> {
  let next = 0;
  const present = counted.flatMap((leaf) => {
    const words = found.slice(next, next + leaf.words.length).filter((term) => term !== undefined);
    next += leaf.words.length;
    return words.length === leaf.words.length ? [{ leaf, words }] : [];
  });
  const terms = present.flatMap(({ leaf, words }) =>
    words.map((term) => ({ found: term, needsPositions: 1 < leaf.terms.length })),
  );
  const cursors = await openTerms(reader, terms);
  let from = 0;
  return present.flatMap(({ leaf: { leaf, terms, words } }) => {
    const own = cursors.slice(from, from + words.length);
    from += words.length;
    const [first] = own;
    if (!first || terms.length === 1) return first ? [[leaf, first] as const] : [];
    const offsetsOf = (word: string) => terms.flatMap((term, offset) => (term === word ? [offset] : []));
    const parts = own.map((cursor, index) => ({ cursor, offsets: offsetsOf(words[index] ?? '') }));
    return [[leaf, openPhrase(parts)] as const];
  });
}

/** Logs of one segment to score. */
interface SegmentLogs {
  readonly logs: Bitmap | undefined;
  readonly segment: Segment;
  /** Cursors on the counted leaves, by their numbers. */
  readonly cursors: ReadonlyMap<number, FrequencyCursor>;
  /** Gets the cursors that are in the chunk. */
  readonly inputs: {
    readonly terms: Map<number, FrequencyCursor>;
    readonly sets: ReadonlyMap<number, Bitmap>;
  };
  readonly essential: () => LeafGroups;
}

const wordsOfChunk = chunkIds / 32;

/** Yields the chunks of a segment that have logs to score, each in the same memory. */
function* chunksWith({
  logs,
  segment: { firstId, lastId },
  cursors,
  inputs: { terms, sets },
  essential,
}: SegmentLogs): Generator<ChunkLogs, void, undefined> {
  const lows = new Uint16Array(chunkIds);
  const [matching, ofGroup] = [emptyBitmap(chunkIds), emptyBitmap(chunkIds)];
  for (let chunk = firstId >>> chunkBits; chunk <= lastId >>> chunkBits; chunk++) {
    matching.words.fill(logs ? 0 : 0xffffffff);
    if (logs) matching.words.set(wordsOf(logs, chunk));
    terms.clear();
    const moveTo = (leaf: number) => {
      const cursor = terms.has(leaf) ? undefined : cursors.get(leaf);
      if (cursor?.moveTo(chunk)) terms.set(leaf, cursor);
    };
    for (const group of essential()) {
      for (const leaf of group) moveTo(leaf);
      setLogsOf(ofGroup, group, { inputs: { terms, sets }, chunk });
      keepOnly(matching, ofGroup);
    }
    let count = 0;
    eachId(matching, (low) => {
      // A segment may begin and end within a chunk.
      const id = chunk * chunkIds + low;
      if (firstId <= id && id <= lastId) lows[count++] = low;
    });
    if (count === 0) continue;
    for (const leaf of cursors.keys()) moveTo(leaf);
    yield { chunk, lows, count };
  }
}

function wordsOf({ words }: Bitmap, chunk: number): Uint32Array {
  return words.subarray(chunk * wordsOfChunk, (chunk + 1) * wordsOfChunk);
}

/** Makes a set that of the logs of a chunk that match one of some leaves, by the last bits of their ids. */
function setLogsOf(
  bitmap: Bitmap,
  leaves: ReadonlySet<number>,
  { inputs: { terms, sets }, chunk }: { readonly inputs: ScoreInputs; readonly chunk: number },
): void {
  bitmap.words.fill(0);
  for (const leaf of leaves) {
    const set = sets.get(leaf);
    if (set) addAll(bitmap, { ...set, words: wordsOf(set, chunk) });
    const cursor = terms.get(leaf);
    for (let index = 0; cursor && index < cursor.count(); index++) addId(bitmap, cursor.lows[index] ?? 0);
  }
}

/** A word of a phrase. */
interface PhraseWord {
  readonly cursor: TermCursor;
  /** Its offsets in the phrase. */
  readonly offsets: readonly number[];
}

/** Positions are smaller: log and position are one number. */
const logStep = 2 ** 33;

/** Opens a cursor on a phrase, at least one word, by cursors on its different words, whose positions were read. */
function openPhrase(words: readonly PhraseWord[]): FrequencyCursor {
  const lows = new Uint16Array(chunkIds);
  const frequencies = new Uint32Array(chunkIds);
  const wordsOf = new Uint16Array(chunkIds);
  let count = 0;
  return {
    moveTo: (chunk) => {
      // All move, so that they stay together.
      if (!words.map(({ cursor }) => cursor.moveTo(chunk)).every((isThere) => isThere)) return false;
      wordsOf.fill(0);
      for (const { cursor } of words) countLogs(wordsOf, cursor);
      const hasAll = (low: number) => wordsOf[low] === words.length;
      let starts: readonly number[] | undefined;
      for (const { cursor, offsets } of words) {
        const occurrences = occurrencesOf(cursor, hasAll);
        for (const offset of offsets) starts = intersect(starts, occurrences, offset);
      }
      count = 0;
      for (const start of starts ?? []) {
        const low = Math.floor(start / logStep);
        if (count === 0 || lows[count - 1] !== low) {
          lows[count] = low;
          frequencies[count++] = 0;
        }
        frequencies[count - 1] = (frequencies[count - 1] ?? 0) + 1;
      }
      return 0 < count;
    },
    lows,
    frequencies,
    count: () => count,
    lengths: () => words[0]?.cursor.lengths() ?? 0,
  };
}

function countLogs(wordsOf: Uint16Array, cursor: TermCursor): void {
  for (let index = 0; index < cursor.count(); index++) {
    const low = cursor.lows[index] ?? 0;
    wordsOf[low] = (wordsOf[low] ?? 0) + 1;
  }
}

/** Returns the occurrences of a word in the selected logs of a chunk, ascending. */
function occurrencesOf(cursor: TermCursor, isSelected: (low: number) => boolean): readonly number[] {
  const occurrences: number[] = [];
  const bytes = cursor.positions();
  for (let index = 0, at = 0; index < cursor.count(); index++) {
    const low = cursor.lows[index] ?? 0;
    if (!isSelected(low)) {
      at = skipPositions(bytes, at);
      continue;
    }
    let position = -1;
    for (let isLast = false; !isLast; ) {
      let number = 0;
      let factor = 1;
      for (let byte = 0x80; 0x80 <= byte; factor *= 0x80) {
        byte = bytes[at++] ?? 0;
        number += (byte % 0x80) * factor;
      }
      position += 1 + Math.floor(number / 2);
      isLast = number % 2 === 0;
      occurrences.push(low * logStep + position);
    }
  }
  return occurrences;
}

/** Returns the starts of the phrase that a word at an offset allows. */
function intersect(
  starts: readonly number[] | undefined,
  occurrences: readonly number[],
  offset: number,
): readonly number[] {
  const shared: number[] = [];
  let at = 0;
  for (const occurrence of occurrences) {
    // A word before its offset in the phrase would be in the log before.
    if (occurrence % logStep < offset) continue;
    const start = occurrence - offset;
    if (!starts) {
      shared.push(start);
      continue;
    }
    while ((starts[at] ?? start) < start) at++;
    if (starts[at] === start) shared.push(start);
  }
  return shared;
}

/** Scores of logs, of which only the greatest stay. */
interface TopScores {
  readonly add: (id: number, score: number) => void;
  /** Returns the least score that may still be among the greatest. */
  readonly minScore: () => number;
  /** Returns this many of the greatest scores, at most those that were collected. */
  readonly finish: (limit: number) => GreatestScores;
}

/** The greatest scores. */
interface GreatestScores {
  /** Logs that are certainly among them, by id. */
  readonly scores: ReadonlyMap<number, number>;
  /** The logs of the least of them: all that share it, maybe more than were asked for. */
  readonly tied: readonly number[];
  readonly tiedScore: number;
}

/** Collects the `max` greatest scores, at least one. */
function topScores(max: number): TopScores {
  let ids = new Float64Array(2 * max + 256);
  let scores = new Float64Array(ids.length);
  let [count, min] = [0, Number.NEGATIVE_INFINITY];
  /** Removes the logs whose score is not among the greatest. */
  const cut = (limit: number) => {
    if (count < limit) return;
    min = scores.slice(0, count).sort()[count - limit] ?? Number.POSITIVE_INFINITY;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      if ((scores[at] ?? 0) < min) continue;
      ids[kept] = ids[at] ?? 0;
      scores[kept++] = scores[at] ?? 0;
    }
    count = kept;
    if (2 * count <= ids.length) return;
    ids = doubled(ids);
    scores = doubled(scores);
  };
  return {
    add: (id, score) => {
      if (score < min) return;
      ids[count] = id;
      scores[count++] = score;
      if (count === ids.length) cut(max);
    },
    minScore: () => min,
    finish: (limit) => {
      cut(limit);
      const [sure, tied]: [Map<number, number>, number[]] = [new Map(), []];
      for (let at = 0; at < count; at++) {
        const [id, score] = [ids[at] ?? 0, scores[at] ?? 0];
        if (score === min) tied.push(id);
        else sure.set(id, score);
      }
      return { scores: sure, tied, tiedScore: min };
    },
  };
}

function doubled(values: Float64Array): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(2 * values.length);
  copy.set(values);
  return copy;
}

/** The logs of a chunk to score, by the last bits of their ids in ascending order. */
interface ChunkLogs {
  readonly chunk: number;
  readonly lows: Uint16Array;
  readonly count: number;
}

/** The inputs of the scores, by the numbers of leaves. */
interface ScoreInputs {
  /** Of counted leaves: their occurrences in the present chunk, if there are any. */
  readonly terms: ReadonlyMap<number, FrequencyCursor>;
  /** Of tested leaves: the logs that match. */
  readonly sets: ReadonlyMap<number, Bitmap>;
}

/**
 * Raises scores in an array by the last bits of ids to those of a part, where these are greater. Logs that do not match
 * keep theirs. Scores of logs that are not to be scored are undefined.
 */
type RaiseScores = (logs: ChunkLogs, scores: Float64Array) => void;

/** The score of a log that does not match: no score is negative. */
export const unmatched = -1;

/** Sets the scores of some logs; those of others in the array have no meaning. */
function setScores(scores: Float64Array, { lows, count }: ChunkLogs, score: number): void {
  for (let at = 0; at < count; at++) scores[lows[at] ?? 0] = score;
}

/** Compiles the computation of a score for the logs of a chunk, with the same results as `Scorer.score`. */
function compileScores(node: ScoreNode, inputs: ScoreInputs): RaiseScores {
  const raiseScores = compileNode(node, inputs);
  // Most words are in few of the fields that are searched.
  return (logs, scores) => {
    if (mayMatch(node, inputs)) raiseScores(logs, scores);
  };
}

/** Reports if a log of the chunk may match. */
function mayMatch(node: ScoreNode, inputs: ScoreInputs): boolean {
  switch (node.kind) {
    case 'counted':
      return inputs.terms.has(node.leaf);
    case 'tested':
      return inputs.sets.has(node.leaf);
    case 'best':
      return node.parts.some((part) => mayMatch(part, inputs));
    case 'sum': {
      const needsOptional = node.must.length === 0 && 0 < node.should.length;
      return (
        node.must.every((part) => mayMatch(part, inputs)) &&
        (!needsOptional || node.should.some((part) => mayMatch(part, inputs)))
      );
    }
  }
}

function compileNode(node: ScoreNode, inputs: ScoreInputs): RaiseScores {
  switch (node.kind) {
    case 'counted':
      return counted(node, inputs);
    case 'tested': {
      const { leaf, weight } = node;
      return (logs, scores) => {
        const set = inputs.sets.get(leaf);
        for (let at = 0; set && at < logs.count; at++) {
          const low = logs.lows[at] ?? 0;
          if (hasId(set, logs.chunk * chunkIds + low)) raise(scores, low, weight);
        }
      };
    }
    case 'best': {
      const parts = node.parts.map((part) => compileScores(part, inputs));
      return (logs, scores) => {
        for (const part of parts) part(logs, scores);
      };
    }
    case 'sum':
      return sum(node, inputs);
  }
}

function raise(scores: Float64Array, low: number, score: number): void {
  if ((scores[low] ?? unmatched) < score) scores[low] = score;
}

function counted({ leaf, weight, score }: CountedNode, { terms }: ScoreInputs): RaiseScores {
  // The scores of each frequency by the byte of the length.
  const byFrequency: Float64Array[] = [];
  const scoresOf = (frequency: number) => {
    byFrequency[frequency] ??= Float64Array.from({ length: 256 }, (_, byte) =>
      score(weight, frequency, fromLengthByte(byte)),
    );
    return byFrequency[frequency];
  };
  return (logs, scores) => {
    const term = terms.get(leaf);
    if (!term) return;
    const { lows, frequencies } = term;
    const [count, lengths] = [term.count(), term.lengths()];
    for (let at = 0, index = 0; at < logs.count; at++) {
      const low = logs.lows[at] ?? 0;
      while (index < count && (lows[index] ?? 0) < low) index++;
      if (index === count) return;
      if (lows[index] !== low) continue;
      const byLength = scoresOf(frequencies[index] ?? 1);
      raise(scores, low, byLength[typeof lengths === 'number' ? lengths : (lengths[low] ?? 0)] ?? 0);
    }
  };
}

/** Adds up the scores of the matching parts if the whole matches, by the rules of `match`. */
function sum({ must, should, mustNot }: SumNode, inputs: ScoreInputs): RaiseScores {
  const [required = [], optional = [], prohibited = []] = [must, should, mustNot].map((nodes) =>
    nodes.map((node) => compileScores(node, inputs)),
  );
  const [totals, part] = [new Float64Array(chunkIds), new Float64Array(chunkIds)];
  const evaluated = (raiseScores: RaiseScores, logs: ChunkLogs) => {
    setScores(part, logs, unmatched);
    raiseScores(logs, part);
    return part;
  };
  // Without a required part, one of the optional ones must match if there are any.
  const needsOptional = required.length === 0 && 0 < optional.length;
  return (logs, scores) => {
    setScores(totals, logs, needsOptional ? unmatched : 0);
    for (const raiseScores of required) addRequired(totals, evaluated(raiseScores, logs), logs);
    for (const raiseScores of optional)
      addOptional(totals, evaluated(raiseScores, logs), logs, needsOptional);
    for (const raiseScores of prohibited) dropMatching(totals, evaluated(raiseScores, logs), logs);
    raiseTo(totals, scores, logs);
  };
}

/** Adds the scores of a part. Logs that it does not match do not match. */
function addRequired(totals: Float64Array, part: Float64Array, { lows, count }: ChunkLogs): void {
  for (let at = 0; at < count; at++) {
    const low = lows[at] ?? 0;
    const total = totals[low] ?? unmatched;
    const score = part[low] ?? unmatched;
    totals[low] = total === unmatched || score === unmatched ? unmatched : total + score;
  }
}

/** Adds the scores of a part to those of matching logs; with `mayMatch`, the logs that it matches match. */
function addOptional(
  totals: Float64Array,
  part: Float64Array,
  { lows, count }: ChunkLogs,
  mayMatch: boolean,
): void {
  for (let at = 0; at < count; at++) {
    const low = lows[at] ?? 0;
    const total = totals[low] ?? unmatched;
    const score = part[low] ?? unmatched;
    if (score === unmatched) continue;
    if (total !== unmatched) totals[low] = total + score;
    else if (mayMatch) totals[low] = score;
  }
}

/** Logs that a part matches do not match. */
function dropMatching(totals: Float64Array, part: Float64Array, { lows, count }: ChunkLogs): void {
  for (let at = 0; at < count; at++) {
    const low = lows[at] ?? 0;
    if (part[low] !== unmatched) totals[low] = unmatched;
  }
}

/** Raises scores to totals in 32 bits. */
function raiseTo(totals: Float64Array, scores: Float64Array, { lows, count }: ChunkLogs): void {
  for (let at = 0; at < count; at++) {
    const low = lows[at] ?? 0;
    const total = totals[low] ?? unmatched;
    if (total !== unmatched) raise(scores, low, Math.fround(total));
  }
}

/** More occurrences than a field has. */
const maxFrequency = 2 ** 31;

/** Groups of leaves: a log must match one leaf of each. */
export type LeafGroups = readonly ReadonlySet<number>[];

/** Facts about the logs to score. */
export interface Candidates {
  /** The leaves that some log matches. */
  readonly present: ReadonlySet<number>;
  /** The score of logs that match no part: `unmatched` if they are not wanted at all, 0 if they were selected otherwise. */
  readonly otherwise: number;
}

/**
 * Returns a function from a score to the groups of leaves of which a log must match one each to reach it; none if any log
 * may do so.
 *
 * The first group is that of MaxScore, the pruning of search engines (Turtle and Flood, "Query evaluation: strategies and
 * optimizations", 1995): frequent words, which alone give little, are not asked which logs have them. The other groups
 * are the parts of the whole without which the rest does not reach the score.
 */
export function essentialLeaves(
  root: ScoreNode,
  { present, otherwise }: Candidates,
): (score: number) => LeafGroups {
  const leaves = leafBounds(root).filter(([leaf]) => present.has(leaf));
  const ordered = leaves.sort(([, first], [, second]) => second - first).map(([leaf]) => leaf);
  const toGroup = (group: ReadonlySet<number>) => ({
    group,
    // Greatest score of logs that match no leaf of the group.
    bound: Math.max(
      otherwise,
      greatestScore(root, (leaf) => present.has(leaf) && !group.has(leaf)),
    ),
  });
  const firsts = [0, ...ordered.keys()].map((_, count) => toGroup(new Set(ordered.slice(0, count))));
  const parts = root.kind === 'sum' ? [...root.must, ...root.should] : [];
  const ofParts = parts.map((part) =>
    toGroup(new Set(leafBounds(part).flatMap(([leaf]) => (present.has(leaf) ? [leaf] : [])))),
  );
  return (score) => {
    const isNeeded = ({ bound }: { readonly bound: number }) => bound === unmatched || bound < score;
    const needed = ofParts.filter(isNeeded).map(({ group }) => group);
    const first = firsts.find(isNeeded)?.group;
    return leastGroups(first ? [first, ...needed] : needed);
  };
}

/**
 * Reports if the logs that match a scorer are those that its filter selects, and that all of them match a leaf. A fuzzy
 * term selects more than it scores.
 */
export function selectsLogs({ root, leaves }: Pick<Scorer, 'root' | 'leaves'>): boolean {
  const isWhole = leaves.every((leaf) => leaf.kind === 'tested' || leaf.condition === leaf.filter);
  return isWhole && greatestScore(root, () => false) === unmatched;
}

/** Leaves out groups that contain another one, and so demand nothing more. */
function leastGroups(groups: LeafGroups): LeafGroups {
  const isRepeated = (group: ReadonlySet<number>, at: number) =>
    groups.some((other, otherAt) => {
      const isSmaller = other.size < group.size || (other.size === group.size && otherAt < at);
      return isSmaller && [...other].every((leaf) => group.has(leaf));
    });
  return groups.filter((group, at) => !isRepeated(group, at));
}

/** Returns the greatest score that each leaf gives by itself. */
function leafBounds(node: ScoreNode): (readonly [leaf: number, bound: number])[] {
  switch (node.kind) {
    case 'counted':
    case 'tested':
      return [[node.leaf, greatestScore(node, () => true)]];
    case 'best':
      return node.parts.flatMap(leafBounds);
    case 'sum':
      return [...node.must, ...node.should].flatMap(leafBounds);
  }
}

/**
 * Returns the greatest score of logs that match only some leaves; `unmatched` if none matches. Scores are added up in
 * the order of `compileScores`, so that no rounding takes one beyond it.
 */
function greatestScore(node: ScoreNode, isLeft: (leaf: number) => boolean): number {
  const greatest = (part: ScoreNode) => greatestScore(part, isLeft);
  switch (node.kind) {
    case 'counted':
      return isLeft(node.leaf) ? node.score(node.weight, maxFrequency, 0) : unmatched;
    case 'tested':
      return isLeft(node.leaf) ? node.weight : unmatched;
    case 'best':
      return Math.max(unmatched, ...node.parts.map(greatest));
    case 'sum': {
      const required = node.must.map(greatest);
      const optional = node.should.map(greatest).filter((score) => score !== unmatched);
      const needsOptional = required.length === 0 && 0 < node.should.length;
      if (required.includes(unmatched) || (needsOptional && optional.length === 0)) return unmatched;
      return Math.fround([...required, ...optional].reduce((total, score) => total + score, 0));
    }
  }
}
