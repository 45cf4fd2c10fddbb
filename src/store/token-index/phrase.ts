import type { PhraseFilter } from '../../meaning/filter.ts';
import { fieldNumber } from '../segments/indexed-fields.ts';
import {
  type FoundTerm,
  type IndexReader,
  lookUp,
  positionsRange,
  readPostingsOf,
} from '../segments/look-up.ts';
import type { SegmentRange } from '../segments/page-cache.ts';
import {
  chunkBits,
  chunkBytes,
  chunkIds,
  chunkOf,
  lowsOf,
  type PostingChunk,
  readPostings,
  skipPositions,
} from '../segments/posting-chunks.ts';
import { addId, type Bitmap, bitsFor, emptyBitmap } from './bitmap.ts';

/** Finds the logs with the words of a phrase in sequence, by the positions of the words. */
export async function logsOfPhrase(
  reader: IndexReader,
  { field, terms }: PhraseFilter,
  lastId: number,
): Promise<Bitmap> {
  const words = [...new Set(terms)];
  const number = fieldNumber(field) ?? 0;
  const found = await lookUp(
    reader,
    words.map((term) => ({ field: number, term })),
  );
  const made = emptyBitmap(bitsFor(lastId));
  for (const segment of reader.segments) {
    const entries = found.flatMap((each) => each.filter((entry) => entry.segment === segment));
    if (entries.length < words.length) continue;
    const slots = terms.flatMap((term) => entries[words.indexOf(term)] ?? []);
    await addPhrase(made, reader, slots);
  }
  return made;
}

/** Adds the logs of one segment that have the terms in sequence. */
async function addPhrase(made: Bitmap, reader: IndexReader, slots: readonly FoundTerm[]): Promise<void> {
  const words = [...new Set(slots)];
  const postings = await readPostingsOf(reader, words);
  const shared = sharedChunks(
    words.map((word, index) => chunksOfWord(word, postings[index] ?? new Uint8Array())),
  );
  for (let at = 0; at < shared.length; at += chunksAtOnce) {
    const some = shared.slice(at, at + chunksAtOnce);
    const ranges = some.flatMap(({ words }) => words.map(({ positions }) => positions));
    const bytes = await reader.cache.read(reader.connection, ranges);
    let next = 0;
    for (const { candidates, words } of some) {
      const places = new Map(
        words.map((word, index) => [
          word.term,
          { ...word, bytes: word.only ?? bytes[next + index] ?? new Uint8Array() },
        ]),
      );
      next += words.length;
      addInSequence(
        made,
        candidates,
        slots.flatMap((slot) => places.get(slot) ?? []),
      );
    }
  }
}

/** Chunks whose positions are read by one statement. */
const chunksAtOnce = 64;

/** A chunk in which all words occur in some logs. */
interface SharedChunk {
  /** The bits of those logs. */
  readonly candidates: Uint8Array;
  readonly words: readonly WordChunk[];
}

/** A word in a chunk. */
interface WordChunk {
  readonly term: FoundTerm;
  readonly chunk: PostingChunk;
  readonly positions: SegmentRange;
  /** The positions if they need not be read. */
  readonly only?: Uint8Array | undefined;
}

function sharedChunks(words: readonly ReadonlyMap<number, WordChunk>[]): readonly SharedChunk[] {
  const [rarest, ...others] = [...words].sort((first, second) => first.size - second.size);
  return [...(rarest?.values() ?? [])].flatMap((first) => {
    const same = [first, ...others.flatMap((chunks) => chunks.get(first.chunk.chunk) ?? [])];
    const candidates = same.length < words.length ? undefined : commonBits(same.map(({ chunk }) => chunk));
    return candidates ? [{ candidates, words: same }] : [];
  });
}

/** Returns the chunks of a word by their numbers. */
function chunksOfWord(term: FoundTerm, postings: Uint8Array): ReadonlyMap<number, WordChunk> {
  const { segment, at } = positionsRange(term);
  const { only } = term.entry;
  const chunks = only ? [chunkOf(only.id, 0)] : readPostings(postings);
  const made = new Map<number, WordChunk>();
  let offset = at;
  for (const chunk of chunks) {
    const positions = { segment, at: offset, length: chunk.positionBytes };
    made.set(chunk.chunk, { term, chunk, positions, only: only?.positions });
    offset += chunk.positionBytes;
  }
  return made;
}

/** Returns the bits of the logs that all chunks have; undefined if there are none. */
function commonBits(chunks: readonly PostingChunk[]): Uint8Array | undefined {
  const common = new Uint8Array(chunkBytes).fill(0xff);
  for (const chunk of chunks) {
    const bits = chunk.isDense ? chunk.logs : bitsOf(chunk);
    for (let at = 0; at < chunkBytes; at++) common[at] = (common[at] ?? 0) & (bits[at] ?? 0);
  }
  return common.some((byte) => byte !== 0) ? common : undefined;
}

const lowsOfChunk = new Uint16Array(chunkIds);

function bitsOf(chunk: PostingChunk): Uint8Array {
  const bits = new Uint8Array(chunkBytes);
  const count = lowsOf(chunk, lowsOfChunk);
  for (let at = 0; at < count; at++) {
    const low = lowsOfChunk[at] ?? 0;
    bits[low >>> 3] = (bits[low >>> 3] ?? 0) | (0x80 >>> (low & 7));
  }
  return bits;
}

/** Adds the candidates of a chunk in which the words, in the order of the phrase, follow each other. */
function addInSequence(
  made: Bitmap,
  candidates: Uint8Array,
  words: readonly (WordChunk & { readonly bytes: Uint8Array })[],
): void {
  const byLength = words.map((word, offset) => ({ word, offset }));
  byLength.sort((first, second) => first.word.bytes.length - second.word.bytes.length);
  let starts: readonly number[] | undefined;
  for (const { word, offset } of byLength) {
    const own = phraseStarts(word.chunk, word.bytes, candidates, offset);
    starts = starts ? intersectSorted(starts, own) : own;
    if (starts.length === 0) return;
  }
  const base = (words[0]?.chunk.chunk ?? 0) << chunkBits;
  for (const start of starts ?? []) addId(made, base + Math.floor(start / logStep));
}

/** Positions are smaller: log and position are one number. */
const logStep = 2 ** 33;

/** Returns where the phrase starts if a word is `offset` words after it: ascending, of candidates only. */
function phraseStarts(
  chunk: PostingChunk,
  bytes: Uint8Array,
  candidates: Uint8Array,
  offset: number,
): readonly number[] {
  const starts: number[] = [];
  const count = lowsOf(chunk, lowsOfChunk);
  for (let index = 0, at = 0; index < count; index++) {
    const low = lowsOfChunk[index] ?? 0;
    if (((candidates[low >>> 3] ?? 0) & (0x80 >>> (low & 7))) === 0) {
      at = skipPositions(bytes, at);
      continue;
    }
    let position = -1;
    for (let isLast = false; !isLast; ) {
      let [number, factor] = [0, 1];
      for (let byte = 0x80; 0x80 <= byte; factor *= 0x80) {
        byte = bytes[at++] ?? 0;
        number += (byte % 0x80) * factor;
      }
      position += 1 + Math.floor(number / 2);
      isLast = number % 2 === 0;
      if (offset <= position) starts.push(low * logStep + position - offset);
    }
  }
  return starts;
}

/** Intersects two sorted lists. */
function intersectSorted(some: readonly number[], others: readonly number[]): readonly number[] {
  const shared: number[] = [];
  let at = 0;
  for (const number of others) {
    while ((some[at] ?? number) < number) at++;
    if (some[at] === number) shared.push(number);
  }
  return shared;
}
