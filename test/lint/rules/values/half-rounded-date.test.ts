import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'the end of a month',
    `
time:[* TO 2024-02]
           ^^^^^^^ "2024-02" is 2024-02-01, so this ends with that day
  Name its last day: time:[* TO 2024-02-29]`,
  ],
  [
    'the end of a year',
    `
time:[2023 TO 2024]
              ^^^^ "2024" is 2024-01-01, so this ends with that day
  Name its last day: time:[2023 TO 2024-12-31]`,
  ],
  [
    'after a month',
    `
time:{2024-01 TO *}
      ^^^^^^^ "2024-01" is 2024-01-01, so this begins after that day
  Name its last day: time:{2024-01-31 TO *}`,
  ],
  [
    'a month',
    `
time:2024-01
     ^^^^^^^ "2024-01" is 2024-01-01, so this asks for that day alone
  Ask for all of its days: time:[2024-01-01 TO 2024-01-31]`,
  ],
  [
    'a year in quotes',
    `
time:"2024"
     ^^^^^^ "2024" is 2024-01-01, so this asks for that day alone
  Ask for all of its days: time:[2024-01-01 TO 2024-12-31]`,
  ],
  [
    'with quotes',
    `
time:[* TO "2024-02"]
           ^^^^^^^^^ "2024-02" is 2024-02-01, so this ends with that day
  Name its last day: time:[* TO "2024-02-29"]`,
  ],
  [
    'an early year',
    `
time:[* TO 0096-02]
           ^^^^^^^ "0096-02" is 0096-02-01, so this ends with that day
  Name its last day: time:[* TO 0096-02-29]`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('half-rounded-date', drawing);
});

test.each([
  [
    'a comparison',
    `
time:<=2024-01
     ^^^^^^^^^ "2024-01" is 2024-01-01, so this ends with that day
  Name its last day: time:<=2024-01-31`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('half-rounded-date', drawing, given);
});

test.each([
  'time:[2024-01 TO 2024-01-31]',
  'time:[2024-01 TO 2024-02}',
  'time:2024-01-01',
  'time:[* TO 2024-01-31]',
  'time:2024-01||/M',
  'logCode:2024',
  'time:[* TO now/M]',
  'time:2024-01 TO 2024-03',
])('%s is in order', (text) => {
  checkNone('half-rounded-date', text);
});
