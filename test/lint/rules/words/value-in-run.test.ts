import { test } from 'vitest';
import { checkFindings, checkNone, keywords, texts } from '../check-findings.ts';

test.each([
  [
    'a code among words',
    `
error 9003 timeout
      ^^^^ With the words beside it this is one text, so it is not looked up as a value of "logCode"
  Ask logCode for it: error logCode:9003 timeout`,
  ],
  [
    'two codes',
    `
9003 9004
^^^^ With the words beside it this is one text, so it is not looked up as a value of "logCode"
  Ask logCode for it: logCode:9003 9004
     ^^^^ With the words beside it this is one text, so it is not looked up as a value of "logCode"
  Ask logCode for it: 9003 logCode:9004`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('value-in-run', drawing);
});

test.each([
  [
    'a level where it is a keyword',
    `
SEVERE timeout
^^^^^^ With the words beside it this is one text, so it is not looked up as a value of "logLevel"
  Ask logLevel for it: logLevel:SEVERE timeout`,
    { schema: keywords },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('value-in-run', drawing, given);
});

test.each([
  '9003',
  '9003 OR timeout',
  'msg:(9003 timeout)',
  'error 500',
  'error 2147483648',
  '9003 TO 9999',
  'timeout "a" 9003',
  'SEVERE timeout',
])('%s is in order', (text) => {
  checkNone('value-in-run', text);
});

test.each([
  ['9003 timeout', { schema: texts }],
  ['severe timeout', { schema: keywords }],
] as const)('%s is in order there', (text, given) => {
  checkNone('value-in-run', text, given);
});
