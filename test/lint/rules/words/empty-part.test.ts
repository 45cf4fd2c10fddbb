import { test } from 'vitest';
import { checkFindings, checkNone, keywords, texts } from '../check-findings.ts';

test.each([
  [
    'a phrase',
    `
"---" AND a
^^^^^ "---" has no letter and no digit to search for, so no log can match
  Remove it: a`,
  ],
  [
    'dots',
    `
a OR ...
     ^^^ "..." has no letter and no digit to search for, so it finds nothing
  Remove it: a`,
  ],
  [
    'excluded',
    `
a AND NOT "..."
          ^^^^^ "..." has no letter and no digit to search for, so it excludes nothing
  Remove it: a`,
  ],
  [
    'where only text is searched',
    `
msg:a AND msg:"--"
              ^^^^ "--" has no letter and no digit to search for, so the server leaves it out
  Remove it: msg:a`,
  ],
  [
    'alone in a group',
    `
a AND ("--")
       ^^^^ "--" has no letter and no digit to search for, so it finds nothing`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('empty-part', drawing);
});

test.each([
  [
    'alone',
    `
...
^^^ "..." has no letter and no digit to search for, so nothing is found`,
    { schema: texts },
  ],
  [
    'a lone dash',
    `
error - timeout
      ^ "-" has no letter and no digit to search for, so it finds nothing
  Remove it: error timeout`,
    { dialect: 'lucene' },
  ],
  [
    'all parts',
    `
"--" "..."
^^^^ "--" has no letter and no digit to search for, so nothing is found
  Remove it: "..."
     ^^^^^ "..." has no letter and no digit to search for, so nothing is found
  Remove it: "--"`,
    { schema: texts },
  ],
  [
    'words on both sides would become one text',
    `
a b - c d
    ^ "-" has no letter and no digit to search for, so it finds nothing
  Remove it: a b c d`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('empty-part', drawing, given);
});

test.each(['a', '"a --"', 'a , b', 'logCode:"--"', 'nosuch:"--"', '*', '/-/'])('%s is in order', (text) => {
  checkNone('empty-part', text);
});

test.each([['"--"', { schema: keywords }]] as const)('%s is in order there', (text, given) => {
  checkNone('empty-part', text, given);
});
