import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findInBlock,
  rangeWith,
  readFirstTerms,
  type TermEntry,
} from '../../../src/word-index/dictionary.ts';
import {
  chunkOf,
  logsInSequence,
  type PostingChunk,
  readPostings,
  type WordInChunk,
} from '../../../src/word-index/postings.ts';
import { startCollecting } from '../../../src/word-index/segment-maker.ts';
import { rounds } from '../../effort.ts';
import { joinSections } from './joined-sections.ts';

const batchLogs = 512;

/** Indexes texts, whose ids are 0, 1, 2 and so on; returns the first chunk of each of some words, with its positions. */
function chunksOf(texts: readonly string[], words: readonly string[]) {
  const collector = startCollecting(1, texts.length);
  for (let from = 0; from < texts.length; from += batchLogs) {
    const lines = texts
      .slice(from, from + batchLogs)
      .map((text, index) => `${from + index}\u001f${text === '' ? '' : ` ${text} `}\u001f`);
    collector.addLogs(from / batchLogs, Buffer.from(lines.join('')));
  }
  const [field] = joinSections(collector.finish().fields);
  if (!field) throw new Error('No field was made');
  return words.map((word) => {
    const term = Buffer.from(word);
    const page = readFirstTerms(field.top);
    const { at, length } = rangeWith(page, term);
    const block = rangeWith(readFirstTerms(field.pages.subarray(at, at + length)), term);
    const entry = findInBlock(field.blocks.subarray(block.at, block.at + block.length), term, 0);
    return entry && chunkWithPositions(entry, field.postings, field.positions);
  });
}

function chunkWithPositions({ only, postings, positions }: TermEntry, ...[logs, places]: Uint8Array[]) {
  if (only) return { chunk: chunkOf(only.id, only.positions.length), positions: only.positions };
  const bytes = (logs ?? new Uint8Array()).subarray(postings.at, postings.at + postings.length);
  const [chunk] = readPostings(bytes, 0);
  const end = positions.at + (chunk?.positionBytes ?? 0);
  return chunk && { chunk, positions: (places ?? new Uint8Array()).subarray(positions.at, end) };
}

/** Returns the logs of a phrase as the program finds them; a word that no log has makes it impossible. */
function found(texts: readonly string[], phrase: readonly string[]): readonly number[] {
  const chunks: readonly ({ chunk: PostingChunk; positions: Uint8Array } | undefined)[] = chunksOf(
    texts,
    phrase,
  );
  const words = chunks.flatMap((each, offset): WordInChunk[] => (each ? [{ offset, ...each }] : []));
  if (words.length < phrase.length) return [];
  words.sort((one, other) => one.positions.length - other.positions.length);
  const bits = logsInSequence(words);
  return texts.flatMap((_, id) => ((bits?.[id >>> 3] ?? 0) & (0x80 >>> (id & 7)) ? [id] : []));
}

const expected = (texts: readonly string[], phrase: readonly string[]) =>
  texts.flatMap((text, id) => (` ${text} `.includes(` ${phrase.join(' ')} `) ? [id] : []));

const others = (count: number) => Array.from({ length: count }, () => 'z').join(' ');

/** Words of phrases, and others between them, so that gaps take one byte, two or three. */
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 2, arbitrary: fc.constantFrom(1, 2, 61, 62, 63, 64, 65, 130).map(others) },
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '));
const longText = fc
  .tuple(text, fc.constantFrom(8190, 8191, 8192, 8193), text)
  .map(([before, count, after]) => `${before} ${others(count)} ${after}`.trim());

/** Few logs, or more than fit into gaps, with the same ones again and again. */
const texts = fc
  .tuple(
    fc.array(text, { minLength: 1, maxLength: 9 }),
    fc.constantFrom(1, 3, 70, 400),
    fc.array(longText, { maxLength: 2 }),
  )
  .map(([some, times, long]) =>
    [...Array.from({ length: times }, () => some).flat(), ...long, ...some].slice(0, 4096),
  );
const phrase = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 5 });

test('just the logs with the words in sequence are found, with words often or rarely, early or late', () => {
  fc.assert(
    fc.property(texts, fc.array(phrase, { minLength: 1, maxLength: 4 }), (all, phrases) => {
      for (const each of phrases) expect(found(all, each)).toEqual(expected(all, each));
    }),
    { numRuns: rounds(60) },
  );
});

test('a phrase does not begin before its text', () => {
  expect(found([`a ${others(63)} b`], ['b', 'a'])).toEqual([]);
  expect(found([`a ${others(63)} b a`], ['b', 'a'])).toEqual([0]);
});

test('postings that are cut are refused', () => {
  const all = Array.from({ length: 40 }, () => 'a b');
  const [first, second] = chunksOf(all, ['a', 'b']);
  if (!first || !second) throw new Error('A word is missing');
  const cut = { ...second.chunk, logs: second.chunk.logs.subarray(0, 20) };
  expect(() =>
    logsInSequence([
      { offset: 0, ...first },
      { offset: 1, chunk: cut, positions: new Uint8Array() },
    ]),
  ).toThrow(RangeError);
});
