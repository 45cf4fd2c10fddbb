import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'in front of a word',
    `
NOT a b
^^^ NOT binds to the whole level, not to the part beside it: the server requires "b", and excludes "a"
  Write what was probably meant: (NOT a) OR b
  Write what the server does: NOT a AND b`,
  ],
  [
    'behind several words',
    `
a b NOT c
    ^^^ NOT binds to the whole level, not to the part beside it: the server requires "a" or "b", and excludes "c"
  Write what was probably meant: a OR (b AND NOT c)
  Write what the server does: (a b) AND NOT c`,
  ],
  [
    'between words',
    `
a NOT b c
  ^^^ NOT binds to the whole level, not to the part beside it: the server requires "a" or "c", and excludes "b"
  Write what was probably meant: (a AND NOT b) OR c
  Write what the server does: (a OR c) AND NOT b`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('not-among-words', drawing);
});

test.each([
  [
    'as a sign',
    `
a b -c
    ^ NOT binds to the whole level, not to the part beside it: the server requires "a" or "b", and excludes "c"
  Write what was probably meant: a OR (b AND NOT c)
  Write what the server does: (a b) AND NOT c`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('not-among-words', drawing, given);
});

test.each(['a NOT b', 'NOT a NOT b', 'a NOT b NOT c', '(a b) NOT c', 'a OR NOT b', 'NOT a', '-a', '+a -b'])(
  '%s is in order',
  (text) => {
    checkNone('not-among-words', text);
  },
);
