import { test } from 'vitest';
import { checkFindings, checkNone, texts } from '../check-findings.ts';

test.each([
  [
    'numbers on a field',
    `
logCode:9000 TO 9999
        ^^^^^^^^^^^^ "TO" makes a range only in brackets, as in [9000 TO 9999]
  Make it a range: logCode:[9000 TO 9999]`,
  ],
  [
    'in lower case',
    `
elapsed:1.5 to 2 AND a
        ^^^^^^^^ "TO" makes a range only in brackets, as in [1.5 TO 2]
  Make it a range: elapsed:[1.5 TO 2] AND a`,
  ],
  [
    'dates',
    `
time:2024-01-01 TO 2024-01-31
     ^^^^^^^^^^^^^^^^^^^^^^^^ "TO" makes a range only in brackets, as in [2024-01-01 TO 2024-01-31]
  Make it a range: time:[2024-01-01 TO 2024-01-31]`,
  ],
  [
    'without a field',
    `
9000 TO 9999
^^^^^^^^^^^^ "TO" makes a range only in brackets, as in [9000 TO 9999]
  Make it a range: logCode:[9000 TO 9999]`,
  ],
  [
    'in a group of a field',
    `
logCode:(9000 TO 9999)
         ^^^^^^^^^^^^ "TO" makes a range only in brackets, as in [9000 TO 9999]
  Make it a range: logCode:([9000 TO 9999])`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('range-without-brackets', drawing);
});

test.each([
  [
    'without a field for it',
    `
1 to 5
^^^^^^ "TO" makes a range only in brackets, as in [1 TO 5]
  Make it a range: [1 TO 5]`,
    { schema: texts },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('range-without-brackets', drawing, given);
});

test.each(['logCode:[9000 TO 9999]', 'a to b', 'to 5', '5 to', 'from 1 to "5"', 'TO'])(
  '%s is in order',
  (text) => {
    checkNone('range-without-brackets', text);
  },
);

test.each([
  [
    'dates',
    `
2024-01-01 TO 2024-02-01
^^^^^^^^^^^^^^^^^^^^^^^^ "TO" makes a range only in brackets, as in [2024-01-01 TO 2024-02-01]
  Make it a range: time:[2024-01-01 TO 2024-02-01]`,
  ],
  [
    'a number and a date',
    `
1 TO now
^^^^^^^^ "TO" makes a range only in brackets, as in [1 TO now]
  Make it a range: time:[1 TO now]`,
  ],
  [
    'behind NOT',
    `
NOT 1 TO 5
    ^^^^^^ "TO" makes a range only in brackets, as in [1 TO 5]
  Make it a range: NOT logCode:[1 TO 5]`,
  ],
  [
    'in a group of a field',
    `
msg:(1 TO 5)
     ^^^^^^ "TO" makes a range only in brackets, as in [1 TO 5]
  Make it a range: msg:([1 TO 5])`,
  ],
  [
    'two in a row',
    `
1 TO 5 TO 6
^^^^^^ "TO" makes a range only in brackets, as in [1 TO 5]
  Make it a range: logCode:[1 TO 5] TO 6`,
  ],
  [
    'in small letters, then in capitals',
    `
1 to 2 TO 3
^^^^^^ "TO" makes a range only in brackets, as in [1 TO 2]
  Make it a range: logCode:[1 TO 2] TO 3`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('range-without-brackets', drawing);
});

test.each(['1 TO', 'TO 5', '1 AND TO 5', '1 TO abc', 'abc TO 5'])('%s is in order too', (text) => {
  checkNone('range-without-brackets', text);
});

test.each(['1~1 TO 5', '1 TO 5~1'])('%s is in order there', (text) => {
  checkNone('range-without-brackets', text, { dialect: 'lucene' });
});

test.each([
  [
    'where there is no number',
    `
1 TO 5
^^^^^^ "TO" makes a range only in brackets, as in [1 TO 5]
  Make it a range: [1 TO 5]`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('range-without-brackets', drawing, { schema: texts });
});
