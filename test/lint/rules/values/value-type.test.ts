import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

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
     ^^^^^^^^^^ "2024-02-30" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to 2024-02-29: time:2024-02-29`,
  ],
  [
    'a day that is none at the ends of an interval',
    `
time:[2024-02-30 TO 2024-04-31]
      ^^^^^^^^^^ "2024-02-30" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to 2024-02-29: time:[2024-02-29 TO 2024-04-31]
                    ^^^^^^^^^^ "2024-04-31" is no date; the engine reads it as 2024-04-30 here
  Change to 2024-04-30: time:[2024-02-30 TO 2024-04-30]`,
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
  // As Java reads a decimal.
  'elapsed:3D',
  'elapsed:> 5',
  'logCode:“9003”',
])('%s is in order', (text) => {
  checkNone('value-type', text);
});

test.each([
  [
    'seconds of three letters',
    `
elapsed:5sec
        ^^^^ "5sec" is no number, and "elapsed" holds numbers
  Change to 5: elapsed:5`,
  ],
  [
    'minutes of one letter',
    `
elapsed:5m
        ^^ "5m" is no number, and "elapsed" holds numbers
  Change to 300: elapsed:300`,
  ],
  [
    'hours',
    `
elapsed:0.1h
        ^^^^ "0.1h" is no number, and "elapsed" holds numbers
  Change to 360: elapsed:360`,
  ],
  [
    'a range with dots',
    `
logCode:1..5
        ^^^^ "1..5" is no number, and "logCode" holds numbers
  Change to [1 TO 5]: logCode:[1 TO 5]`,
  ],
  [
    'no range',
    `
logCode:1-5x
        ^^^^ "1-5x" is no number, and "logCode" holds numbers`,
  ],
  [
    'a range as a bound',
    `
logCode:[1-2 TO 5]
         ^^^ "1-2" is no number, and "logCode" holds numbers`,
  ],
  [
    'no list',
    `
logCode:1,2x
        ^^^^ "1,2x" is no number, and "logCode" holds numbers`,
  ],
  [
    'a day in capitals',
    `
time:TODAY
     ^^^^^ "TODAY" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to [now/d TO now/d]: time:[now/d TO now/d]`,
  ],
  [
    'slashes and a blank',
    `
time:"2024/01/31 10:30"
     ^^^^^^^^^^^^^^^^^^ "2024/01/31 10:30" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to "2024-01-31T10:30": time:"2024-01-31T10:30"`,
  ],
  [
    'slashes and a blank in a bound',
    `
time:["2024/01/31 10:30" TO *]
      ^^^^^^^^^^^^^^^^^^ "2024/01/31 10:30" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to 2024-01-31T10:30: time:[2024-01-31T10:30 TO *]`,
  ],
  [
    'dots without a day',
    `
time:[2024.01 TO 2024.02.01]
      ^^^^^^^ "time" counts milliseconds, and "2024.01" of them are a day in 1970
                 ^^^^^^^^^^ "2024.02.01" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z
  Change to 2024-02-01: time:[2024.01 TO 2024-02-01]`,
  ],
  [
    'seconds as an upper bound',
    `
time:[* TO 1700000000}
           ^^^^^^^^^^ "time" counts milliseconds, and "1700000000" of them are a day in 1970
  Change to 1700000000000: time:[* TO 1700000000000}`,
  ],
  [
    'what is no number by name',
    `
logCode:NaN
        ^^^ "NaN" is no number, and "logCode" holds numbers`,
  ],
  [
    'a unit in quotes',
    `
elapsed:"5s"
        ^^^^ "5s" is no number, and "elapsed" holds numbers
  Change to 5: elapsed:5`,
  ],
  [
    'a fraction in quotes',
    `
logCode:"1.5"
        ^^^^^ "logCode" holds whole numbers, none of which is "1.5"`,
  ],
  [
    'a bound beyond the doubles',
    `
elapsed:[1e400 TO *]
         ^^^^^ "1e400" is beyond the doubles that "elapsed" holds`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('value-type', drawing);
});

test.each(['time:2700000000', 'time:17000000001', 'logCode:[1.5 TO *]'])('%s is in order too', (text) => {
  checkNone('value-type', text);
});

test.each([
  [
    'a comparison with a comma',
    `
elapsed:>1,5
        ^^^^ "1,5" is no number, and "elapsed" holds numbers`,
  ],
  [
    'a comparison beyond 64 bits',
    `
logCode:>=9223372036854775808
        ^^^^^^^^^^^^^^^^^^^^^ "9223372036854775808" is beyond the 64 bits that "logCode" holds`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('value-type', drawing, { dialect: 'lucene' });
});

test.each(['logCode:>1.5'])('%s is in order there', (text) => {
  checkNone('value-type', text, { dialect: 'lucene' });
});

test.each([
  [
    'what only begins like a date',
    `
time:2024.01.31x
     ^^^^^^^^^^^ "2024.01.31x" is no date, and "time" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z`,
  ],
  [
    'seconds',
    `
elapsed:7s
        ^^ "7s" is no number, and "elapsed" holds numbers
  Change to 7: elapsed:7`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('value-type', drawing);
});

test.each(['requestID:abc'])('%s is in order there', (text) => {
  checkNone('value-type', text, { schema: keywords });
});
