import type { PhraseFilter } from '../../language/index.ts';
import { filterKey } from '../../language/index.ts';
import type { ByteRange } from '../../word-index/index.ts';
import {
  chunkIds,
  chunkOf,
  type FoundTerm,
  fieldNumber,
  type IndexReader,
  joinRanges,
  logsInSequence,
  lookUp,
  lowsOfBits,
  type PostingChunk,
  positionsRange,
  readPostings,
  readPostingsOf,
} from '../../word-index/index.ts';
import { addBytes, bitsFor, emptyBitmap } from './bitmap.ts';
import { type LogSet, mostListed, setOfBits, setOfFew } from './log-set.ts';

/** What to find of phrases. */
export interface PhraseOptions {
  readonly lastId: number;
  /** Chunks of ids to compare positions in; all if not given. */
  readonly chunks: ReadonlySet<number> | undefined;
}

/**
 * Finds the logs with the words of phrases in sequence, by the positions of the words. All words are looked up at
 * once. Returns sets by `filterKey`, with ids up to `lastId`, and in some chunks of ids only if they are given.
 */
export async function findPhrases(
  reader: IndexReader,
  phrases: readonly PhraseFilter[],
  options: PhraseOptions,
): Promise<ReadonlyMap<string, LogSet>> {
  const asked = phrases.flatMap(({ field, terms }) =>
    terms.map((term) => ({ field: fieldNumber(field) ?? 0, term })),
  );
  const found = await lookUp(reader, asked);
  const sets = new Map<string, LogSet>();
  let next = 0;
  for (const phrase of phrases) {
    const words = found.slice(next, next + phrase.terms.length);
    next += phrase.terms.length;
    sets.set(filterKey(phrase), await logsOfPhrase(reader, words, options));
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
    .map((segment) => words.flatMap((found) => found.find((each) => each.segment === segment) ?? []))
    .filter((terms) => terms.length === words.length);
  const most = bySegment.reduce((sum, terms) => sum + fewestLogs(terms), 0);
  const made = most <= mostListed ? collectFew(bitsFor(lastId)) : collectMany(bitsFor(lastId));
  for (const terms of bySegment) await addPhrase(made, reader, terms, chunks);
  return made.finish();
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
  const made = emptyBitmap(bits);
  return {
    add: (chunk, added) => addBytes(made, added, chunk * chunkIds),
    finish: () => setOfBits(made),
  };
}

/** A set of all logs takes longer to make, to count and to read than a few of them to find. */
function collectFew(bits: number): ChunkCollector {
  const ids: number[] = [];
  const lows = new Uint16Array(chunkIds);
  return {
    add: (chunk, added) => {
      const count = lowsOfBits(added, lows);
      for (const low of lows.subarray(0, count)) ids.push(chunk * chunkIds + low);
    },
    finish: () => setOfFew(Uint32Array.from(ids), bits),
  };
}

/** Chunks whose positions are read by one statement. */
const chunksAtOnce = 256;

/** Adds the logs of one segment that have the terms in sequence. */
async function addPhrase(
  made: ChunkCollector,
  reader: IndexReader,
  terms: readonly FoundTerm[],
  wanted: PhraseOptions['chunks'],
): Promise<void> {
  const postings = await readPostingsOf(reader, terms);
  const words = terms.map((term, offset) => ({
    ...{ offset, term },
    chunks: chunksOfTerm(term, postings[offset] ?? new Uint8Array()),
  }));
  words.sort((first, second) => first.term.entry.logs - second.term.entry.logs);
  const [rarest, ...others] = words;
  const shared = [...(rarest?.chunks.keys() ?? [])].filter(
    (number) => (wanted?.has(number) ?? true) && others.every(({ chunks }) => chunks.has(number)),
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
      if (bits) made.add(number, bits);
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
  const made = new Map<number, PlacedChunk>();
  let at = 0;
  for (const chunk of only
    ? [chunkOf(only.id, only.positions.length)]
    : readPostings(postings, segment.firstId)) {
    made.set(chunk.chunk, { chunk, positions: { at, length: chunk.positionBytes } });
    at += chunk.positionBytes;
  }
  return made;
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
