import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'beside parts joined by AND',
    `
a OR b AND c
^ This part filters nothing: beside a required part an optional one only counts for the order by best match
  Remove it: b AND c`,
  ],
  [
    'neighbours are one finding',
    `
a OR "b c" OR d AND e
^^^^^^^^^^ These 2 parts filter nothing: beside a required part an optional one only counts for the order by best match
  Remove it: d AND e`,
  ],
  [
    'at several places',
    `
a OR b AND c OR d
^ This part filters nothing: beside a required part an optional one only counts for the order by best match
  Remove it: b AND c OR d
                ^ This part filters nothing: beside a required part an optional one only counts for the order by best match
  Remove it: a OR b AND c`,
  ],
  [
    'words that belong together',
    `
a AND b c d
        ^^^ This part filters nothing: beside a required part an optional one only counts for the order by best match
  Remove it: a AND b`,
  ],
  [
    'the parts on both sides stay apart',
    `
a AND b OR c(d OR e)
           ^^^^^^^^^ These 2 parts filter nothing: beside a required part an optional one only counts for the order by best match
  Remove it: a AND b`,
  ],
  [
    'at the end of a group',
    `
(a AND b OR c)d
            ^ This part filters nothing: beside a required part an optional one only counts for the order by best match
  Remove it: (a AND b)d`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('optional-part', drawing);
});

test.each([
  [
    'beside a part with a plus',
    `
+a b
   ^ This part filters nothing: beside a required part an optional one only counts for the order by best match
  Remove it: +a`,
    { dialect: 'lucene' },
  ],
  [
    'words on both sides would become one text',
    `
+x a b (c OR d) e f
   ^^^^^^^^^^^^^^^^ These 3 parts filter nothing: beside a required part an optional one only counts for the order by best match
  Remove it: +x`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('optional-part', drawing, given);
});

test.each(['a b', 'a AND b', 'a OR b', 'a NOT b', '(a OR b) AND c', '+a +b', '“a b” AND c'])(
  '%s is in order',
  (text) => {
    checkNone('optional-part', text);
  },
);
