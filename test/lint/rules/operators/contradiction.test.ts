import { test } from 'vitest';
import { checkFindings, checkNone, texts } from '../check-findings.ts';

test.each([
  [
    'required and excluded',
    `
a AND NOT a
      ^^^^^ This is excluded, but another part requires it, so no log can match`,
  ],
  [
    'asked for and excluded',
    `
a OR NOT a
     ^^^^^ This is excluded, but another part asks for it, and finds nothing`,
  ],
  [
    'in other words',
    `
Timeout AND NOT "timeout"
            ^^^^^^^^^^^^^ This is excluded, but another part requires it, so no log can match`,
  ],
  [
    'in a group',
    `
b OR (msg:a AND NOT msg:A)
                ^^^^^^^^^ This is excluded, but another part requires it, so no log can match`,
  ],
  [
    'ranges',
    `
logCode:[1 TO 5] AND NOT logCode:[1 TO 5]
                     ^^^^^^^^^^^^^^^^^^^^ This is excluded, but another part requires it, so no log can match`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('contradiction', drawing);
});

test.each([
  [
    'a word of several',
    `
a b NOT a
    ^^^^^ This is excluded, but another part asks for it, and finds nothing`,
    { schema: texts },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('contradiction', drawing, given);
});

test.each([
  'a AND NOT b',
  'a AND (NOT a)',
  'NOT a AND NOT a',
  'msg:a AND NOT source:a',
  'msg:a AND NOT a',
  '"a b" AND NOT (a b)',
  'NOT a',
])('%s is in order', (text) => {
  checkNone('contradiction', text);
});
