import type { PhraseFilter, ScoreLeaf, Scorer, TermFilter } from '../../language/index.ts';
import type { Segment } from '../../word-index/index.ts';
import {
  chunkBits,
  chunkIds,
  type FoundTerm,
  fieldNumber,
  type IndexReader,
  lookUp,
} from '../../word-index/index.ts';
import { type ChunkLogs, compileScores, type ScoreInputs, setScores, unmatched } from './add-scores.ts';
import { addAll, addId, type Bitmap, countIds, eachId, emptyBitmap, keepOnly } from './bitmap.ts';
import { essentialLeaves, type LeafGroups } from './essential-leaves.ts';
import { openPhrase } from './phrase-cursor.ts';
import { type FrequencyCursor, openTerms } from './term-cursor.ts';

/** Reports if the index has the frequencies of all counted leaves: of terms and exact phrases in indexed fields. */
export function isCounted(leaves: readonly ScoreLeaf[]): boolean {
  return leaves.every((leaf) => leaf.kind === 'tested' || isIndexed(leaf.filter));
}

function isIndexed(filter: TermFilter | PhraseFilter): boolean {
  const isExact = filter.kind === 'term' || (filter.slop === 0 && 0 < filter.terms.length);
  return isExact && fieldNumber(filter.field) !== undefined;
}

/** Logs to score. */
export interface ScoredLogs {
  /** The index has the frequencies of its counted leaves: see `isCounted`. */
  readonly scorer: Scorer;
  /** The logs that were selected; undefined for those that match the scorer, if that selects: see `selectsLogs`. */
  readonly logs: Bitmap | undefined;
  /** The logs that match tested leaves, by leaf number. */
  readonly sets: ReadonlyMap<number, Bitmap>;
}

/** What to do with scores. */
export interface ScoreVisitor {
  /** Takes a log with its score; 0 if it was selected and does not match. */
  readonly visit: (id: number, score: number) => void;
  /** Returns the least score that is still wanted. */
  readonly least: () => number;
}

/** Visits indexed logs in the order of their ids; some whose score is not wanted may be missing. */
export async function scoreLogs(
  reader: IndexReader,
  { scorer: { root, leaves }, logs, sets }: ScoredLogs,
  { visit, least }: ScoreVisitor,
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
    const inSegment = found.map((terms) => terms.find((each) => each.segment === segment));
    const cursors = new Map(await openLeaves(reader, counted, inSegment));
    const otherwise = logs ? 0 : unmatched;
    const essential = essentialLeaves(root, { present: new Set([...cursors.keys(), ...matched]), otherwise });
    const search = { logs, segment, cursors, inputs, essential: () => essential(least()) };
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
  const asked = present.flatMap(({ leaf: { terms }, words }) =>
    words.map((term) => ({ found: term, needsPositions: 1 < terms.length })),
  );
  const cursors = await openTerms(reader, asked);
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
  made: Bitmap,
  leaves: ReadonlySet<number>,
  { inputs: { terms, sets }, chunk }: { readonly inputs: ScoreInputs; readonly chunk: number },
): void {
  made.words.fill(0);
  for (const leaf of leaves) {
    const set = sets.get(leaf);
    if (set) addAll(made, { ...set, words: wordsOf(set, chunk) });
    const cursor = terms.get(leaf);
    for (let index = 0; cursor && index < cursor.count(); index++) addId(made, cursor.lows[index] ?? 0);
  }
}
