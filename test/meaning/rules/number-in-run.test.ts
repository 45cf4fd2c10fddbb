import { test } from 'vitest';
import { checkFindings, checkNone, texts } from './check-findings.ts';

test.each([
  [
    'among words',
    `
error 9003 timeout
      ^^^^ Words side by side are one text, which is no number, so this is not looked up in "logCode"
  Ask logCode for it: error logCode:9003 timeout`,
  ],
  [
    'two numbers',
    `
9003 9004
^^^^ Words side by side are one text, which is no number, so this is not looked up in "logCode"
  Ask logCode for it: logCode:9003 9004
     ^^^^ Words side by side are one text, which is no number, so this is not looked up in "logCode"
  Ask logCode for it: 9003 logCode:9004`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('number-in-run', drawing);
});

test.each([
  '9003',
  '9003 OR timeout',
  'msg:(9003 timeout)',
  'error 500',
  'error 2147483648',
  '9003 TO 9999',
  'timeout "a" 9003',
])('%s is in order', (text) => {
  checkNone('number-in-run', text);
});

test.each([['9003 timeout', { schema: texts }]] as const)('%s is in order there', (text, given) => {
  checkNone('number-in-run', text, given);
});
