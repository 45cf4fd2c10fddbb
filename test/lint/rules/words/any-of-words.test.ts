import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/lint/validate.ts';
import { match } from '../../../../src/language/meaning/match.ts';
import { resolve } from '../../../../src/language/meaning/resolve.ts';
import { parse } from '../../../../src/language/parse/parse.ts';
import { checkFindings, checkNone } from '../check-findings.ts';

const code = 'any-of-words';

test.each([
  [
    'two words',
    `
timed out
^^^^^^^^^ This finds logs with either of "timed" and "out" anywhere; a phrase stands in quotes
  Put the phrase in quotes: "timed out"
  Ask for all of the words: timed AND out`,
  ],
  [
    'four, with blanks around and between',
    `
 out  of memory today
 ^^^^^^^^^^^^^^^^^^^^ This finds logs with any of "out", "of", "memory" and "today" anywhere; a phrase stands in quotes
  Put the phrase in quotes:  "out of memory today"
  Ask for all of the words:  out  AND of AND memory AND today`,
  ],
  [
    'a number that is no code',
    `
error 500 tile
^^^^^^^^^^^^^^ This finds logs with any of "error", "500" and "tile" anywhere; a phrase stands in quotes
  Put the phrase in quotes: "error 500 tile"
  Ask for all of the words: error AND 500 AND tile`,
  ],
  [
    'an apostrophe, and letters beyond ASCII',
    `
can't größe
^^^^^^^^^^^ This finds logs with either of "can't" and "größe" anywhere; a phrase stands in quotes
  Put the phrase in quotes: "can't größe"
  Ask for all of the words: can't AND größe`,
  ],
  [
    'an escape, which quotes make needless',
    `
\\OR gate
^^^^^^^^ This finds logs with either of "\\OR" and "gate" anywhere; a phrase stands in quotes
  Put the phrase in quotes: "OR gate"
  Ask for all of the words: \\OR AND gate`,
  ],
])('%s', (_title, drawing) => {
  checkFindings(code, drawing);
});

test.each([
  'timeout',
  '"timed out"',
  'timed OR out',
  'timed AND out',
  'timed NOT out',
  '+timed out',
  'timed out*',
  'timed out~',
  'timed out^2',
  'msg:timed out',
  'msg:(timed out)',
  '(timed out)',
  'timed "out"',
  'timed out logLevel:SEVERE',
  'timed - out',
  'a b c d e',
])('%s is not one list of few words', (text) => {
  checkNone(code, text);
});

test.each([
  'timeout 9003',
  'timed-out request',
  'timeout and refused',
  'logLevel = SEVERE',
  '“timed out”',
  '9000 TO 9999',
])('%s is the matter of another rule', (text) => {
  checkNone(code, text);
});

test('it is a hint, and true', () => {
  const { query } = parse('timed out');
  expect(validate(query).map((each) => [each.code, each.severity])).toEqual([[code, 'hint']]);
  const filter = resolve(query);
  for (const [msg, isFound] of [
    ['The job timed out', true],
    ['Signed out', true],
    ['Out of memory, timed', true],
    ['Timeout', false],
  ] as const)
    expect(match(filter, { msg }), msg).toBe(isFound);
});
