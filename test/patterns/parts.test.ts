import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Automaton, newEffort, rangesAutomaton } from '../../src/language/automata/automaton.ts';
import { bitRows, setNumbering, toByteAutomaton } from '../../src/language/automata/determinize.ts';
import { parseFloat32 } from '../../src/language/automata/fuzzy.ts';
import { type Heap, hasSequence, popHeap, pushHeap } from '../../src/language/automata/phrase.ts';
import { boolFilter, type Filter, type FuzzyFilter } from '../../src/language/meaning/filter.ts';
import { toDocument } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { expandOver, limitedFuzzy, withExpansions } from '../../src/language/meaning/scored.ts';
import { rounds } from '../effort.ts';
import { processorTime } from '../processor-time.ts';

const runs = { numRuns: rounds(300) };

test('a heap gives its items back in order, however they are added and taken', () => {
  const isLess = (a: number, b: number) => a < b;
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 40 }), (steps) => {
      const heap: Heap<number> = [];
      let model: number[] = [];
      for (const step of steps) {
        if (step === undefined) {
          const [least, ...rest] = model;
          expect(popHeap(heap, isLess)).toBe(least);
          model = rest;
        } else {
          pushHeap(heap, step, isLess);
          model = [...model, step].sort((a, b) => a - b);
        }
        expect([...heap].sort((a, b) => a - b)).toEqual(model);
      }
    }),
    runs,
  );
});

test('a heap of many items gives them back in order', () => {
  const heap: Heap<number> = [];
  // 37 is prime to 101: every number comes once, in a changed order.
  const items = Array.from({ length: 101 }, (_, at) => (at * 37) % 101);
  for (const item of items) pushHeap(heap, item, (a, b) => a < b);
  expect(items.map(() => popHeap(heap, (a, b) => a < b))).toEqual(items.toSorted((a, b) => a - b));
  expect(popHeap(heap, (a: number, b: number) => a < b)).toBeUndefined();
});

test('rows of bits give each number back once, in order, and are empty then', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(99)), { maxLength: 40 }), (added) => {
      const rows = bitRows(3, 100);
      for (const [row, number] of added) rows.add(row, number);
      for (const row of [0, 1, 2]) {
        const expected = new Set(added.filter(([of]) => of === row).map(([, number]) => number));
        const { numbers, size } = rows.take(row);
        expect([...numbers.slice(0, size)]).toEqual([...expected].sort((a, b) => a - b));
        expect(rows.take(row).size).toBe(0);
      }
    }),
    runs,
  );
});

test('sets are numbered in the order in which they come, equal ones alike', () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.nat(6), { maxLength: 4 }), { maxLength: 30 }), (sets) => {
      const { numberOf, sets: kept } = setNumbering();
      const known: string[] = [];
      for (const set of sets) {
        const key = set.join();
        if (!known.includes(key)) known.push(key);
        // Numbers beyond the size are left over from another set.
        const numbers = Int32Array.from([...set, 77]);
        expect(numberOf({ numbers, size: set.length })).toBe(known.indexOf(key));
      }
      expect(kept.map((set) => set.join())).toEqual(known);
    }),
    runs,
  );
});

describe('a sequence of terms', () => {
  test('stands where all of its terms stand side by side, long or short', () => {
    const term = fc.constantFrom('a', 'b');
    fc.assert(
      fc.property(
        fc.array(term, { minLength: 1, maxLength: 12 }),
        fc.array(term, { maxLength: 30 }),
        fc.boolean(),
        fc.nat(30),
        (terms, tokens, isHidden, at) => {
          const all = isHidden ? tokens.toSpliced(at, 0, ...terms) : tokens;
          // Terms of one letter, so that texts can be searched instead.
          expect(hasSequence(terms, all)).toBe(all.join('').includes(terms.join('')));
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('of eight to ten terms is found by its borders, whatever they are', () => {
    const word = (length: number, bits: number) =>
      Array.from({ length }, (_, at) => ((bits >> at) % 2 === 0 ? 'a' : 'b'));
    const texts = [0x5a5a, 0xdb6d, 0x9249, 0xfefe, 0x3c3c].map((bits) => word(16, bits));
    for (const length of [8, 9, 10])
      for (let bits = 0; bits < 2 ** length; bits += 1) {
        const terms = word(length, bits);
        const near = [...terms.slice(0, -1), ...terms.slice(3)];
        for (const text of [...texts, near, [...near, ...terms]])
          expect(hasSequence(terms, text)).toBe(text.join('').includes(terms.join('')));
      }
  });

  test('is found in time that grows with the length of both', async () => {
    const terms = [...Array<string>(2000).fill('a'), 'b'];
    const time = await processorTime(() =>
      expect(hasSequence(terms, Array<string>(100_000).fill('a'))).toBe(false),
    );
    expect(time).toBeLessThan(2000);
  });
});

test.each([
  ['1', 1],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['5.', 5],
  ['-1', -1],
  ['+1', 1],
  ['1e2', 100],
  ['1E-1', Math.fround(0.1)],
  ['1.5f', 1.5],
  ['2D', 2],
  [' 1\t', 1],
  ['0.1', Math.fround(0.1)],
  ['1e99', Number.POSITIVE_INFINITY],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
  ['', undefined],
  ['.', undefined],
  ['x', undefined],
  ['1x', undefined],
  ['1 2', undefined],
  ['0x10', undefined],
  ['Infinityf', undefined],
  ['  1.5  ', 1.5],
  ['\u0000 1 \u0000', 1],
  ['1e', undefined],
])('"%s" is read as %s', (text, expected) => {
  expect(parseFloat32(text)).toBe(expected);
});

describe('an automaton over bytes', () => {
  const edges = [
    ...[0, 1, 0x7e, 0x7f, 0x80, 0x81, 0xbf, 0xc0, 0x7fe, 0x7ff, 0x800, 0x801, 0xfff, 0x1000, 0xd7ff],
    ...[0xe000, 0xfffe, 0xffff, 0x10000, 0x10001, 0x3ffff, 0x40000, 0x10fffe, 0x10ffff],
  ];
  const codePoint = fc.oneof(fc.constantFrom(...edges), fc.nat(0x10ffff), fc.nat(0x900));

  function accepts({ accepts: ends, moves }: Automaton, bytes: Iterable<number>): boolean {
    let states = [0];
    for (const byte of bytes)
      states = states.flatMap((state) =>
        (moves[state] ?? []).filter(({ min, max }) => min <= byte && byte <= max).map(({ to }) => to),
      );
    return states.some((state) => ends[state]);
  }

  test('accepts the code points of a range in UTF-8, and no others', () => {
    fc.assert(
      fc.property(codePoint, codePoint, fc.array(codePoint), (one, other, drawn) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)];
        const automaton = toByteAutomaton(rangesAutomaton([[min, max]]), newEffort());
        for (const code of [...edges, ...drawn, min, max, min - 1, max + 1]) {
          if (code < 0 || 0x10ffff < code || (0xd800 <= code && code < 0xe000)) continue;
          const bytes = new TextEncoder().encode(String.fromCodePoint(code));
          expect([code, accepts(automaton, bytes)]).toEqual([code, min <= code && code <= max]);
        }
      }),
      runs,
    );
  });
});

describe('the terms that fuzzy ones stand for', () => {
  const field: Field = { name: 'msg', type: 'text', about: '' };
  const fuzzy = (more: Partial<FuzzyFilter> = {}): FuzzyFilter => ({
    kind: 'fuzzy',
    field,
    term: 'ab',
    edits: 1,
    maxExpansions: 2,
    ...more,
  });

  test.each<[name: string, filter: FuzzyFilter, isLimited: boolean]>([
    ['a limit', fuzzy(), true],
    ['no limit', { kind: 'fuzzy', field, term: 'ab', edits: 1 }, false],
    ['no edit', fuzzy({ edits: 0 }), false],
    ['no letter', fuzzy({ term: '' }), false],
    ['known terms', fuzzy({ expansion: [] }), false],
  ])('have to be found with %s: %s', (_, filter, isLimited) => {
    expect(limitedFuzzy(filter)).toEqual(isLimited ? [filter] : []);
  });

  test('are found once for each object, wherever it stands', () => {
    const [one, other, third, fourth] = [fuzzy(), fuzzy(), fuzzy(), fuzzy()];
    const within = boolFilter({
      must: [one, one],
      should: [{ kind: 'disMax', filters: [other, one] }],
      mustNot: [third],
    });
    const found = limitedFuzzy({ kind: 'disMax', filters: [within, fourth, within] });
    expect(found).toHaveLength(4);
    expect(new Set(found)).toEqual(new Set([one, other, third, fourth]));
    expect(limitedFuzzy({ kind: 'all' })).toEqual([]);
  });

  test('take their places, and the boosts stay with the parts', () => {
    const [one, plain]: readonly [FuzzyFilter, Filter] = [fuzzy(), { kind: 'term', field, term: 'x' }];
    const filter: Filter = boolFilter({
      must: [one],
      should: [{ kind: 'disMax', filters: [plain, one] }],
      mustNot: [one],
    });
    const boosts = new Map<Filter, number>([
      [one, 2],
      [plain, 3],
      [filter, 4],
    ]);
    const made = withExpansions({ filter, boosts }, new Map([[one, ['ab', 'ac']]]));
    const known = { ...one, expansion: ['ab', 'ac'] };
    expect(made.filter).toEqual(
      boolFilter({ must: [known], should: [{ kind: 'disMax', filters: [plain, known] }], mustNot: [known] }),
    );
    expect([...made.boosts.values()].sort()).toEqual([2, 2, 2, 3, 4]);
    expect(made.boosts.get(made.filter)).toBe(4);
    expect(withExpansions({ filter, boosts }, new Map()).filter).toBe(filter);
  });

  test('are the nearest of all documents, not of one', () => {
    const documents = ['ab', 'abc zz', 'xab', 'b'].map((msg) => toDocument({ msg }));
    expect(expandOver(fuzzy(), documents)).toEqual(fuzzy({ expansion: ['ab', 'abc'] }));
  });
});
