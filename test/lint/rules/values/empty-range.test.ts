import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'reversed',
    `
logCode:[9 TO 1]
        ^^^^^^^^ This range is empty: its lower bound is above its upper one
  Swap the bounds: logCode:[1 TO 9]`,
  ],
  [
    'reversed and excluded',
    `
logCode:{2 TO 1}
        ^^^^^^^^ This range is empty: its lower bound is above its upper one
  Swap and include the bounds: logCode:[1 TO 2]`,
  ],
  [
    'nothing between',
    `
logCode:{1 TO 2}
        ^^^^^^^^ This range is empty: nothing lies between its bounds
  Include the bounds: logCode:[1 TO 2]`,
  ],
  [
    'equal and excluded',
    `
elapsed:{5 TO 5}
        ^^^^^^^^ This range is empty: nothing lies between its bounds
  Include the bounds: elapsed:[5 TO 5]`,
  ],
  [
    'half',
    `
elapsed:[5 TO 5}
        ^^^^^^^^ This range is empty: nothing lies between its bounds
  Include the bounds: elapsed:[5 TO 5]`,
  ],
  [
    'dates',
    `
time:[2024-02-01 TO 2024-01-01]
     ^^^^^^^^^^^^^^^^^^^^^^^^^^ This range is empty: its lower bound is above its upper one
  Swap the bounds: time:[2024-01-01 TO 2024-02-01]`,
  ],
  [
    'with quotes',
    `
time:["2024-02-01T00:00:00" TO "2024-01-01T00:00:00"]
     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ This range is empty: its lower bound is above its upper one
  Swap the bounds: time:["2024-01-01T00:00:00" TO "2024-02-01T00:00:00"]`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('empty-range', drawing);
});

test.each([
  'logCode:[1 TO 9]',
  'elapsed:{1 TO 2}',
  'logCode:[5 TO 5]',
  'logCode:[a TO b]',
  'msg:[b TO a]',
  '[9 TO 1]',
  'logCode:[9 TO *]',
  'time:[2024-01-01 TO 2024-01-01]',
  'nosuch:[9 TO 1]',
])('%s is in order', (text) => {
  checkNone('empty-range', text);
});

test.each([
  [
    'beyond the last number',
    `
logCode:{9223372036854775807 TO *]
        ^^^^^^^^^^^^^^^^^^^^^^^^^^ This range is empty: nothing lies between its bounds
  Swap the bounds: logCode:{* TO 9223372036854775807]`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('empty-range', drawing);
});

test.each(['logCode:[abc TO 1]', String.raw`log\*:[9 TO 1]`, 'elapsed:[1 TO 1]'])(
  '%s is in order too',
  (text) => {
    checkNone('empty-range', text);
  },
);

test.each(['logCode:>9223372036854775807'])('%s is in order there', (text) => {
  checkNone('empty-range', text, { dialect: 'lucene' });
});

test.each(['requestID:[b TO a]'])('%s is in order there', (text) => {
  checkNone('empty-range', text, { schema: keywords });
});
