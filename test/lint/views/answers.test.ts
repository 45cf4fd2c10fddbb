import { expect, test } from 'vitest';
import { lastAnswer } from '../../../src/lint/views/last-answer.ts';
import { perText } from '../../../src/lint/views/per-text.ts';
import { recentAnswers } from '../../../src/lint/views/recent-answers.ts';
import { viewed } from './viewed.ts';

/** Counts how often something has to be worked out. */
function counted<K>(): { readonly work: (key: K) => { readonly key: K }; readonly asked: K[] } {
  const asked: K[] = [];
  return { asked, work: (key) => ({ key: asked[asked.push(key) - 1] ?? key }) };
}

test('the last answer is kept, and no other', () => {
  const { work, asked } = counted<string>();
  const answer = lastAnswer(work);
  expect(['a', 'a', 'b', 'b', 'a'].map((key) => answer(key).key)).toEqual(['a', 'a', 'b', 'b', 'a']);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('recent answers are kept, up to some number', () => {
  const { work, asked } = counted<number>();
  const answer = recentAnswers(work);
  const most = 1008;
  for (let round = 0; round < 2; round += 1)
    for (let key = 0; key < most; key += 1) expect(answer(key)).toEqual({ key });
  expect(asked.length).toBe(most);
  answer(most);
  answer(most);
  answer(0);
  expect(asked.length).toBe(most + 1);
  // The ones that came before are given up at once, but for the first few.
  expect(answer(most - 1)).toEqual({ key: most - 1 });
  expect(asked.length).toBe(most + 2);
});

test('what is written alike, and searches the same, is worked out once', () => {
  const text = 'a a "a" [1 TO 2] [1   TO 2] [1 TO 3] {1 TO 2] [1 TO 2} [0 TO 2] a~1 a~1 a~2 (b)';
  const { clauses } = viewed(text);
  let worked = 0;
  const number = perText(() => {
    worked += 1;
    return worked;
  });
  const found = clauses.map(({ clause, sought }) => number(clause, sought));
  expect(found).toEqual([1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9, 10]);
  const [first] = clauses;
  const [other] = viewed('msg:a').clauses;
  expect(first && other && number(first.clause, other.sought)).toBe(11);
});
