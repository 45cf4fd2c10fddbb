import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { PhraseFilter } from '../../meaning/filter.ts';
import type { TokenRun } from '../index-tables/runs.ts';
import type { IndexSlice } from '../index-tables/slices.ts';
import { lookUpTerms, type TermMatches } from './find-terms.ts';
import { bySlice } from './phrase-slices.ts';
import { phraseTerms } from './plan.ts';
import { sortPositions } from './sort-positions.ts';
import { listNumbers } from './term-entry.ts';

/** Occurrences of a word in the logs of a slice: an id and a position for each; none if the word is frequent. */
export interface WordPositions {
  /** First id of the slice. */
  readonly first: number;
  readonly ids: Uint32Array;
  readonly positions: Uint32Array;
}

/** Looks up the positions of the words of a phrase in some slices. */
export async function findWordPositions(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  { phrase, slices }: { readonly phrase: PhraseFilter; readonly slices: readonly IndexSlice[] },
): Promise<TermMatches<WordPositions>> {
  if (slices.length === 0) return new Map();
  const firsts = slices.map(({ firstId }) => firstId);
  // Listing the slices would take longer than reading those between them.
  const among = `first BETWEEN ${Math.min(...firsts)} AND ${Math.max(...firsts)}`;
  const columns = 'first, ids, positions';
  return lookUpTerms(connection, runs, phraseTerms(phrase), { columns, among, read: readPlaces });
}

function readPlaces(chunk: DuckDBDataChunk, row: number, others: number): WordPositions {
  const column = (index: number) => chunk.getColumnVector(others + index);
  return {
    first: Number(column(0).getItem(row)),
    ids: listNumbers(column(1), row),
    positions: listNumbers(column(2), row),
  };
}

/** Returns the logs of slices that have the words of a phrase in sequence. */
export function logsOfPhrase(
  phrase: PhraseFilter,
  slices: readonly IndexSlice[],
  found: TermMatches<WordPositions>,
): readonly number[] {
  const words = bySlice(phrase, found);
  return slices.flatMap(({ firstId }) => [...idsInSequence(firstId, wordsInSlice(words, firstId))]);
}

/** Returns the logs of slices that have the rarest word of a phrase: no others can have the phrase. */
export function logsOfRarest(
  phrase: PhraseFilter,
  slices: readonly IndexSlice[],
  found: TermMatches<WordPositions>,
): readonly number[] {
  const words = bySlice(phrase, found);
  return slices.flatMap(({ firstId }) => {
    const rarest = wordsInSlice(words, firstId).find(({ ids }) => 0 < ids.length);
    return rarest ? [...rarest.ids] : [];
  });
}

/** Positions of a word, with the number of words from it to the end of the phrase. */
interface SequencedWord extends WordPositions {
  readonly rest: number;
}

/** Sorts the words of a phrase in a slice, the rarest first. */
function wordsInSlice(
  words: readonly ReadonlyMap<number, WordPositions>[],
  first: number,
): readonly SequencedWord[] {
  const entries = words.flatMap((each, offset) => {
    const occurrences = each.get(first);
    return occurrences ? [{ ...occurrences, rest: words.length - offset }] : [];
  });
  return entries.sort((one, other) => one.ids.length - other.ids.length);
}

/** Returns the ids of a slice that have the words in sequence. */
function idsInSequence(first: number, [rarest, ...others]: readonly SequencedWord[]): Float64Array {
  let ends = rarest ? sortPositions(phraseEnds(first, rarest)) : new Float64Array();
  for (const word of others) ends = intersectSorted(ends, sortPositions(phraseEnds(first, word)));
  return ends.map((end) => first + Math.floor(end / idStep));
}

/** Computes the end of the phrase from each occurrence of a word. */
function phraseEnds(first: number, { ids, positions, rest }: SequencedWord): Float64Array {
  const ends = new Float64Array(ids.length);
  for (let at = 0; at < ends.length; at++)
    ends[at] = ((ids[at] ?? 0) - first) * idStep + (positions[at] ?? 0) + rest;
  return ends;
}

/** Intersects two sorted lists without duplicates. */
function intersectSorted(some: Float64Array, others: Float64Array): Float64Array {
  const shared = new Float64Array(some.length);
  let [at, count] = [0, 0];
  for (const number of others) {
    while ((some[at] ?? number) < number) at++;
    if (some[at] === number) shared[count++] = number;
  }
  return shared.subarray(0, count);
}

/** Positions are smaller: id and position are one number, exact since a slice has few ids. */
const idStep = 2 ** 32;
