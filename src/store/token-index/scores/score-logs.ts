import type { ScoreLeaf } from '../../../meaning/relevance/score-tree.ts';
import type { Scorer } from '../../../meaning/relevance/scorer.ts';
import { fieldNumber } from '../../segments/indexed-fields.ts';
import { type IndexReader, lookUp } from '../../segments/look-up.ts';
import { chunkBits, chunkIds } from '../../segments/posting-chunks.ts';
import type { Segment } from '../../segments/stored-segments.ts';
import { type Bitmap, eachId } from '../bitmap.ts';
import { type ChunkLogs, compileScores, type ScoreInputs, setScores, unmatched } from './add-scores.ts';
import { openTerms } from './term-cursor.ts';

/** Reports if the index has the frequencies of all counted leaves. */
export function isCounted(leaves: readonly ScoreLeaf[]): boolean {
  return leaves.every(
    ({ kind, filter }) =>
      kind === 'tested' || (filter.kind === 'term' && fieldNumber(filter.field) !== undefined),
  );
}

/** Logs to score. */
export interface ScoredLogs {
  /** All its counted leaves are terms of the index: see `isCounted`. */
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
  const counted = leaves.flatMap(({ kind, filter }, leaf) =>
    kind === 'counted' && filter.kind === 'term'
      ? [{ leaf, field: fieldNumber(filter.field) ?? 0, term: filter.term }]
      : [],
  );
  const found = await lookUp(reader, counted);
  const inputs: ScoreInputs = { terms: new Map(), sets };
  const raiseScores = compileScores(root, inputs);
  const scores = new Float64Array(chunkIds);
  for (const segment of reader.segments) {
    const terms = counted.flatMap(({ leaf }, index) => {
      const term = found[index]?.find((each) => each.segment === segment);
      return term ? [[leaf, term] as const] : [];
    });
    const cursors = await openTerms(
      reader,
      terms.map(([, term]) => term),
    );
    inputs.terms.clear();
    for (const [index, cursor] of cursors.entries()) {
      const [leaf] = terms[index] ?? [];
      if (leaf !== undefined) inputs.terms.set(leaf, cursor);
    }
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
