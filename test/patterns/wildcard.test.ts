import { expect, test } from 'vitest';
import { newEffort } from '../../src/language/automata/automaton.ts';
import {
  checkPrefix,
  checkWildcard,
  compileWildcard,
  wildcardTest,
} from '../../src/language/automata/wildcard.ts';
import { automatonTest } from '../../src/language/meaning/match.ts';
import { processorTime } from '../processor-time.ts';

const patterns: [pattern: string, accepted: string[], refused: string[]][] = [
  ['te?t', ['test', 'text', 'te😀t'], ['tet', 'teest', 'atest']],
  ['te*t', ['tet', 'test', 'teapot', 'te*t'], ['te', 'atet', 'tets']],
  ['*', ['', 'a', 'a b'], []],
  ['?', ['a', '😀', '文', '\uffff'], ['', 'ab', '\uffffa']],
  ['*a*b*', ['ab', 'xaxbx', 'aab'], ['ba', 'a', '']],
  ['a\\*', ['a*'], ['ab', 'a\\*', 'a']],
  ['\\?', ['?'], ['a', '\\?']],
  ['a\\\\*', ['a\\', 'a\\b'], ['a', 'a*']],
  ['a\\', ['a\\'], ['a']],
  ['*.*', ['.', 'a.b'], ['ab']],
  ['**a', ['a', 'ba'], ['ab', '']],
  ['*a*', ['a', 'bab'], ['', 'b']],
];

test.each(patterns)('%s', (pattern, accepted, refused) => {
  const matches = wildcardTest(pattern);
  expect(accepted.filter((text) => !matches(text))).toEqual([]);
  expect(refused.filter(matches)).toEqual([]);
});

test.each(patterns)('%s, by its automaton', (pattern, accepted, refused) => {
  const compiled = compileWildcard(pattern);
  if ('refusal' in compiled) throw new Error(compiled.refusal.message);
  const matches = automatonTest(compiled.automaton);
  expect(accepted.filter((text) => !matches(text))).toEqual([]);
  expect(refused.filter(matches)).toEqual([]);
});

test('many runs take no longer than the product of the lengths', async () => {
  const matches = wildcardTest(`${'*a'.repeat(50)}b`);
  const time = await processorTime(() => expect(matches('a'.repeat(20_000))).toBe(false));
  expect(time).toBeLessThan(2000);
});

test('the engine refuses a pattern that becomes too large', () => {
  expect(checkWildcard(`*a${'?'.repeat(9)}`)).toBeUndefined();
  expect(checkWildcard(`*a${'?'.repeat(13)}`)?.message).toContain('10,000 states');
  expect(checkWildcard(`*${'a'.repeat(20_000)}`)?.message).toContain('10,000 states');
  expect(checkWildcard('?'.repeat(1_000_000))?.message).toContain('1,000 characters');
  expect(checkWildcard('?'.repeat(1000))).toBeUndefined();
  expect(checkWildcard('?'.repeat(1001))?.message).toContain('1,000 characters');
  expect(checkWildcard('a'.repeat(5000))).toBeUndefined();
});

test('asterisks in a row are no more work than two of them', () => {
  const [two, many] = [newEffort(), newEffort()];
  expect(checkWildcard('a**b**', two)).toBeUndefined();
  expect(checkWildcard(`a${'*'.repeat(100_000)}b${'*'.repeat(100_000)}`, many)).toBeUndefined();
  expect(many).toEqual(two);
});

test('a third asterisk in a row makes no difference to the states, a second one at the start does', () => {
  const statesOf = (pattern: string): number => {
    const compiled = compileWildcard(pattern);
    return 'refusal' in compiled ? 0 : compiled.automaton.accepts.length;
  };
  expect(['*ab', '**ab', '***ab'].map(statesOf)).toEqual([3, 4, 4]);
  expect(['a*b', 'a**b', 'a***b'].map(statesOf)).toEqual([4, 4, 4]);
});

test('the engine refuses a prefix of more than 1,000 bytes', () => {
  expect(checkPrefix('a'.repeat(1000))).toBeUndefined();
  expect(checkPrefix('a'.repeat(1001))?.message).toContain('1,000 characters');
  expect(checkPrefix('é'.repeat(501))?.message).toContain('1,000 characters');
});
