import { expect, test } from 'vitest';
import type { StoredExport } from '../../src/case/contents/exports.ts';
import { addObserved, readObserved } from '../../src/export/decide/observed-behaviour.ts';
import type { ReplySummary } from '../../src/export/decide/reply-checks.ts';
import {
  clipChecks,
  confirmsExactChecks,
  controlCheck,
  countMissing,
  detectCap,
  exactCheck,
  lowerBoundChecks,
  noLogsCheck,
  readExpected,
  requestedTimes,
  writeExpected,
} from '../../src/export/decide/reply-checks.ts';

function surveyOf(...logs: readonly (readonly [time: number | undefined, print: number])[]): ReplySummary {
  const times = logs.map(([time]) => time);
  const prints = logs.map(([, print]) => print);
  return { times, fingerprints: prints, found: 0, stored: 0, storedTimes: [], outside: 0, keys: [] };
}

const most = 2 ** 48 - 1;
const first = surveyOf([undefined, 5], [4, 9], [3, most], [2, 3], [1, 9]);
const shown = exactCheck(first, { oldest: 2, newest: 3 });

test('the logs of some times are shown by their number and the sum of their prints', () => {
  expect(shown).toEqual({ oldest: 2, newest: 3, count: 2, print: 2, kind: 'exact' });
});

test.each([
  ['the same logs in another order, between others', surveyOf([2, 3], [3, most], [0, 1]), true],
  ['another log in the place of one', surveyOf([2, 4], [3, most]), false],
  ['a log less', surveyOf([2, 2]), false],
  ['none of them', surveyOf(), false],
])('a second reply with %s', (_what, second, expected) => {
  expect(confirmsExactChecks(second, [shown])).toBe(expected);
});

test('no logs where none were seen prove nothing, and logs there are others', () => {
  const none = [noLogsCheck(2, 3)];
  expect(confirmsExactChecks(surveyOf([1, 1]), none)).toBeUndefined();
  expect(confirmsExactChecks(surveyOf([2, 0]), none)).toBe(false);
});

/** Logs at these times, all alike. */
const at = (...times: readonly number[]) => surveyOf(...times.map((time) => [time, 1] as const));

test('logs that were seen are lower bounds of all parts of their times, however many they are', () => {
  const times = Array.from({ length: 100 }, (_, index) => 10 + index * 3);
  const seen = lowerBoundChecks(at(...times), { oldest: 0, newest: 400 }, 100);
  expect(seen.length).toBeLessThanOrEqual(9);
  expect(seen.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  expect([seen[0]?.oldest, seen.at(-1)?.newest]).toEqual([0, 400]);
  for (const [index, { oldest }] of seen.slice(1).entries())
    expect(oldest).toBe((seen[index]?.newest ?? 0) + 1);
  expect(readExpected(writeExpected(seen))).toEqual(seen);
  expect(countMissing(at(...times), seen)).toBe(0);
  expect(countMissing(at(...times.slice(0, 40)), seen)).toBe(60);
  // Logs that come late elsewhere do not make up for those that are missing.
  expect(countMissing(at(...times.slice(39), ...times.slice(39)), seen)).toBe(39);
});

test('more logs than a reply has shown prove that it was cut off at its size, a late one aside', () => {
  const seen = lowerBoundChecks(at(300, 301), { oldest: 0, newest: 301 }, 200);
  expect(detectCap(at(300, 301), seen)).toBeUndefined();
  expect(detectCap(at(200, 300, 301), seen)).toBeUndefined();
  expect(detectCap(at(100, 150, 200, 300, 301), seen)).toBe(200);
  expect(detectCap(at(1, 2, 3), [noLogsCheck(0, 9)])).toBeUndefined();
});

test('a log that is known has to come along', () => {
  const checks = [controlCheck(50)];
  expect(requestedTimes({ oldest: 10, newest: 20 }, checks)).toEqual({ oldest: 10, newest: 50 });
  expect(countMissing(at(15), checks)).toBe(1);
  expect(countMissing(at(50), checks)).toBe(0);
});

test('of checks that a window is cut through only the absence of a lower bound is left', () => {
  const empty = { oldest: 0, newest: 9, count: 0, print: 0, kind: 'least', records: 20 } as const;
  const some = { ...empty, oldest: 10, newest: 19, count: 4 };
  const checks = [empty, some, noLogsCheck(0, 9)];
  expect(clipChecks({ oldest: 5, newest: 14 }, checks)).toEqual([{ ...empty, oldest: 5 }]);
  expect(clipChecks({ oldest: 10, newest: 30 }, checks)).toEqual([some]);
  expect(clipChecks({ oldest: 0, newest: 9 }, checks)).toEqual([empty, noLogsCheck(0, 9)]);
});

test('a check as an older version stored it is exact', () => {
  expect(readExpected('{"oldest":1,"newest":2,"count":3,"print":4}')).toEqual([
    { oldest: 1, newest: 2, count: 3, print: 4, kind: 'exact' },
  ]);
});

test('observed behaviour stays until an observation contradicts it', () => {
  const stored: StoredExport = {
    export: 1,
    deployment: '',
    request: {},
    settings: {},
    oldest: 1,
    newest: 9,
    learnt: {},
    started: 0,
  };
  const once = addObserved(stored, { order: 'trusted', begins: 'asked' });
  expect(readObserved(once)).toEqual({ order: 'trusted', begins: 'asked' });
  expect(readObserved(addObserved(once, { order: 'untrusted', windowBy: undefined }))).toEqual({
    order: 'untrusted',
    begins: 'asked',
  });
});
