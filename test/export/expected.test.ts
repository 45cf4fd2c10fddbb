import { expect, test } from 'vitest';
import { nothing, shownBy, showsAgain } from '../../src/export/windows/expected.ts';
import { readLearnt, withLearnt } from '../../src/export/windows/learnt.ts';
import type { Survey } from '../../src/export/windows/survey.ts';
import type { StoredExport } from '../../src/store/index.ts';

function surveyOf(...logs: readonly (readonly [time: number | undefined, print: number])[]): Survey {
  const times = logs.map(([time]) => time);
  const prints = logs.map(([, print]) => print);
  return { times, prints, found: 0, kept: 0, keptTimes: [], outside: 0, keys: [] };
}

const most = 2 ** 48 - 1;
const first = surveyOf([undefined, 5], [4, 9], [3, most], [2, 3], [1, 9]);
const shown = shownBy(first, { oldest: 2, newest: 3 });

test('the logs of some times are shown by their number and the sum of their prints', () => {
  expect(shown).toEqual({ oldest: 2, newest: 3, count: 2, print: 2 });
});

test.each([
  ['the same logs in another order, between others', surveyOf([2, 3], [3, most], [0, 1]), true],
  ['another log in the place of one', surveyOf([2, 4], [3, most]), false],
  ['a log less', surveyOf([2, 2]), false],
  ['none of them', surveyOf(), false],
])('a second reply with %s', (_what, second, expected) => {
  expect(showsAgain(second, JSON.stringify(shown))).toBe(expected);
});

test('no logs where none were seen prove nothing, and logs there are others', () => {
  const none = JSON.stringify(nothing(2, 3));
  expect(showsAgain(surveyOf([1, 1]), none)).toBeUndefined();
  expect(showsAgain(surveyOf([2, 0]), none)).toBe(false);
});

test('what an export has learnt stays until it learns otherwise', () => {
  const kept: StoredExport = {
    ...{ export: 1, deployment: '', request: {}, settings: {}, oldest: 1, newest: 9, learnt: {}, started: 0 },
  };
  const once = withLearnt(kept, { order: 'trusted', begins: 'asked' });
  expect(readLearnt(once)).toEqual({ order: 'trusted', begins: 'asked' });
  expect(readLearnt(withLearnt(once, { order: 'untrusted', windowBy: undefined }))).toEqual({
    ...{ order: 'untrusted', begins: 'asked' },
  });
});
