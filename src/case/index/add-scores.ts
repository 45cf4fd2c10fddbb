import type { CountedNode, ScoreNode, SumNode } from '../../language/index.ts';
import { fromLengthByte } from '../../language/index.ts';
import { chunkIds } from '../../word-index/index.ts';
import { type Bitmap, hasId } from './bitmap.ts';
import type { FrequencyCursor } from './term-cursor.ts';

/** The logs of a chunk to score, by the last bits of their ids in ascending order. */
export interface ChunkLogs {
  readonly chunk: number;
  readonly lows: Uint16Array;
  readonly count: number;
}

/** The inputs of the scores, by the numbers of leaves. */
export interface ScoreInputs {
  /** Of counted leaves: their occurrences in the present chunk, if there are any. */
  readonly terms: ReadonlyMap<number, FrequencyCursor>;
  /** Of tested leaves: the logs that match. */
  readonly sets: ReadonlyMap<number, Bitmap>;
}

/**
 * Raises scores in an array by the last bits of ids to those of a part, where these are greater. Logs that do not match
 * keep theirs. Scores of logs that are not to be scored are undefined.
 */
export type RaiseScores = (logs: ChunkLogs, scores: Float64Array) => void;

/** The score of a log that does not match: no score is negative. */
export const unmatched = -1;

/** Sets the scores of some logs; those of others in the array have no meaning. */
export function setScores(scores: Float64Array, { lows, count }: ChunkLogs, score: number): void {
  for (let at = 0; at < count; at++) scores[lows[at] ?? 0] = score;
}

/** Compiles the computation of a score for the logs of a chunk, with the same results as `Scorer.score`. */
export function compileScores(node: ScoreNode, inputs: ScoreInputs): RaiseScores {
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
    nodes.map((each) => compileScores(each, inputs)),
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
    for (const each of required) addRequired(totals, evaluated(each, logs), logs);
    for (const each of optional) addOptional(totals, evaluated(each, logs), logs, needsOptional);
    for (const each of prohibited) dropMatching(totals, evaluated(each, logs), logs);
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
