import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'other signs for AND and OR',
    `
a && b || c
  ^^ "&&" is no part of the documented language; it means AND
  Change to AND: a AND b || c
       ^^ "||" is no part of the documented language; it means OR
  Change to OR: a && b OR c`,
  ],
  [
    'other signs for NOT',
    `
a -b !c
  ^ "-" is no part of the documented language; it means NOT
  Change to NOT: a NOT b !c
     ^ "!" is no part of the documented language; it means NOT
  Change to NOT: a -b NOT c`,
  ],
  [
    'a sign that touches a word',
    `
a!b
 ^ "!" is no part of the documented language; it means NOT
  Change to NOT: a NOT b`,
  ],
  [
    'a sign in a group',
    `
(!a)
 ^ "!" is no part of the documented language; it means NOT
  Change to NOT: (NOT a)`,
  ],
  [
    'similar words',
    `
tine~1 OR "a b"~3
    ^^ "~1" is no part of the documented language; it finds similar words
  Remove it: tine OR "a b"~3
               ^^ "~3" is no part of the documented language; it allows words between those of the phrase
  Remove it: tine~1 OR "a b"`,
  ],
  [
    'a regular expression',
    `
/abc/
^^^^^ "/abc/" is a regular expression, which is no part of the documented language
  Put it in quotes: "/abc/"`,
  ],
  [
    'a comparison',
    `
elapsed:>5 AND logCode:<=9003
        ^^ ">" is no part of the documented language; a range says the same
  Make it a range: elapsed:{5 TO *} AND logCode:<=9003
                       ^^^^^^ "<=" is no part of the documented language; a range says the same
  Make it a range: elapsed:>5 AND logCode:[* TO 9003]`,
  ],
  [
    'a field that has a value',
    `
_exists_:msg
^^^^^^^^ "_exists_" is no part of the documented language; it asks whether a field has a value`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('undocumented-syntax', drawing);
});

test.each(['a AND b OR NOT c', '/a/b', '/ab+/', 'msg:>5', '>5', 'elapsed:> 5', 'a - b', '"~1"'])(
  '%s is in order',
  (text) => {
    checkNone('undocumented-syntax', text);
  },
);

test.each([['a && !b || /c/ tine~ elapsed:>5', { dialect: 'lucene' }]] as const)(
  '%s is in order there',
  (text, given) => {
    checkNone('undocumented-syntax', text, given);
  },
);
