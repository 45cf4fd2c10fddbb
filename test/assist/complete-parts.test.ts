import { describe, expect, test } from 'vitest';
import {
  boundText,
  findsValue,
  levelAt,
  noWorseThan,
  shownValue,
  valueText,
} from '../../src/language/assist/complete.ts';
import type { FieldValue } from '../../src/language/meaning/match.ts';
import { type Field, type FieldType, toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';

const fieldOf = (type: FieldType, name = 'one'): Field => ({ name, type, about: '' });

describe('a value is quoted where it has to be', () => {
  test.each<[type: FieldType, shown: string, text: string]>([
    ['text', 'timeout', 'timeout'],
    ['text', 'timed-out', '"timed-out"'],
    ['text', 'timed out', '"timed out"'],
    ['text', '中文', '"中文"'],
    ['keyword', '中文', '中文'],
    ['text', '--', '"--"'],
    ['keyword', 'SEVERE', 'SEVERE'],
    ['keyword', 'Pod A', '"Pod A"'],
    ['keyword', 'a:b', '"a:b"'],
    ['keyword', 'AND', '"AND"'],
    ['integer', '9003', '9003'],
    ['integer', '-1', '"-1"'],
    ['decimal', '1.5', '1.5'],
    ['decimal', '1e+300', '"1e+300"'],
    ['decimal', '1.', '"1."'],
    ['date', '2024', '"2024"'],
  ])('%s %s', (type, shown, text) => {
    expect(valueText(fieldOf(type), shown, { quoted: false })).toBe(text);
    expect(valueText(fieldOf(type), shown, { quoted: true })).toMatch(/^".*"$/);
  });

  test('and shown as in a query', () => {
    expect(shownValue(fieldOf('date'), 0)).toBe('1970-01-01T00:00:00.000Z');
    expect(shownValue(fieldOf('integer'), 2n ** 60n)).toBe('1152921504606846976');
    expect(shownValue(fieldOf('keyword'), 'a b')).toBe('a b');
  });
});

test.each([
  ['9000', '9000'],
  ['2024-01-01T10:00:00.000Z', '2024-01-01T10:00:00.000Z'],
  ['1e+300', '1e+300'],
  ['ä_1', 'ä_1'],
  ['-5', '"-5"'],
  ['a b', '"a b"'],
  ['a]', '"a]"'],
  ['', '""'],
  ['TO', '"TO"'],
  ['TOO', 'TOO'],
])('the end %s of a range is written %s', (shown, text) => {
  expect(boundText(shown)).toBe(text);
});

describe('a clause finds the logs with a value', () => {
  test.each<[type: FieldType, value: FieldValue, text: string, expected: boolean]>([
    ['text', 'Request timed out', '"Request timed out"', true],
    ['text', '---', '"---"', false],
    ['text', 'a', 'b', false],
    ['keyword', '---', '"---"', true],
    ['integer', 9003, '9003', true],
    ['integer', '9003', '9003', true],
    ['integer', '9003', '9004', false],
    ['decimal', '1.5', '1.5', true],
  ])('%s %s by %s: %s', (type, value, text, expected) => {
    const field = fieldOf(type, 'of a');
    expect(findsValue(field, { value, text }, toSchema([field], []))).toBe(expected);
  });
});

describe('the level around a cursor', () => {
  test.each<[marked: string, parts: number, field: string | undefined, isOpen: boolean]>([
    ['|a b', 2, undefined, false],
    ['a f:(b c| d) e', 3, 'f', false],
    ['a f:(|b c d) e', 3, 'f', false],
    ['a f:(b c d|) e', 3, 'f', false],
    ['a f:(b c d)| e', 3, undefined, false],
    ['a f:|(b c d) e', 3, undefined, false],
    ['f:(g:(a|) b)', 1, 'g', false],
    ['f:((a|) b)', 1, 'f', false],
    ['f\\ g:(a|)', 1, 'f g', false],
    ['a (b c|', 2, undefined, true],
    ['(a) ^ (b c|)', 2, undefined, false],
    ['(a b) c|', 2, undefined, false],
  ])('%s', (marked, parts, field, isOpen) => {
    const cursor = marked.indexOf('|');
    const { query } = parse(marked.replace('|', ''));
    const level = levelAt(query, cursor);
    expect([level.parts.length, level.field, level.isOpen]).toEqual([parts, field, isOpen]);
  });
});

test.each([
  ['a', 'a b', true],
  ['a', 'a AND', false],
  ['a AND', 'b OR', true],
  ['a AND', '(a AND', false],
  ['(a', '(b', true],
  ['(a', 'a AND', false],
  ['f: AND g:', 'f: OR h:', true],
  ['f:', 'f: g:', false],
])('after %s there is nothing worse in %s: %s', (text, changed, expected) => {
  expect(noWorseThan(text)(changed)).toBe(expected);
});
