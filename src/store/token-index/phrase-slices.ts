import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { Phrase } from '../../meaning/filter.ts';
import type { TokenRun } from '../index-tables/runs.ts';
import type { Slice } from '../index-tables/slices.ts';
import { type Found, lookUp, termId } from './find-terms.ts';
import { wordsOf } from './plan.ts';

/** How often the logs of a slice have a word. */
export interface WordCount {
  /** The id at which the slice begins. */
  readonly first: number;
  readonly count: number;
  /** Whether it is frequent there: then the index has no positions of it. */
  readonly isFrequent: boolean;
}

/** How often slices have the words of phrases, of all of them at once: lists and sets would take most of the time. */
export function countWords(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  phrases: readonly Phrase[],
): Promise<Found<WordCount>> {
  const columns = 'first, count, bits IS NOT NULL';
  return lookUp(connection, runs, phrases.flatMap(wordsOf), { columns, read: readCount });
}

function readCount(chunk: DuckDBDataChunk, row: number, others: number): WordCount {
  const item = (index: number) => chunk.getColumnVector(others + index).getItem(row);
  return { first: Number(item(0)), count: Number(item(1)), isFrequent: item(2) === true };
}

/** A slice whose logs may have a phrase, since each of its words is there. */
export interface PhraseSlice extends Slice {
  /** How often the rarest word is there. */
  readonly fewest: number;
  /** How often its words are there, together. */
  readonly places: number;
  /** Whether one of them is frequent there. */
  readonly isFrequent: boolean;
}

/** How the logs are found that have a phrase. */
export interface PhraseSlices {
  /** By the positions of the words. */
  readonly compared: readonly PhraseSlice[];
  /** By their texts. */
  readonly lookedInto: readonly PhraseSlice[];
}

/**
 * To read a position and compare it takes as long as to look into so many texts that follow on: those that are alike are
 * looked into once, and by several threads.
 */
const textsForPlace = 16;

/** The slices in which a phrase may be, by what is quicker there. `starts` says where slices begin, of as many as known. */
export function slicesOf(
  phrase: Phrase,
  counts: Found<WordCount>,
  { runs, starts }: { readonly runs: readonly TokenRun[]; readonly starts: readonly number[] },
): PhraseSlices {
  const words = bySlice(phrase, counts);
  const ends = runs.map(({ lastId }) => lastId + 1);
  const firsts = words.flatMap((word) => [...word.keys()]);
  const bounds = [...new Set([...starts, ...firsts, ...ends])].sort((one, other) => one - other);
  const shared = bounds.flatMap((first, index) => sharedSlice(words, first, bounds[index + 1]));
  const placed = shared.filter(({ isFrequent }) => !isFrequent);
  const texts = sum(placed.map(({ firstId, lastId }) => lastId + 1 - firstId));
  // One question reads the positions in all of the slices, so all of them go one way.
  if (texts <= textsForPlace * sum(placed.map(({ places }) => places)))
    return { compared: [], lookedInto: shared };
  return { compared: placed, lookedInto: shared.filter(({ isFrequent }) => isFrequent) };
}

/** The slice that begins with an id, where it has all words; it ends before the next one that is known. */
function sharedSlice(
  words: readonly ReadonlyMap<number, WordCount>[],
  firstId: number,
  next = firstId + 1,
): readonly PhraseSlice[] {
  const entries = words.flatMap((word) => word.get(firstId) ?? []);
  if (entries.length < words.length) return [];
  const counts = entries.map(({ count }) => count);
  return [
    {
      ...{ firstId, lastId: next - 1, fewest: Math.min(...counts), places: sum(counts) },
      isFrequent: entries.some((each) => each.isFrequent),
    },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** What was found of each word of a phrase, in their order, by where the slices begin. */
export function bySlice<T extends { readonly first: number }>(
  { field, terms }: Phrase,
  found: Found<T>,
): readonly ReadonlyMap<number, T>[] {
  return terms.map((term) => {
    const entries = found.get(termId({ field, term })) ?? [];
    return new Map(entries.map((entry) => [entry.first, entry]));
  });
}
