import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'and',
    `
disk and full
     ^^^ "and" is a word to search for; operators are in upper case
  Change to AND: disk AND full`,
  ],
  [
    'or, and not',
    `
failed or not found
       ^^ "or" is a word to search for; operators are in upper case
  Change to OR: failed OR not found
          ^^^ "not" is a word to search for; operators are in upper case
  Change to NOT: failed or NOT found`,
  ],
  [
    'as written in a sentence',
    `
a And b Or c
  ^^^ "And" is a word to search for; operators are in upper case
  Change to AND: a AND b Or c
        ^^ "Or" is a word to search for; operators are in upper case
  Change to OR: a And b OR c`,
  ],
  [
    'not after a real operator',
    `
a AND not b
      ^^^ "not" is a word to search for; operators are in upper case
  Change to NOT: a AND NOT b`,
  ],
  [
    'signs',
    `
a & b | c
  ^ "&" is no operator; it is left out
  Change to AND: a AND b | c
      ^ "|" is no operator; it is left out
  Change to OR: a & b OR c`,
  ],
  [
    'in a group',
    `
msg:(a or b)
       ^^ "or" is a word to search for; operators are in upper case
  Change to OR: msg:(a OR b)`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('operator-like-word', drawing);
});

test.each([
  'and',
  'and a',
  'a or',
  'a AND and AND b',
  'a OR "and" OR b',
  'msg:and b',
  'a and AND b',
  'a not NOT b',
  'not',
  'a -and b',
  '“a and b”',
  'android or',
  'a to b',
])('%s is in order', (text) => {
  checkNone('operator-like-word', text);
});
