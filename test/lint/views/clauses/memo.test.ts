import { expect, test } from 'vitest';
import { memoize } from '../../../../src/language/lint/clause.ts';

test('each key is worked out once, also where the answer is undefined', () => {
  const asked: string[] = [];
  const answer = memoize((key: string) => {
    asked.push(key);
    return key === 'none' ? undefined : key.toUpperCase();
  });
  expect(['a', 'none', 'a', 'b', 'none'].map(answer)).toEqual(['A', undefined, 'A', 'B', undefined]);
  expect(asked).toEqual(['a', 'none', 'b']);
});
