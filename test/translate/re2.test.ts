import { describe, expect, test } from 'vitest';
import { parseRegexp } from '../../src/language/automata/regexp.ts';
import {
  fitsRe2,
  fuzzyRe2,
  type Re2,
  tokenCodePoints,
  toRe2,
  valueCodePoints,
} from '../../src/language/translate/sql.ts';

/** The RE2 expression of a regular expression of the engine. */
function re2Of(pattern: string, codePoints = tokenCodePoints): Re2 {
  const parsed = parseRegexp(pattern);
  if ('refusal' in parsed) throw new Error(parsed.refusal.message);
  return toRe2(parsed.tree, codePoints);
}

/** The class that no code point is in. */
const nothing = '[^\\x{0}-\\x{10ffff}]';

function checkTexts(
  examples: readonly (readonly [pattern: string, text: string])[],
  codePoints = tokenCodePoints,
) {
  test.each(examples)('%s', (pattern, text) => {
    expect(re2Of(pattern, codePoints)).toMatchObject({ text, exact: true });
  });
}

describe('texts and classes', () => {
  checkTexts([
    ['a', 'a'],
    ['"a.b"', 'a\\x{2e}b'],
    ['éб字٣', '(?:éб字٣)'],
    ['()', ''],
    ['ab|c', '(?:(?:ab)|c)'],
    ['[ab]', '(?:a|b)'],
    ['[a-cx]', '(?:[a-c]|x)'],
    ['[^a]', '[\\x{0}-\\x{1f}\\x{21}-\\x{60}b-\\x{10ffff}]'],
    ['.', '[^ ]'],
    ['@', '[^ ]*'],
    ['#', nothing],
  ]);
});

describe('a blank is in no token', () => {
  checkTexts([
    ['[ ]', nothing],
    ['[ -b]', '[\\x{21}-b]'],
    ['[\t- ]', '[\\x{9}-\\x{1f}]'],
    ['[\t]', '\\x{9}'],
    ['[\x1f-b]', '[\\x{1f}\\x{21}-b]'],
    ['[\x1f-!]', '[\\x{1f}\\x{21}]'],
    ['[b-\u{10ffff}]', '[b-\\x{10ffff}]'],
    ['[\0-b]', '[\\x{0}-\\x{1f}\\x{21}-b]'],
  ]);
});

describe('and in any value', () => {
  checkTexts(
    [
      ['a b', '(?:a\\x{20}b)'],
      ['[ -b]', '[\\x{20}-b]'],
      ['.', '(?s:.)'],
      ['@', '(?s:.)*'],
      ['[^a]', '[\\x{0}-\\x{60}b-\\x{10ffff}]'],
    ],
    valueCodePoints,
  );
});

describe('repetitions', () => {
  checkTexts([
    ['a?', '(?:a){0,1}'],
    ['a*', '(?:a){0,}'],
    ['a+', '(?:a){1,}'],
    ['a{2,3}', '(?:a){2,3}'],
    ['a{0}', '(?:)'],
    ['a{1000}', '(?:a){1000,1000}'],
    ['(a{10}){100}', '(?:(?:a){10,10}){100,100}'],
  ]);

  test.each([
    ['a{1001}', '(?:a)*'],
    ['a{1001,}', '(?:a)*'],
    ['(a{10}){101}', '(?:(?:a){10,10})*'],
    ['(a{10}b|c{2}){101}', '(?:(?:(?:(?:a){10,10}b)|(?:c){2,2}))*'],
  ])('%s are too many for RE2', (pattern, text) => {
    expect(re2Of(pattern)).toMatchObject({ text, exact: false });
  });
});

// For the engine nothing repeated is nothing, and not the empty text.
describe('repetitions of nothing', () => {
  checkTexts([
    ['#*', nothing],
    ['#+', nothing],
    ['#{0,}', nothing],
    ['#{1,3}', nothing],
    ['(#|#)*', nothing],
    ['(a#)*', nothing],
    ['([ ]#|#a)*', nothing],
    ['(#*)*', nothing],
    ['a{3,2}', nothing],
    ['#?', `(?:${nothing}){0,1}`],
    ['#{0,3}', `(?:${nothing}){0,3}`],
    ['(#?)*', `(?:(?:${nothing}){0,1}){0,}`],
    ['(a|#)*', `(?:(?:a|${nothing})){0,}`],
    ['(a{0})*', '(?:(?:)){0,}'],
  ]);
});

describe('what RE2 has not matches more', () => {
  test.each([
    ['~a', '[^ ]*'],
    ['<1-15>', '[0-9]+'],
    ['a&b', 'a'],
    // The part that is exact narrows more than the one that is not.
    ['~a&b', 'b'],
    ['b&~a', 'b'],
  ])('%s', (pattern, text) => {
    expect(re2Of(pattern)).toMatchObject({ text, exact: false });
  });
});

describe('how large an expression is', () => {
  test.each([
    ['a', { size: 1, depth: 1, repeats: 1 }],
    ['"abc"', { size: 3, depth: 1, repeats: 1 }],
    ['ab|c', { size: 3, depth: 3, repeats: 1 }],
    ['(a{2}b){3}', { size: 9, depth: 4, repeats: 6 }],
    ['a{2}|b{5}', { size: 7, depth: 3, repeats: 5 }],
    ['a*', { size: 1, depth: 2, repeats: 1 }],
    ['(ab){3,}', { size: 6, depth: 3, repeats: 3 }],
    ['(ab){1001}', { size: 2, depth: 3, repeats: 1 }],
  ])('%s', (pattern, expected) => {
    expect(re2Of(pattern)).toMatchObject(expected);
  });

  test.each([
    [10_000, 500, true],
    [10_001, 500, false],
    [10_000, 501, false],
  ])('%d code points, %d deep', (size, depth, expected) => {
    expect(fitsRe2({ size, depth })).toBe(expected);
  });

  test.each([
    [1, 69],
    [2, 16],
  ] as const)('terms with %d edits can have %d characters', (edits, length) => {
    const near = (term: string) => fuzzyRe2(term, edits, tokenCodePoints);
    expect(near('a'.repeat(length))?.size).toBe(2 * (length + 1) ** (edits + 1));
    expect(near('a'.repeat(length + 1))).toBeUndefined();
  });
});
