import { test } from 'vitest';
import { checkFindings, checkNone, keywords, texts } from '../check-findings.ts';

test.each([
  [
    'a word',
    `
a OR b OR a
          ^ Another part of this level says the same already
  Remove it: a OR b`,
  ],
  [
    'in other words',
    `
Timeout AND x AND "timeout"
                  ^^^^^^^^^ Another part of this level says the same already
  Remove it: Timeout AND x`,
  ],
  [
    'excluded twice',
    `
a AND NOT b AND NOT b
                ^^^^^ Another part of this level says the same already
  Remove it: a AND NOT b`,
  ],
  [
    'a group',
    `
(a OR b) AND c AND (a OR b)
                   ^^^^^^^^ Another part of this level says the same already
  Remove it: (a OR b) AND c`,
  ],
  [
    'a range',
    `
logCode:[1 TO 5] OR logCode:[1 TO 5]
                    ^^^^^^^^^^^^^^^^ Another part of this level says the same already
  Remove it: logCode:[1 TO 5]`,
  ],
  [
    'where AND and OR are mixed nothing is taken out',
    `
a OR a AND b AND b
                 ^ Another part of this level says the same already`,
  ],
  [
    'a phrase',
    `
"a b" "a b"
      ^^^^^ Another part of this level says the same already
  Remove it: "a b"`,
  ],
  [
    'where words would become one text nothing is taken out',
    `
"p" x "p" 9003
      ^^^ Another part of this level says the same already`,
  ],
  [
    'a value',
    `
logCode:9003 OR logCode:9003.0
                ^^^^^^^^^^^^^^ Another part of this level says the same already
  Remove it: logCode:9003`,
  ],
  [
    'an unknown field',
    `
foo:a OR foo:a
         ^^^^^ Another part of this level says the same already
  Remove it: foo:a`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('repeated-part', drawing);
});

test.each([
  [
    'in a run of words',
    `
a b a
    ^ Another part of this level says the same already
  Remove it: a b`,
    { schema: texts },
  ],
  [
    'a pattern',
    `
tim* OR tim*
        ^^^^ Another part of this level says the same already
  Remove it: tim*`,
    { dialect: 'lucene' },
  ],
  [
    'a distance',
    `
tine~1 OR tine~1
          ^^^^^^ Another part of this level says the same already
  Remove it: tine~1`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('repeated-part', drawing, given);
});

test.each([
  'a OR b',
  'a AND (b OR a)',
  'msg:a OR source:a',
  'a OR msg:a',
  '9003 a b OR 9003',
  'a AND b OR a',
  '"a b" OR (a b)',
  'tine~1 OR tine',
  '"a b"~2 OR "a b"',
  'logCode:>5 OR logCode:5',
  'msg:>a OR msg:a',
  '... OR ...',
])('%s is in order', (text) => {
  checkNone('repeated-part', text);
});

test.each([
  ['a b a', { schema: keywords }],
  ['a OR A', { schema: keywords }],
] as const)('%s is in order there', (text, given) => {
  checkNone('repeated-part', text, given);
});
