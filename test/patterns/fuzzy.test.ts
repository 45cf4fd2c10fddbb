import { describe, expect, test } from 'vitest';
import {
  checkSimilarity,
  fuzzyEdits,
  fuzzySimilarity,
  fuzzyTest,
} from '../../src/language/automata/fuzzy.ts';
import { engines } from '../../src/language/parse/engine.ts';

test.each([
  ['timeout', 0, ['timeout'], ['timeou']],
  ['timeout', 1, ['timeout', 'timeou', 'timeouts', 'tineout', 'itmeout'], ['timeo', 'ti', 'itmeuot']],
  ['timeout', 2, ['timeo', 'itmeuot', 'xtimeoutx'], ['time', 'timing']],
  ['ca', 2, ['ac', 'c', 'a', 'xx', ''], ['abc', 'xyz']],
  ['a', 1, ['', 'b', 'ab'], ['bc']],
  ['', 2, [''], ['a']],
  ['a文c', 1, ['a😀c', '文c'], ['😀😀c']],
  ['😀', 1, ['😀😀', '😀a', 'a'], ['😀😀😀']],
] as const)('%s~%i', (term, edits, near, far) => {
  const matches = fuzzyTest(term, edits);
  expect(near.filter((text) => !matches(text))).toEqual([]);
  expect(far.filter(matches)).toEqual([]);
});

test('one swap is one edit, and what was swapped is not edited again', () => {
  expect(fuzzyTest('ab', 1)('ba')).toBe(true);
  expect(fuzzyTest('ca', 2)('abc')).toBe(false);
});

test.each([
  ['', 5, 2],
  ['0', 5, 0],
  ['1', 5, 1],
  ['2', 5, 2],
  ['5', 5, 2],
  ['0.5', 3, 1],
  ['0.5', 4, 2],
  ['0.7', 4, 1],
  ['0.7', 3, 0],
  ['0.9', 11, 1],
  ['.5', 4, 2],
  ['1e0', 5, 1],
  ['1f', 5, 1],
  ['NaN', 5, 0],
  ['x', 5, 2],
  ['0.5x', 5, 2],
  ['-1', 5, 2],
])('"~%s" behind %i code points allows %i edits', (written, length, edits) => {
  expect(fuzzyEdits(written, length, engines.lucene)).toBe(edits);
});

test.each(['', '0', '1', '2.0', '3', '0.5', 'x', 'NaN', '2147483648'])('"~%s" is accepted', (written) => {
  expect(checkSimilarity(written, engines.lucene)).toBeUndefined();
});

test.each([
  ['1.5', 'The number of edits must be a whole number, got "1.5"'],
  ['Infinity', 'The number of edits must be a whole number, got "Infinity"'],
  ['3e9', 'The number of edits must be a whole number, got "3e9"'],
  ['-1', 'The similarity must be a number of at least 0, got "-1"'],
])('"~%s" is refused', (written, message) => {
  expect(checkSimilarity(written, engines.lucene)).toEqual({ message });
});

describe('Elasticsearch', () => {
  test.each([
    ...([0, 1, 2].map((length) => ['', length, 0]) as [string, number, number][]),
    ...([3, 4, 5].map((length) => ['auto', length, 1]) as [string, number, number][]),
    ...([6, 20].map((length) => ['AUTO', length, 2]) as [string, number, number][]),
    ...([
      ['0', 9, 0],
      ['1', 2, 1],
      ['2', 2, 2],
      ['autos', 4, 2],
      ['xauto', 4, 2],
    ] as [string, number, number][]),
  ])('"~%s" behind %i code points allows %i edits', (written, length, edits) => {
    expect(fuzzyEdits(written, length, engines.elasticsearch)).toBe(edits);
  });

  test.each(['', 'auto', 'AUTO', '0', '1', '2', '2.0', '1f'])('"~%s" is accepted', (written) => {
    expect(checkSimilarity(written, engines.elasticsearch)).toBeUndefined();
  });

  test.each(['0.5', '3', '-1', 'autos', 'xauto', 'x', 'NaN'])('"~%s" is refused', (written) => {
    const message = `The number of edits must be 0, 1, 2 or AUTO, got "${written}"`;
    expect(checkSimilarity(written, engines.elasticsearch)).toEqual({ message });
  });
});

test('"~auto" is no number of edits for Lucene, and a lone "~" allows two whatever the length', () => {
  expect([1, 4, 9].map((length) => fuzzyEdits('auto', length, engines.lucene))).toEqual([2, 2, 2]);
  expect([1, 4, 9].map((length) => fuzzyEdits('', length, engines.lucene))).toEqual([2, 2, 2]);
});

test.each([
  ['timeout', 2, 'timeout', 1],
  ['timeout', 2, 'timeou', 1 - 1 / 6],
  ['timeout', 2, 'timeoutxx', 1 - 2 / 7],
  ['timeout', 1, 'timeoutxx', undefined],
  ['ab', 0, 'ab', 1],
  ['ab', 0, 'ac', undefined],
  ['', 2, '', 1],
] as const)('the similarity of %s~%i and "%s" is %d', (term, edits, text, similarity) => {
  expect(fuzzySimilarity(term, edits, text)).toBe(
    similarity === undefined ? undefined : Math.fround(1 - Math.fround(1 - similarity)),
  );
});
