import { test } from 'vitest';
import { checkFindings, checkNone, texts } from '../check-findings.ts';

test.each([
  [
    'a blank behind the sign',
    `
elapsed:> 5
        ^^^ The sign stands apart from its number, so "elapsed" is asked for ">" alone
  Make it a range: elapsed:{5 TO *}`,
  ],
  [
    'nothing behind the sign',
    `
elapsed:>
        ^ The sign stands apart from its number, so "elapsed" is asked for ">" alone`,
  ],
  [
    'without a field',
    `
>10
^^^ A comparison requires a field; without one ">" is no sign, and "10" a word
  Ask logCode: logCode:{10 TO *}
  Ask elapsed: elapsed:{10 TO *}`,
  ],
  [
    'a blank and no field',
    `
>= 10 AND a
^^^^^ A comparison requires a field; without one ">=" is no sign, and "10" a word
  Ask logCode: logCode:[10 TO *] AND a
  Ask elapsed: elapsed:[10 TO *] AND a`,
  ],
  [
    'words',
    `
elapsed:< many
        ^^^^^^ The sign stands apart from its number, so "elapsed" is asked for "<" alone`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('lone-comparison', drawing);
});

test.each([
  [
    'another sign',
    `
elapsed:<= 5 AND a
        ^^^^ The sign stands apart from its number, so "elapsed" is asked for "<=" alone
  Make it a range: elapsed:[* TO 5] AND a`,
    { dialect: 'lucene' },
  ],
  [
    'without a field for it',
    `
>10
^^^ A comparison requires a field; without one ">" is no sign, and "10" a word`,
    { schema: texts },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('lone-comparison', drawing, given);
});

test.each(['elapsed:>5', 'elapsed > 5', 'a > b', '<html>', 'msg:a', '">10"', 'nosuch:> 5'])(
  '%s is in order',
  (text) => {
    checkNone('lone-comparison', text);
  },
);

test.each([
  [
    'a date',
    `
time:> now
     ^^^^^ The sign stands apart from its number, so "time" is asked for ">" alone
  Make it a range: time:{now TO *}`,
  ],
  [
    'a date without a field',
    `
> 2024-01-01
^^^^^^^^^^^^ A comparison requires a field; without one ">" is no sign, and "2024-01-01" a word
  Ask time: time:{2024-01-01 TO *}`,
  ],
  [
    'two of them',
    `
< 5 AND elapsed:<
^^^ A comparison requires a field; without one "<" is no sign, and "5" a word
  Ask logCode: logCode:{* TO 5} AND elapsed:<
  Ask elapsed: elapsed:{* TO 5} AND elapsed:<
                ^ The sign stands apart from its number, so "elapsed" is asked for "<" alone`,
  ],
  [
    'a word of both',
    `
<=5
^^^ A comparison requires a field; without one "<=" is no sign, and "5" a word
  Ask logCode: logCode:[* TO 5]
  Ask elapsed: elapsed:[* TO 5]`,
  ],
  [
    'in front of a group',
    `
elapsed:> (5)
        ^ The sign stands apart from its number, so "elapsed" is asked for ">" alone`,
  ],
  [
    'in front of a sign',
    `
elapsed:> -5
        ^ The sign stands apart from its number, so "elapsed" is asked for ">" alone`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('lone-comparison', drawing);
});

test.each(['> a', '>', 'nosuch:>5', String.raw`log\*:> 5`])('%s is in order too', (text) => {
  checkNone('lone-comparison', text);
});

test.each([
  [
    'in front of a boost',
    `
elapsed:> 5^2
        ^ The sign stands apart from its number, so "elapsed" is asked for ">" alone`,
  ],
  [
    'with a distance',
    `
>5~1
^^^^ A comparison requires a field; without one ">" is no sign, and "5" a word
  Ask logCode: logCode:{5 TO *}
  Ask elapsed: elapsed:{5 TO *}`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('lone-comparison', drawing, { dialect: 'lucene' });
});

test.each(['elapsed:>x', '_exists_:>5'])('%s is in order there', (text) => {
  checkNone('lone-comparison', text, { dialect: 'lucene' });
});
