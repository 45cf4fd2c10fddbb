import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toLengthByte } from '../../../src/language/meaning/score.ts';
import {
  type ByteRange,
  findInBlock,
  rangeWith,
  readFirstTerms,
  type TermEntry,
  TermReader,
} from '../../../src/word-index/dictionary.ts';
import {
  chunkOf,
  lowBits,
  positionsOf,
  readPostings,
  skipPositions,
} from '../../../src/word-index/postings.ts';
import { batchBits, startCollecting } from '../../../src/word-index/segment-maker.ts';
import type { Segment, SegmentField } from '../../../src/word-index/stored-segments.ts';
import { readLengths } from '../../../src/word-index/term-cursor.ts';
import { rounds } from '../../effort.ts';
import { type JoinedField, joinSections } from './joined-sections.ts';

/** Words of each field of a log. */
type Texts = readonly (readonly string[])[];
type NumberedTexts = readonly (readonly [id: number, texts: Texts])[];
type Occurrences = ReadonlyMap<number, readonly number[]>;

/** Occurrences of each term of a field by log, computed in the simplest way. */
function expectedTerms(all: NumberedTexts, field: number): Map<string, Occurrences> {
  const made = new Map<string, Map<number, number[]>>();
  for (const [id, texts] of all)
    for (const [position, word] of (texts[field] ?? []).entries()) {
      const logs = made.get(word) ?? new Map<number, number[]>();
      made.set(word, logs.set(id, [...(logs.get(id) ?? []), position]));
    }
  return new Map([...made].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
}

const part = (bytes: Uint8Array, { at, length }: ByteRange) => bytes.subarray(at, at + length);

/** Reads all terms of a field as they are stored. */
function storedTerms(field: JoinedField, firstId = 0): Map<string, Occurrences> {
  const made = new Map<string, Occurrences>();
  const reader = new TermReader(field.blocks, firstId);
  while (reader.next()) {
    const logs = occurrencesOf(field, reader.entry(), firstId);
    expect(reader.logs).toBe(logs.size);
    made.set(reader.text(), logs);
  }
  expect(reader.read).toBe(field.blocks.length);
  return made;
}

function occurrencesOf(
  field: JoinedField,
  { only, postings, positions }: TermEntry,
  firstId: number,
): Occurrences {
  const logs = new Map<number, readonly number[]>();
  const lows = new Uint16Array(4096);
  let stored = only?.positions ?? part(field.positions, positions);
  for (const chunk of only
    ? [chunkOf(only.id, stored.length)]
    : readPostings(part(field.postings, postings), firstId)) {
    const places = positionsOf(chunk, stored.subarray(0, chunk.positionBytes));
    let at = 0;
    for (const low of lows.subarray(0, lowBits(chunk, lows))) {
      const end = skipPositions(places, at);
      logs.set(chunk.chunk * 4096 + low, numbersOf(places.subarray(at, end)));
      at = end;
    }
    expect(at).toBe(places.length);
    stored = stored.subarray(chunk.positionBytes);
  }
  expect(stored).toHaveLength(0);
  return logs;
}

function numbersOf(bytes: Uint8Array): readonly number[] {
  const positions: number[] = [];
  for (let at = 0, before = -1; at < bytes.length; ) {
    let [value, factor] = [0, 1];
    for (let byte = 0x80; byte >= 0x80; factor *= 0x80) {
      byte = bytes[at++] ?? 0;
      value += (byte % 0x80) * factor;
    }
    before += 1 + Math.floor(value / 2);
    positions.push(before);
    expect(value % 2 === 1).toBe(at < bytes.length);
  }
  return positions;
}

const lineOf = (id: number, texts: Texts) => [String(id), ...texts.map(textOf), ''].join('\u001f');

/** A text with these words: ASCII as it is, in upper case too, any other cut before. */
function textOf(words: readonly string[]): string {
  const text = words.join(' ');
  if (/^[\0-\x7f]*$/.test(text)) return text.toUpperCase().replaceAll(' ', ', ');
  return `\u0080 ${text} `;
}

/** Collects logs in batches, in each of them in an order of its own. */
function collect(all: NumberedTexts, fields = 2, firstId = 0) {
  const collector = startCollecting(fields, all.length, firstId);
  const batches = new Map<number, string[]>();
  for (const [id, texts] of all) {
    const batch = id >>> batchBits;
    if (!batches.has(batch)) batches.set(batch, []);
    batches.get(batch)?.push(lineOf(id, texts));
  }
  for (const [batch, lines] of batches) {
    collector.addLogs(batch, Buffer.from((batch % 2 === 0 ? lines : lines.reverse()).join('')));
  }
  const { fields: made, ...logs } = collector.finish();
  return { ...logs, fields: joinSections(made) };
}

/** Reads the length of a field in each log as it is stored in a segment from an id on. */
async function storedLengths(field: JoinedField, all: NumberedTexts, firstId: number) {
  const lastId = all.at(-1)?.[0] ?? firstId;
  const facts = { segment: 1, firstId, lastId, logs: all.length, tokens: field.tokens };
  const segment: Segment = { ...facts, fields: [], checksums: [] };
  const none = { at: 0, length: 0 };
  const stored: SegmentField = {
    tokens: field.tokens,
    documents: field.documents,
    top: { terms: [], ranges: [], kinds: [] },
    pages: none,
    blocks: none,
    postings: none,
    positions: none,
    lengths: { at: 0, length: field.lengths.length },
  };
  const chunks = [...new Set(all.map(([id]) => id >>> 12))];
  const [read] = await readLengths(
    async (ranges) => ranges.map((range) => part(field.lengths, range)),
    [{ segment, field: stored, chunks }],
  );
  return all.map(([id]) => {
    const found = read?.get(id >>> 12);
    return typeof found === 'number' ? found : found?.[id % 4096];
  });
}

/** Words that occur often, rarely, and share prefixes; gaps between ids that leave chunks out. */
const word = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'b', 'ab', 'abcdefgh', 'abcdefghi', 'ä', '日本', '\u{10348}', '\uffff'),
  },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z0-9]{1,255}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^(0123456)?[0-9a-f]{1,40}g?$/) },
);
const words = fc.array(word, { maxLength: 20 });
const logs = fc
  .array(fc.tuple(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(9000)), fc.tuple(words, words)), {
    maxLength: 60,
  })
  .map((items) => {
    let id = 0;
    return items.map(([gap, texts]) => {
      id += 1 + gap;
      return [id, texts] as const;
    });
  });

test('the postings of each field are those of the texts of the logs', () => {
  fc.assert(
    fc.property(logs, fc.nat(20_000), fc.nat(5000), (some, rest, before) => {
      const all = some.map(([id, texts]) => [id + rest + before, texts] as const);
      const made = collect(all, 2, rest);
      expect([made.logs, made.lastId]).toEqual([all.length, all.at(-1)?.[0] ?? 0]);
      for (const [number, field] of made.fields.entries()) {
        expect(storedTerms(field, rest)).toEqual(expectedTerms(all, number));
        expect(field.tokens).toBe(all.reduce((sum, [, texts]) => sum + (texts[number]?.length ?? 0), 0));
      }
    }),
    { numRuns: rounds(100) },
  );
});

test('the lengths of each field are those of the texts, chunks of one length take two bytes', async () => {
  const asked = fc.record({ all: logs, more: fc.constantFrom(0, 1, 30, 600), rest: fc.nat(5000) });
  await fc.assert(
    fc.asyncProperty(asked, async ({ all, more, rest }) => {
      // Lengths beyond those with a byte of their own, and chunks before and after the logs.
      const longer = all.map(([id, [some = [], ...others]]): NumberedTexts[number] => {
        return [
          id + rest,
          [[...some, ...Array.from({ length: id % 3 === 0 ? more : 0 }, () => 'a')], ...others],
        ];
      });
      const firstId = Math.min(rest, longer[0]?.[0] ?? rest);
      for (const [number, field] of collect(longer, 2, firstId).fields.entries()) {
        const lengths = longer.map(([, texts]) => texts[number]?.length ?? 0);
        expect(await storedLengths(field, longer, firstId)).toEqual(lengths.map(toLengthByte));
        expect(field.documents).toBe(lengths.filter((length) => 0 < length).length);
      }
    }),
    { numRuns: rounds(100) },
  );
  const same = Array.from({ length: 8191 }, (_, index) => [index + 1, [['x', 'y'], []]] as const);
  expect(collect(same).fields.map(({ lengths }) => lengths.length)).toEqual([4 + 4096, 4]);
});

test('dense chunks are stored as bits', () => {
  const all = Array.from(
    { length: 10_000 },
    (_, index) => [index + 5, [index % 9 ? ['x', 'x'] : ['y', 'x'], []]] as const,
  );
  const [field] = collect(all).fields;
  expect(field && storedTerms(field)).toEqual(expectedTerms(all, 0));
});

test('positions take no bytes of first words, one if a chunk shares it, half a byte up to 15', () => {
  const texts: readonly Texts[] = [
    [['x'], ['y', 'x']],
    [['x'], ['y']],
    [['x', 'x'], ['y']],
  ];
  const all = texts.flatMap((each, index) => [
    [index * 4096 + 1, each] as const,
    [index * 4096 + 2, each] as const,
  ]);
  const made = collect(all).fields;
  expect(made.map((field) => storedTerms(field))).toEqual([expectedTerms(all, 0), expectedTerms(all, 1)]);
  // Twice two in the third chunk; the second word of both logs of the first chunk.
  expect(made.map(({ positions }) => positions.length)).toEqual([4, 1]);
  const at = (...places: readonly number[]) =>
    places.map((place, index) => [index, [[...Array<string>(place).fill('y'), 'x'], []]] as const);
  const bytesOfX = (...places: readonly number[]) => {
    const [field] = collect(at(...places)).fields;
    if (!field) return undefined;
    expect(storedTerms(field)).toEqual(expectedTerms(at(...places), 0));
    const entry = findInBlock(field.blocks, Buffer.from('x'), 0);
    return entry?.only?.positions.length ?? entry?.positions.length;
  };
  expect(
    [[3], [0, 0], [3, 3, 3], [3, 15, 0], [3, 15, 0, 1], [3, 16], [3, 3, 64]].map((places) =>
      bytesOfX(...places),
    ),
  ).toEqual([1, 0, 1, 2, 2, 2, 4]);
});

test('hexadecimal digits take half a byte', () => {
  const length = (text: string) => collect([[1, [[text], []]]]).fields[0]?.blocks.length ?? 0;
  expect(length('0123456789ab')).toBe(length('g123456789ab') - 6);
  expect(length('0123456789abc')).toBe(length('g123456789abc') - 6);
  expect(length('0')).toBe(length('g'));
});

test('each term is found, and no other, whatever fits into one piece of output', () => {
  const texts = Array.from({ length: 60_000 }, (_, index) => `w${((index * 7919) % 600_000).toString(36)}`);
  const [, field] = collect(texts.map((text, index) => [index + 1, [[], [text]]] as const)).fields;
  const { blocks, pages, top } = field ?? {
    blocks: new Uint8Array(),
    pages: new Uint8Array(),
    top: new Uint8Array(),
  };
  expect(readFirstTerms(top).terms.length).toBeGreaterThan(2);
  const find = (text: string) => {
    const term = Buffer.from(text);
    const page = part(pages, rangeWith(readFirstTerms(top), term));
    return findInBlock(part(blocks, rangeWith(readFirstTerms(page), term)), term, 0);
  };
  for (const [index, text] of texts.entries())
    if (index % 7 === 0) expect(find(text)?.only?.id).toBe(index + 1);
  for (const text of ['', 'v', 'w', 'wzzzz', 'x']) expect(find(text)).toBeUndefined();
});

test.each<[string, string]>([
  ['a text that is neither ASCII nor cut', '601\u001fé\u001f\u001f'],
  ['a cut word without a blank after it', '601\u001f\u0080 é\u001f\u001f'],
  ['two blanks in a cut text', '601\u001f\u0080 é  b \u001f\u001f'],
  ['a separator within a text', '601\u001f a \u001f b \u001f c \u001f'],
  ['a field too few', '601\u001f a \u001f'],
  ['an id of another batch', '1\u001f\u001f\u001f'],
  ['an id twice', '601\u001f\u001f\u001f601\u001f\u001f\u001f'],
  ['no id', '\u001f\u001f\u001f'],
])('%s is refused', (_, text) => {
  expect(() => startCollecting(2, 1).addLogs(1, Buffer.from(text))).toThrow(RangeError);
});
