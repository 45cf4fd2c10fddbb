import { test } from 'vitest';
import { checkFindings, checkNone } from './check-findings.ts';

test.each([
  [
    'text on a number field',
    `
logCode:abc
        ^^^ "abc" is no number, and "logCode" holds numbers`,
  ],
  [
    'a fraction on an integer field',
    `
logCode:1.5
        ^^^ "logCode" holds whole numbers, none of which is "1.5"`,
  ],
  [
    'more than 64 bits on an integer field',
    `
logCode:9223372036854775808
        ^^^^^^^^^^^^^^^^^^^ "9223372036854775808" is beyond the 64 bits that "logCode" holds`,
  ],
  [
    'more than a double on a decimal field',
    `
elapsed:1e400
        ^^^^^ "1e400" is beyond the doubles that "elapsed" holds`,
  ],
  [
    'a unit',
    `
elapsed:5s
        ^^ "5s" is no number, and "elapsed" holds numbers
  Change to 5: elapsed:5`,
  ],
  [
    'another unit',
    `
elapsed:[1.1ms TO 2min]
         ^^^^^ "1.1ms" is no number, and "elapsed" holds numbers
  Change to 0.0011: elapsed:[0.0011 TO 2min]
                  ^^^^ "2min" is no number, and "elapsed" holds numbers
  Change to 120: elapsed:[1.1ms TO 120]`,
  ],
  [
    'a comma',
    `
elapsed:1,5
        ^^^ "1,5" is no number, and "elapsed" holds numbers
  Change to 1.5: elapsed:1.5`,
  ],
  [
    'a list',
    `
logCode:9000,9003
        ^^^^^^^^^ "9000,9003" is no number, and "logCode" holds numbers
  Change to (9000 OR 9003): logCode:(9000 OR 9003)`,
  ],
  [
    'a range',
    `
logCode:9000-9999
        ^^^^^^^^^ "9000-9999" is no number, and "logCode" holds numbers
  Change to [9000 TO 9999]: logCode:[9000 TO 9999]`,
  ],
  [
    'a word on a date field',
    `
time:tomorrow
     ^^^^^^^^ "tomorrow" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z`,
  ],
  [
    'a day',
    `
time:yesterday AND a
     ^^^^^^^^^ "yesterday" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to [now-1d/d TO now-1d/d]: time:[now-1d/d TO now-1d/d] AND a`,
  ],
  [
    'a day as a bound',
    `
time:[yesterday TO now]
      ^^^^^^^^^ "yesterday" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to now-1d/d: time:[now-1d/d TO now]`,
  ],
  [
    'a blank',
    `
time:"2024-01-31 10:30:00"
     ^^^^^^^^^^^^^^^^^^^^^ "2024-01-31 10:30:00" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to "2024-01-31T10:30:00": time:"2024-01-31T10:30:00"`,
  ],
  [
    'dots',
    `
time:2024.01.31
     ^^^^^^^^^^ "2024.01.31" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to 2024-01-31: time:2024-01-31`,
  ],
  [
    'a day that is none',
    `
time:2024-02-30
     ^^^^^^^^^^ "2024-02-30" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z`,
  ],
  [
    'seconds',
    `
time:[1700000000 TO *]
      ^^^^^^^^^^ "time" counts milliseconds, and "1700000000" of them are a day in 1970
  Change to 1700000000000: time:[1700000000000 TO *]`,
  ],
  [
    'a unit on a field without one',
    `
logCode:5s
        ^^ "5s" is no number, and "logCode" holds numbers`,
  ],
  [
    'a bound that is a list',
    `
logCode:[1,2 TO 3]
         ^^^ "1,2" is no number, and "logCode" holds numbers`,
  ],
  [
    'three pieces',
    `
elapsed:1,2,3
        ^^^^^ "1,2,3" is no number, and "elapsed" holds numbers`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('value-type', drawing);
});

test.each([
  [
    'a comparison',
    `
elapsed:>5s
        ^^^ "5s" is no number, and "elapsed" holds numbers`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('value-type', drawing, given);
});

test.each([
  'logCode:9003',
  'logCode:"9003"',
  'elapsed:[1.5 TO *]',
  'logCode:[1.5 TO 2.5]',
  'time:2024-01-31',
  'time:1700000000000',
  'time:[now-1d/d TO now]',
  'msg:abc',
  'abc',
  'logCode:[* TO *]',
  'elapsed:"-5"',
  'elapsed:> 5',
  'logCode:“9003”',
])('%s is in order', (text) => {
  checkNone('value-type', text);
});
