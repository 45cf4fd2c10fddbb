import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentedSchema } from '../../src/meaning/fields.ts';
import type { PhraseFilter } from '../../src/meaning/filter.ts';
import { termId } from '../../src/store/token-index/find-terms.ts';
import { logsOfPhrase, logsOfRarest, type WordPositions } from '../../src/store/token-index/phrase.ts';
import { type SliceWordCount, slicesOf } from '../../src/store/token-index/phrase-slices.ts';
import { sortPositions } from '../../src/store/token-index/sort-positions.ts';

const field = documentedSchema.fields.get('msg') ?? { name: 'msg', type: 'text' as const, about: '' };

const phraseOf = (...terms: readonly string[]): PhraseFilter => ({ kind: 'phrase', field, terms, slop: 0 });

describe('numbers in order', () => {
  test('are the same in few blocks and in many', () => {
    const number = fc.integer({ min: 0, max: 2 ** 50 });
    const stretch = fc.array(number).map((numbers) => numbers.toSorted((one, other) => one - other));
    const few = fc.array(stretch, { maxLength: 5 }).map((stretches) => stretches.flat());
    fc.assert(
      fc.property(fc.oneof(few, fc.array(number, { maxLength: 50 })), (numbers) => {
        const sorted = numbers.toSorted((one, other) => one - other);
        expect([...sortPositions(Float64Array.from(numbers))]).toEqual(sorted);
      }),
    );
  });
});

describe('the slices of a phrase', () => {
  const run = (firstId: number, lastId: number) => ({ run: 1, firstId, lastId, logs: 0, tokens: 0 });

  /** What is done for "a b" with slices that begin at the ids; `counts` says of each word where it is and how often. */
  function ways(
    counts: Readonly<Record<string, readonly Partial<SliceWordCount>[]>>,
    starts: readonly number[],
  ) {
    const found = new Map(
      Object.entries(counts).map(([term, entries]) => [
        termId({ field, term }),
        entries.map((entry) => ({ first: 1, count: 1, isFrequent: false, ...entry })),
      ]),
    );
    const { compared, lookedInto } = slicesOf(phraseOf('a', 'b'), found, {
      ...{ starts, runs: [run(1, 3000), run(3001, 4000)] },
    });
    const spans = (slices: typeof compared) => slices.map(({ firstId, lastId }) => [firstId, lastId]);
    return { compared: spans(compared), lookedInto: spans(lookedInto) };
  }

  test.each([
    ['nothing where a word is missing', { a: [{ count: 5 }] }, [1], [], []],
    ['nothing where no slice has both', { a: [{ first: 1 }], b: [{ first: 1001 }] }, [1, 1001], [], []],
    ['few places are compared', { a: [{ count: 30 }], b: [{ count: 32 }] }, [1, 1001], [[1, 1000]], []],
    [
      'of many the texts are looked into',
      { a: [{ count: 30 }], b: [{ count: 33 }] },
      [1, 1001],
      [],
      [[1, 1000]],
    ],
    [
      'texts are looked into where a word is frequent, in no other slice',
      { a: [{ first: 1 }, { first: 1001, isFrequent: true }], b: [{ first: 1 }, { first: 1001 }] },
      [1, 1001, 2001],
      [[1, 1000]],
      [[1001, 2000]],
    ],
    [
      'positions of many places in one slice are not worth those of another',
      { a: [{ count: 2 }, { first: 1001, count: 300 }], b: [{}, { first: 1001 }] },
      [1, 1001, 2001],
      [],
      [
        [1, 1000],
        [1001, 2000],
      ],
    ],
    ['a slice whose next is not known ends with its run', { a: [{}], b: [{}] }, [1], [[1, 3000]], []],
    [
      'one that is known by its words alone counts as well',
      { a: [{}, { first: 3001 }], b: [{}, { first: 3001 }] },
      [],
      [
        [1, 3000],
        [3001, 4000],
      ],
      [],
    ],
  ] as const)('%s', (_name, counts, starts, compared, lookedInto) => {
    expect(ways(counts, starts)).toEqual({ compared, lookedInto });
  });
});

describe('the positions of words', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const text = fc.array(word, { maxLength: 8 });

  /** What the index says of the words of texts, with the places in the order of some numbers. */
  function placesOf(texts: readonly (readonly string[])[], firstId: number, order: readonly number[]) {
    const found = new Map<string, WordPositions[]>();
    for (const term of new Set(texts.flat())) {
      const places = texts.flatMap((words, log) =>
        words.flatMap((each, position) => (each === term ? [[firstId + log, position] as const] : [])),
      );
      places.sort(([one], [other]) => (order[one % order.length] ?? 0) - (order[other % order.length] ?? 0));
      const [ids, positions] = [0, 1].map((part) => Uint32Array.from(places, (each) => each[part] ?? 0));
      if (ids && positions) found.set(termId({ field, term }), [{ first: firstId, ids, positions }]);
    }
    return found;
  }

  test('tell the logs whose texts have a phrase', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.array(word, { minLength: 2, maxLength: 4 }),
        fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 4_000_000_000 }),
        (texts, terms, order, firstId) => {
          const slice = { firstId, lastId: firstId + texts.length - 1 };
          const found = placesOf(texts, firstId, order);
          if (!terms.every((term) => found.has(termId({ field, term })))) return;
          const phrase = phraseOf(...terms);
          const expected = texts.flatMap((words, log) =>
            ` ${words.join(' ')} `.includes(` ${terms.join(' ')} `) ? [firstId + log] : [],
          );
          const hits = new Set(logsOfPhrase(phrase, [slice], found));
          expect([...hits].sort((one, other) => one - other)).toEqual(expected);
          const rarest = new Set(logsOfRarest(phrase, [slice], found));
          for (const id of expected) expect(rarest).toContain(id);
        },
      ),
    );
  });
});
