import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'after OR',
    `
a OR NOT b
     ^^^ NOT binds to the whole level, not to OR: the server requires "a", and excludes "b"
  Write what was probably meant: a OR (NOT b)
  Write what the server does: a AND NOT b`,
  ],
  [
    'before OR',
    `
NOT a OR b
^^^ NOT binds to the whole level, not to OR: the server requires "b", and excludes "a"
  Write what was probably meant: (NOT a) OR b
  Write what the server does: NOT a AND b`,
  ],
  [
    'on both sides',
    `
NOT a OR NOT b
^^^ NOT binds to the whole level, not to OR: the server excludes "a" and "b"
  Write what was probably meant: (NOT a) OR (NOT b)
  Write what the server does: NOT a AND NOT b`,
  ],
  [
    'among others',
    `
a OR b OR NOT c
          ^^^ NOT binds to the whole level, not to OR: the server requires "a" or "b", and excludes "c"
  Write what was probably meant: a OR b OR (NOT c)
  Write what the server does: (a OR b) AND NOT c`,
  ],
  [
    'in a group',
    `
logLevel:(SEVERE OR NOT WARNING) AND a
                    ^^^ NOT binds to the whole level, not to OR: the server requires "SEVERE", and excludes "WARNING"
  Write what was probably meant: logLevel:(SEVERE OR (NOT WARNING)) AND a
  Write what the server does: logLevel:(SEVERE AND NOT WARNING) AND a`,
  ],
  [
    'beside words without an operator',
    `
a b OR NOT c
       ^^^ NOT binds to the whole level, not to OR: the server requires "a" or "b", and excludes "c"
  Write what was probably meant: a OR b OR (NOT c)
  Write what the server does: (a OR b) AND NOT c`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('loose-not', drawing);
});

test.each([
  [
    'as a sign',
    `
a || !b
     ^ NOT binds to the whole level, not to OR: the server requires "a", and excludes "b"
  Write what was probably meant: a OR (NOT b)
  Write what the server does: a AND NOT b`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('loose-not', drawing, given);
});

test.each([
  'NOT a',
  'a AND NOT b',
  'a NOT b',
  'a OR (NOT b)',
  'NOT a AND NOT b',
  '(NOT a) OR b',
  'a AND b OR NOT c',
  'NOT a b',
  'a OR NOT',
])('%s is in order', (text) => {
  checkNone('loose-not', text);
});
