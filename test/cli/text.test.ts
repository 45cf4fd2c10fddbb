import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  displayWidth,
  escapeFileName,
  escapeUnsafe,
  escapeUnsafeLines,
  hasAsciiOnly,
  shortenToWidth,
  toAscii,
  toJson,
  wrapToWidth,
} from '../../src/cli/terminal/text.ts';

describe('a terminal of ASCII alone', () => {
  test.each([
    [{ LANG: 'C' }, true],
    [{ LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' }, true],
    [{ LC_CTYPE: 'de_DE.ISO-8859-15', LANG: 'de_DE.UTF-8' }, true],
    [{ LC_ALL: '', LANG: 'C.UTF-8' }, false],
    [{ LANG: 'de_DE.utf8' }, false],
    [{}, false],
  ])('is told by the locale %j', (environment, isAscii) => {
    expect(hasAsciiOnly(environment)).toBe(isAscii);
  });

  test('gets drawings in ASCII of the same width, and letters as they are', () => {
    const drawn = '2025-03-11 00:00  12  █▋ ▁▂▃▄▅▆▇ a → b · c…  ├── x │ └── y ⋮ 3 × 4 ± 1 − 2 – 3';
    expect(toAscii(drawn)).toMatch(/^[\x20-\x7e]+$/);
    expect(displayWidth(toAscii(drawn))).toBe(displayWidth(drawn));
    expect(toAscii('Straße 中国')).toBe('Straße 中国');
  });
});

describe('printable', () => {
  test.each([
    ['plain text, ümläut, 中国, 👩‍👧', 'plain text, ümläut, 中国, 👩‍👧'],
    ['a\tb\r\nc', 'a\\tb\\r\\nc'],
    ['\u001b]0;title\u0007', '\\x1b]0;title\\x07'],
    ['\u009b31m', '\\x9b31m'],
    ['abc\u202edef\u2066', 'abc\\u202edef\\u2066'],
    ['half \ud83d, half \ude00, whole 😀', 'half \\ud83d, half \\ude00, whole 😀'],
    ['\u2028', '\\u2028'],
    ['pass\u00adword, zero\u200bwidth, \u2060, \u200c', 'pass\\xadword, zero\\u200bwidth, \\u2060, \\u200c'],
    ['fillers \u115f\u3164\uffa0, hidden \u034f', 'fillers \\u115f\\u3164\\uffa0, hidden \\u034f'],
    ['tags \u{e0041}\u{e007f} and \u{e0100}', 'tags \\u{e0041}\\u{e007f} and \\u{e0100}'],
    ['joined a\u200db, at the end 👩\u200d', 'joined a\\u200db, at the end 👩\\u200d'],
    ['❤️ 👩🏽‍🚀 🏳️‍🌈 ☎︎ नमस्ते', '❤️ 👩🏽‍🚀 🏳️‍🌈 ☎︎ नमस्ते'],
  ])('%j', (text, shown) => {
    expect(escapeUnsafe(text)).toBe(shown);
  });

  test('the name of an entry is shortened where it is long', () => {
    expect(escapeFileName(`\u001b${'n'.repeat(60_000)}`)).toBe(`\\x1b${'n'.repeat(119)}…`);
    expect(escapeFileName('n'.repeat(120))).toBe('n'.repeat(120));
  });

  const unsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

  test('leaves nothing of any text that a terminal would act upon', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeUnsafe(text)).not.toMatch(unsafe);
        expect(escapeUnsafeLines(text).replaceAll('\n', '')).not.toMatch(unsafe);
        expect(escapeUnsafe(text).isWellFormed()).toBe(true);
      }),
    );
  });

  test('JSON is as safe to show and says the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = toJson(value, 2);
        expect(json.replaceAll('\n', '')).not.toMatch(unsafe);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(toJson('\u009b\u202e\u007f')).toBe('"\\u009b\\u202e\\u007f"');
    expect(toJson('a\u200b\u{e0041}')).toBe('"a\\u200b\\udb40\\udc41"');
  });
});

describe('the width of text', () => {
  test.each([
    ['abc', 3],
    ['中国', 4],
    ['ﾊﾝｶｸ', 4],
    ['한글', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['⚠️', 2],
    ['', 0],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test('a wrapped text is broken at blanks, else where the line ends', () => {
    expect(wrapToWidth('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapToWidth('one two', 7)).toEqual(['one two']);
    expect(wrapToWidth('  abcdefgh ij', 6)).toEqual(['  abcd', 'efgh', 'ij']);
    expect(wrapToWidth('中国日本', 5)).toEqual(['中国', '日本']);
    expect(wrapToWidth('', 5)).toEqual(['']);
  });

  test('a shortened text fits', () => {
    expect(shortenToWidth('abcdef', 4)).toBe('abc…');
    expect(shortenToWidth('中国日本', 6)).toBe('中国…');
    expect(shortenToWidth('abcd', 4)).toBe('abcd');
  });
});
