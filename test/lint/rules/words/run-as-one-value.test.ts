import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'on a number field',
    `
logCode:(9003 9004)
         ^^^^^^^^^ Words side by side are one text, and on "logCode" "9003 9004" is no number
  Put OR between them: logCode:(9003 OR 9004)`,
  ],
  [
    'on a date field',
    `
time:(2024-01-01 2024-01-02) AND a
      ^^^^^^^^^^^^^^^^^^^^^ Words side by side are one text, and on "time" "2024-01-01 2024-01-02" is no date
  Put OR between them: time:(2024-01-01 OR 2024-01-02) AND a`,
  ],
  [
    'as far as the words go',
    `
logCode:(1 2 "3" 4 5)
         ^^^ Words side by side are one text, and on "logCode" "1 2" is no number
  Put OR between them: logCode:(1 OR 2 "3" 4 5)
                 ^^^ Words side by side are one text, and on "logCode" "4 5" is no number
  Put OR between them: logCode:(1 2 "3" 4 OR 5)`,
  ],
  [
    'behind a comparison, whatever the field',
    `
msg:(>=foo bar)
     ^^^^^^^^^ Words side by side are one text, so all of "foo bar" is compared by ">="
  Put OR between them: msg:(>=foo OR bar)`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('run-as-one-value', drawing);
});

test.each([
  [
    'on a keyword field',
    `
logLevel:(SEVERE WARNING)
          ^^^^^^^^^^^^^^ Words side by side are one text, and on "logLevel" "SEVERE WARNING" is this one value
  Put OR between them: logLevel:(SEVERE OR WARNING)`,
    { schema: keywords },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('run-as-one-value', drawing, given);
});

test.each([
  'logCode:(9003 OR 9004)',
  'msg:(a b)',
  'msg:(a >=b)',
  '(>=a b)',
  'msg:(>=a OR b)',
  'a b',
  'nosuch:(a b)',
  'logCode:("1" "2")',
])('%s is in order', (text) => {
  checkNone('run-as-one-value', text);
});

test.each([String.raw`log\*:(a b)`])('%s is in order too', (text) => {
  checkNone('run-as-one-value', text);
});
