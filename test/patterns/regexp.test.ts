import { describe, expect, test } from 'vitest';
import { newEffort } from '../../src/language/automata/automaton.ts';
import { compileRegexp } from '../../src/language/automata/regexp.ts';
import { checkRegexp } from '../../src/language/automata/wildcard.ts';
import { termTest } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { processorTime } from '../processor-time.ts';

const field: Field = { name: 'msg', type: 'text', about: 'the message' };

describe('a regular expression accepts whole terms', () => {
  test.each([
    ['', [''], ['a']],
    ['ab', ['ab'], ['a', 'abc', 'xab']],
    ['a|bc', ['a', 'bc'], ['ac', 'b', '']],
    ['ab?', ['a', 'ab'], ['abb', 'b']],
    ['ab*', ['a', 'ab', 'abbb'], ['b']],
    ['(ab)+', ['ab', 'abab'], ['', 'aba']],
    ['a{2}', ['aa'], ['a', 'aaa']],
    ['a{2,}', ['aa', 'aaaa'], ['a']],
    ['a{1,2}', ['a', 'aa'], ['', 'aaa']],
    ['a{2,1}', [], ['', 'a', 'aa']],
    ['.', ['a', '文', '😀', '\n'], ['', 'ab']],
    ['[a-c1]', ['a', 'b', 'c', '1'], ['d', 'ab', '-']],
    ['[^a-c]', ['d', '1', '😀'], ['a', 'b', '']],
    ['[-a]', ['-', 'a'], ['b']],
    ['[]a]', [']', 'a'], ['[']],
    ['[\\]\\-]', [']', '-'], ['\\']],
    ['~a', ['', 'b', 'aa'], ['a']],
    ['~(.*ab.*)', ['', 'ba', 'aacb'], ['ab', 'cabc']],
    ['.*a.*&.*b.*', ['ab', 'bxa'], ['a', 'b', '']],
    ['@', ['', 'anything'], []],
    ['#', [], ['', '#']],
    ['#?', [''], ['#']],
    ['#*', [], ['']],
    ['"a.*b"', ['a.*b'], ['ab', 'axxb']],
    ['()', [''], ['()']],
    ['a()b', ['ab'], ['a']],
    ['\\.', ['.'], ['a']],
    ['\\d', ['d'], ['1', '\\d']],
    ['\\"', ['"'], []],
    ['*a', ['*a'], ['a', '']],
    ['|a', ['|a'], ['a', '']],
    ['a]', ['a]'], []],
    ['a&b', [], ['a', 'b', 'a&b']],
    ['<1-15>', ['1', '01', '007', '15'], ['0', '16', '', '1a']],
    ['<01-15>', ['01', '15'], ['1', '001', '16']],
    ['<15-1>', ['7'], ['16']],
    ['<0-9>', ['0', '9'], ['00', '10', '']],
    ['<0-10>', ['0', '00', '9', '10'], ['11', '']],
    ['<98-102>', ['98', '100', '102', '0099'], ['97', '103', '9']],
  ])('%s', (pattern, accepted, refused) => {
    expect(checkRegexp(pattern)).toBeUndefined();
    const matches = termTest({ kind: 'regexp', field, pattern });
    expect(accepted.filter((text) => !matches(text))).toEqual([]);
    expect(refused.filter(matches)).toEqual([]);
  });
});

describe('what the engine refuses', () => {
  test.each([
    ['(a', 'A ")" is missing', 2],
    ['a)', 'The ")" closes nothing', 1],
    ['a|b)|c', 'The ")" closes nothing', 3],
    ['[a', 'A "]" is missing', 2],
    ['[]', 'A "]" is missing', 2],
    ['"a', 'A """ is missing', 2],
    ['<1-2', 'A ">" is missing', 4],
    ['a{1', 'A "}" is missing', 3],
    ['a{', 'A "{" requires a number', 2],
    ['a{,2}', 'A "{" requires a number', 2],
    ['a{99999999999}', 'The number is too large: 2147483647 is the greatest', 2],
    ['[z-a]', 'The range "z-a" runs backwards', 1],
    ['x<a-b>', '"<a-b>" requires two numbers, as in <1-15>', 1],
    ['<name>', '"<name>" requires two numbers, as in <1-15>', 0],
    ['<1-2-3>', '"<1-2-3>" requires two numbers, as in <1-15>', 0],
    ['a|', 'A character is missing at the end', 2],
    ['a&', 'A character is missing at the end', 2],
    ['~', 'A character is missing at the end', 1],
    ['\\', 'A character is missing at the end', 1],
  ])('%s', (pattern, message, at) => {
    expect(checkRegexp(pattern)).toEqual({ message, at });
    expect(termTest({ kind: 'regexp', field, pattern })(pattern)).toBe(false);
  });

  test.each([
    ['[ac]*a[ac]{200,500}', '10,000 states'],
    ['.*a.{13}', '10,000 states'],
    ['.{14}a.*', '10,000 states'],
    ['(a{100}){100}', '10,000 states'],
    ['~(a{5000}){2147483647}', '10,000 states'],
    ['(a?){9999}', 'take too long'],
    ['[ab]{1001}', 'at most 1,000 characters of a pattern'],
    ['.{3000}', 'at most 1,000 characters of a pattern'],
    ['a'.repeat(1001), '1,000 characters at most'],
  ])('%s', (pattern, message) => {
    expect(checkRegexp(pattern)?.message).toContain(message);
    expect(termTest({ kind: 'regexp', field, pattern })('a')).toBe(false);
  });
});

test.each(['.{10}a.*', '.*a.{10}', '[ab]{1000}', 'a{1001}', '(a{50}){100}', '@{2147483647}', '.{0,1000}.*'])(
  'the engine runs %s',
  (pattern) => {
    expect(checkRegexp(pattern)).toBeUndefined();
  },
);

test('the time for a term does not depend on what the expression could try', async () => {
  const matches = termTest({ kind: 'regexp', field, pattern: '((a*)*(a|aa)+)*b' });
  const time = await processorTime(() => {
    expect(matches('a'.repeat(100_000))).toBe(false);
    expect(matches(`${'a'.repeat(100_000)}b`)).toBe(true);
  });
  expect(time).toBeLessThan(2000);
});

test('a test is made once for a filter', () => {
  const filter = { kind: 'regexp', field, pattern: 'a+' } as const;
  expect(termTest(filter)).toBe(termTest(filter));
});

test('what was compiled before does not change which effort is enough for a pattern', () => {
  const pattern = '.*a.{7}unseen';
  const within = (steps: number) => {
    const effort = newEffort(steps);
    const compiled = compileRegexp(pattern, effort);
    return { isRefused: 'refusal' in compiled, isSpent: effort.left < 0, left: effort.left };
  };
  const tooFew = { isRefused: true, isSpent: true };
  expect(within(1000)).toMatchObject(tooFew);
  const { isRefused, left } = within(10_000_000);
  expect(isRefused).toBe(false);
  const needed = 10_000_000 - left;
  expect(within(needed)).toEqual({ isRefused: false, isSpent: false, left: 0 });
  for (const steps of [needed - 1, 1000, 0, -5]) expect(within(steps)).toMatchObject(tooFew);
});
