import type { PhraseFilter, TermFilter } from '../../../meaning/filter.ts';
import type { ScoreLeaf } from '../../../meaning/relevance/score-tree.ts';
import type { Scorer } from '../../../meaning/relevance/scorer.ts';
import { fieldNumber } from '../../segments/indexed-fields.ts';
import { type FoundTerm, type IndexReader, lookUp } from '../../segments/look-up.ts';
import { chunkBits, chunkIds } from '../../segments/posting-chunks.ts';
import type { Segment } from '../../segments/stored-segments.ts';
import { type Bitmap, eachId } from '../bitmap.ts';
import { type ChunkLogs, compileScores, type ScoreInputs, setScores, unmatched } from './add-scores.ts';
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
  readonly logs: Bitmap;
  /** The logs that match tested leaves, by leaf number. */
  readonly sets: ReadonlyMap<number, Bitmap>;
}

/** Visits indexed logs in the order of their ids, each with its score; 0 if it does not match. */
export async function scoreLogs(
  reader: IndexReader,
  { scorer: { root, leaves }, logs, sets }: ScoredLogs,
  visit: (id: number, score: number) => void,
): Promise<void> {
  const counted = leaves.flatMap((leaf, number) =>
    leaf.kind === 'counted' ? [toCountedLeaf(leaf.filter, number)] : [],
  );
  const found = await lookUp(
    reader,
    counted.flatMap(({ field, words }) => words.map((term) => ({ field, term }))),
  );
  const inputs: ScoreInputs = { terms: new Map(), sets };
  const raiseScores = compileScores(root, inputs);
  const scores = new Float64Array(chunkIds);
  for (const segment of reader.segments) {
    const inSegment = found.map((terms) => terms.find((each) => each.segment === segment));
    inputs.terms.clear();
    for (const [leaf, cursor] of await openLeaves(reader, counted, inSegment)) inputs.terms.set(leaf, cursor);
    for (const some of chunksWith(logs, segment)) {
      setScores(scores, some, unmatched);
      raiseScores(some, scores);
      for (let at = 0; at < some.count; at++) {
        const low = some.lows[at] ?? 0;
        visit(some.chunk * chunkIds + low, Math.max(0, scores[low] ?? 0));
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

/** Yields the chunks of a segment that have some logs, each in the same memory. */
function* chunksWith(logs: Bitmap, { firstId, lastId }: Segment): Generator<ChunkLogs, void, undefined> {
  const lows = new Uint16Array(chunkIds);
  const wordsOfChunk = chunkIds / 32;
  for (let chunk = firstId >>> chunkBits; chunk <= lastId >>> chunkBits; chunk++) {
    const base = chunk * chunkIds;
    let count = 0;
    const add = (id: number) => {
      // A segment may begin and end within a chunk.
      if (firstId <= id && id <= lastId) lows[count++] = id - base;
    };
    const fromWord = chunk * wordsOfChunk;
    eachId(logs, add, { fromWord, toWord: Math.min(logs.words.length, fromWord + wordsOfChunk) });
    if (0 < count) yield { chunk, lows, count };
  }
}
