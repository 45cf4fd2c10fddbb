import { expect, test } from 'vitest';
import { engines } from '../../src/language/engine.ts';
import { checkSimilarity, fuzzyEdits, fuzzyTest } from '../../src/patterns/fuzzy.ts';

test.each([
  ['timeout', 0, ['timeout'], ['timeou']],
  ['timeout', 1, ['timeout', 'timeou', 'timeouts', 'tineout', 'itmeout'], ['timeo', 'ti', 'itmeuot']],
  ['timeout', 2, ['timeo', 'itmeuot', 'xtimeoutx'], ['time', 'timing']],
  ['ca', 2, ['ac', 'c', 'a', 'xx', ''], ['abc', 'xyz']],
  ['a', 1, ['', 'b', 'ab'], ['bc']],
  ['', 2, [''], ['a']],
  ['a文c', 1, ['a😀c', '文c'], ['😀😀c']],
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
