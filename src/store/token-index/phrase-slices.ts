import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { PhraseFilter } from '../../meaning/filter.ts';
import type { TokenRun } from '../index-tables/runs.ts';
import type { IndexSlice } from '../index-tables/slices.ts';
import { lookUpTerms, type TermMatches, termId } from './find-terms.ts';
import { phraseTerms } from './plan.ts';

/** Number of occurrences of a word in the logs of a slice. */
export interface SliceWordCount {
  /** First id of the slice. */
  readonly first: number;
  readonly count: number;
  /** Frequent words have no positions in the index. */
  readonly isFrequent: boolean;
}

/**
 * Looks up the counts of all words of phrases by slice. Reading lists and sets as well would take most of the
 * time.
 */
export function countWords(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  phrases: readonly PhraseFilter[],
): Promise<TermMatches<SliceWordCount>> {
  const columns = 'first, count, bits IS NOT NULL';
  return lookUpTerms(connection, runs, phrases.flatMap(phraseTerms), { columns, read: readCount });
}

function readCount(chunk: DuckDBDataChunk, row: number, others: number): SliceWordCount {
  const item = (index: number) => chunk.getColumnVector(others + index).getItem(row);
  return { first: Number(item(0)), count: Number(item(1)), isFrequent: item(2) === true };
}

/** A slice whose logs may have a phrase, since all its words occur there. */
export interface PhraseSlice extends IndexSlice {
  /** Occurrences of the rarest word. */
  readonly fewest: number;
  /** Occurrences of all words. */
  readonly positionCount: number;
  /** One of the words is frequent there. */
  readonly isFrequent: boolean;
}

/** Slices by the way in which a phrase is searched. */
export interface PhraseSlices {
  /** By the positions of the words. */
  readonly compared: readonly PhraseSlice[];
  /** By their texts. */
  readonly lookedInto: readonly PhraseSlice[];
}

/**
 * Reading and comparing a position takes as long as scanning this many consecutive texts. Equal texts are
 * scanned once, and by several threads.
 */
const textsPerPosition = 16;

/**
 * Divides the slices that may have a phrase by the faster way to search each. `starts` has the known first ids
 * of slices.
 */
export function slicesOf(
  phrase: PhraseFilter,
  counts: TermMatches<SliceWordCount>,
  { runs, starts }: { readonly runs: readonly TokenRun[]; readonly starts: readonly number[] },
): PhraseSlices {
  const words = bySlice(phrase, counts);
  const ends = runs.map(({ lastId }) => lastId + 1);
  const firsts = words.flatMap((word) => [...word.keys()]);
  const bounds = [...new Set([...starts, ...firsts, ...ends])].sort((one, other) => one - other);
  const shared = bounds.flatMap((first, index) => sharedSlice(words, first, bounds[index + 1]));
  const withPositions = shared.filter(({ isFrequent }) => !isFrequent);
  const texts = sum(withPositions.map(({ firstId, lastId }) => lastId + 1 - firstId));
  // One statement reads the positions in all slices, so all of them are searched in one way.
  if (texts <= textsPerPosition * sum(withPositions.map(({ positionCount: places }) => places)))
    return { compared: [], lookedInto: shared };
  return { compared: withPositions, lookedInto: shared.filter(({ isFrequent }) => isFrequent) };
}

/** Returns the slice from an id up to the next known one, if all words occur there. */
function sharedSlice(
  words: readonly ReadonlyMap<number, SliceWordCount>[],
  firstId: number,
  next = firstId + 1,
): readonly PhraseSlice[] {
  const entries = words.flatMap((word) => word.get(firstId) ?? []);
  if (entries.length < words.length) return [];
  const counts = entries.map(({ count }) => count);
  return [
    {
      ...{ firstId, lastId: next - 1, fewest: Math.min(...counts), positionCount: sum(counts) },
      isFrequent: entries.some((each) => each.isFrequent),
    },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the matches of each word of a phrase, in order, by the first id of the slice. */
export function bySlice<T extends { readonly first: number }>(
  { field, terms }: PhraseFilter,
  found: TermMatches<T>,
): readonly ReadonlyMap<number, T>[] {
  return terms.map((term) => {
    const entries = found.get(termId({ field, term })) ?? [];
    return new Map(entries.map((entry) => [entry.first, entry]));
  });
}
