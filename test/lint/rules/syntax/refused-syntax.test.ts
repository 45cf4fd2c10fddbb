import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'a prefix',
    `
tim* AND x
^^^^ The server refuses "tim*": it has no wildcards and finds whole words only
  Put it in quotes: "tim*" AND x`,
  ],
  [
    'a wildcard',
    `
t?me
^^^^ The server refuses "t?me": it has no wildcards and finds whole words only
  Put it in quotes: "t?me"`,
  ],
  [
    'a question',
    `
why?
^^^^ The server refuses "why?": it has no wildcards and finds whole words only
  Put it in quotes: "why?"`,
  ],
  [
    'everything',
    `
msg:* OR *:*
    ^ The server refuses "*": it has no wildcards and finds whole words only
         ^ The server refuses "*" as the name of a field
           ^ The server refuses "*": it has no wildcards and finds whole words only`,
  ],
  [
    'an expression for a phrase',
    `
msg:/.*timed out.*/
    ^^^^^^^^^^^^^^^ The server refuses "/.*timed out.*/": it has no regular expressions
  Put the phrase in quotes: msg:"timed out"`,
  ],
  [
    'any other expression',
    `
msg:/tim.*out/
    ^^^^^^^^^^ The server refuses "/tim.*out/": it has no regular expressions
  Put it in quotes: msg:"/tim.*out/"`,
  ],
  [
    'with escapes',
    String.raw`
foo\?ba?r
^^^^^^^^^ The server refuses "foo\?ba?r": it has no wildcards and finds whole words only
  Put it in quotes: "foo?ba?r"`,
  ],
  [
    'a boost',
    `
a^2 OR (b c)^3 OR "d"^1.5
 ^^ The server refuses "^2"; a boost changes no result
  Remove it: a OR (b c)^3 OR "d"^1.5
            ^^ The server refuses "^3"; a boost changes no result
  Remove it: a^2 OR (b c) OR "d"^1.5
                     ^^^^ The server refuses "^1.5"; a boost changes no result
  Remove it: a^2 OR (b c)^3 OR "d"`,
  ],
  [
    'a boost on a range',
    `
logCode:[1 TO 5]^2
                ^^ The server refuses "^2"; a boost changes no result
  Remove it: logCode:[1 TO 5]`,
  ],
  [
    'plus signs',
    `
+a +b
^ The server refuses a plus sign; AND makes a part required
  Write what the server does: a AND b
   ^ The server refuses a plus sign; AND makes a part required
  Write what the server does: a AND b`,
  ],
  [
    'a plus sign and an option',
    `
+a b
^ The server refuses a plus sign; AND makes a part required
  Write what the server does: a`,
  ],
  [
    'a plus sign inside a word',
    `
C++ OR a+b
^^^ The server refuses a plus sign without quotes, as in "C++"
  Put it in quotes: "C++" OR a+b
       ^^^ The server refuses a plus sign without quotes, as in "a+b"
  Put it in quotes: C++ OR "a+b"`,
  ],
  [
    'a lone plus sign',
    `
a + b
  ^ The server refuses a plus sign without quotes, as in "+"`,
  ],
  [
    'a regular expression',
    `
/ab+c/
^^^^^^ The server refuses "/ab+c/": it has no regular expressions
  Put it in quotes: "/ab+c/"`,
  ],
  [
    'the name of a field',
    `
a+b:x
^^^ The server refuses "a+b" as the name of a field`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('refused-syntax', drawing);
});

test.each([
  'a',
  '"tim*"',
  String.raw`tim\*`,
  String.raw`C\+\+`,
  'elapsed:[* TO 5]',
  '/abc/',
  'http://host/a?b',
  '-a',
  String.raw`log\*:x`,
])('%s is in order', (text) => {
  checkNone('refused-syntax', text);
});

test.each([['tim* a^2 +b', { dialect: 'lucene' }]] as const)('%s is in order there', (text, given) => {
  checkNone('refused-syntax', text, given);
});

test.each([
  [
    'a path',
    `
path:/a+b/c
     ^^^^^ The server refuses "/a+b/": it has no regular expressions
  Put it in quotes: path:"/a+b/c"`,
  ],
  [
    'a path with a star',
    `
a/b*c/d
 ^^^^^ The server refuses "/b*c/": it has no regular expressions
  Put it in quotes: "a/b*c/d"`,
  ],
  [
    'a path behind a label',
    `
a:/b+ c/
  ^^^^^^ The server refuses "/b+ c/": it has no regular expressions
  Put it in quotes: "a:/b+ c/"`,
  ],
  [
    'a field without a colon',
    `
msg=C++
^^^^^^^ The server refuses a plus sign without quotes, as in "msg=C++"
  Ask the field: msg:"C++"`,
  ],
  [
    'numbers with exponents',
    `
elapsed:1e+5 TO 2e+6
        ^^^^ The server refuses a plus sign without quotes, as in "1e+5"
  Make it a range: elapsed:[1e+5 TO 2e+6]
                ^^^^ The server refuses a plus sign without quotes, as in "2e+6"
  Make it a range: elapsed:[1e+5 TO 2e+6]`,
  ],
  [
    'quotes that do not quote',
    `
“a+b c”
^^^^ The server refuses a plus sign without quotes, as in "“a+b"
  Change them to straight double quotes: "a+b c"`,
  ],
  [
    'a plus sign beside such quotes',
    `
“a”+ b
^^^^ The server refuses a plus sign without quotes, as in "“a”+"`,
  ],
  [
    'a plus sign in front of such quotes',
    `
a+“b c”
^^^^ The server refuses a plus sign without quotes, as in "a+“b"
  Put it in quotes: "a+“b" c”`,
  ],
  [
    'a boost in front of a word',
    `
a^2b
 ^^ The server refuses "^2"; a boost changes no result
  Remove it: a b`,
  ],
  [
    'a boost in front of a distance',
    `
"a"^2~1
   ^^ The server refuses "^2"; a boost changes no result
  Remove it: "a"~1`,
  ],
  [
    'a boost in front of a parenthesis',
    `
(a^2)
  ^^ The server refuses "^2"; a boost changes no result
  Remove it: (a)`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('refused-syntax', drawing);
});

test.each(['http://host/a?b', '(a b)'])('%s is in order too', (text) => {
  checkNone('refused-syntax', text);
});
