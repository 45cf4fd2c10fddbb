import type { Field, Filter, FuzzyFilter } from '../../language/index.ts';
import { type Asked, countLogs, expandFuzzy } from '../log-source.ts';

/** A word, or several next to each other, and the number of logs that have it in a field. */
export interface WordCount {
  readonly words: readonly string[];
  readonly count: number;
}

/** Words searched in a field: one, or a phrase. */
export interface SearchedWords {
  readonly field: Field;
  readonly words: readonly string[];
}

/** Number of words that replace one, at most. */
const mostNear = 3;

/** Returns the words or phrases that a filter searches in text fields, each with its first field. */
export function searchedWords(filter: Filter): readonly SearchedWords[] {
  switch (filter.kind) {
    case 'term':
      return filter.field.type === 'text' ? [{ field: filter.field, words: [filter.term] }] : [];
    case 'phrase':
      return [{ field: filter.field, words: filter.terms }];
    case 'disMax':
      return filter.filters.slice(0, 1).flatMap(searchedWords);
    case 'bool':
      return [...filter.must, ...filter.should].flatMap(searchedWords);
    default:
      return [];
  }
}

/** Counts the logs of all cases that a filter selects. */
export async function countIn(
  cases: readonly Asked[],
  filter: Filter,
  signal?: AbortSignal,
): Promise<number> {
  let sum = 0;
  for (const each of cases) sum += await countLogs(each, filter, { signal });
  return sum;
}

/**
 * Finds words of a field that are near to searched ones and have logs, the most frequent first: by edit
 * distance, split in two, and joined. Stops early when `isLate` returns true.
 */
export async function findNearWords(
  cases: readonly Asked[],
  { field, words }: SearchedWords,
  isLate: () => boolean,
): Promise<readonly WordCount[]> {
  const candidates = candidatesOf(cases, { field, words });
  const found = new Map<string, WordCount>();
  for await (const each of candidates) {
    const key = each.join(' ');
    if (key !== words.join(' ') && !found.has(key))
      found.set(key, { words: each, count: await countIn(cases, wordsFilter(field, each)) });
    if (isLate()) break;
  }
  return [...found.values()]
    .filter(({ count }) => 0 < count)
    .sort((first, second) => second.count - first.count)
    .slice(0, mostNear);
}

async function* candidatesOf(
  cases: readonly Asked[],
  { field, words }: SearchedWords,
): AsyncGenerator<readonly string[]> {
  const joined = words.join('');
  if (1 < words.length) yield [joined];
  for (const near of await nearTerms(cases, field, joined)) yield [near];
  for (const [first, second] of words.length === 1 ? splitsOf(joined) : []) {
    // An empty list still lets the caller stop between two splits.
    yield words;
    if ((await countIn(cases, { kind: 'term', field, term: second })) === 0) continue;
    yield [first, second];
    for (const near of await nearTerms(cases, field, first)) yield [near, second];
  }
}

/** Shortest part of a split word. */
const shortest = 2;

/** Longest word that is split or compared: longer ones are ids. */
const longest = 24;

/** Returns the ways to split a word in two. */
function splitsOf(word: string): readonly (readonly [string, string])[] {
  const letters = [...word];
  if (longest < letters.length) return [];
  return letters
    .slice(shortest, 1 - shortest)
    .map((_, at) => [letters.slice(0, at + shortest).join(''), letters.slice(at + shortest).join('')]);
}

/** Returns the terms of a field nearest to a word, without the word itself. */
async function nearTerms(cases: readonly Asked[], field: Field, term: string): Promise<readonly string[]> {
  const { length } = [...term];
  if (length < 3 || longest < length) return [];
  const fuzzy: FuzzyFilter = {
    ...{ kind: 'fuzzy', field, term, edits: length < 6 ? 1 : 2 },
    maxExpansions: mostNear + 1,
  };
  const { filter } = await expandFuzzy(cases, { filter: fuzzy, boosts: new Map() });
  return filter.kind === 'fuzzy' ? (filter.expansion ?? []).filter((near) => near !== term) : [];
}

function wordsFilter(field: Field, words: readonly string[]): Filter {
  const [term = '', second] = words;
  return second === undefined
    ? { kind: 'term', field, term }
    : { kind: 'phrase', field, terms: words, slop: 0 };
}
