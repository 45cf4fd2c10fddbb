import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'typographic quotes',
    `
msg:“timed out” AND a
    ^^^^^^^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: msg:"timed out" AND a`,
  ],
  [
    "as in the vendor's example",
    `
(“Updated Kubernetes Secret” AND logCode:1312)
 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: ("Updated Kubernetes Secret" AND logCode:1312)`,
  ],
  [
    'around one word',
    `
“timeout”
^^^^^^^^^ The marks “…” do not quote
  Change them to straight double quotes: "timeout"`,
  ],
  [
    'of other languages',
    `
„a b“ OR «c d» OR ‘e f’
^^^^^ The marks „…“ do not quote, so these are loose words
  Change them to straight double quotes: "a b" OR «c d» OR ‘e f’
         ^^^^^ The marks «…» do not quote, so these are loose words
  Change them to straight double quotes: „a b“ OR "c d" OR ‘e f’
                  ^^^^^ The marks ‘…’ do not quote, so these are loose words
  Change them to straight double quotes: „a b“ OR «c d» OR "e f"`,
  ],
  [
    'straight ones of one stroke',
    `
'timed out'
^^^^^^^^^^^ The marks '…' do not quote, so these are loose words
  Change them to straight double quotes: "timed out"`,
  ],
  [
    'with a word touching them',
    `
“a b”c
^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: "a b"c`,
  ],
  [
    'a phrase inside',
    `
“a "b c" d”
^ The mark “ does not quote; to the server it is part of "“a"
  Remove it: a "b c" d”
          ^ The mark ” does not quote; to the server it is part of "d”"
  Remove it: “a "b c" d`,
  ],
  [
    'one alone',
    `
a “b
  ^ The mark “ does not quote; to the server it is part of "“b"
  Remove it: a b`,
  ],
  [
    'one that is all there is',
    `
“ a
^ The mark “ does not quote; to the server it is part of "“"`,
  ],
  [
    'one that hides an operator',
    `
“NOT a
^ The mark “ does not quote; to the server it is part of "“NOT"`,
  ],
  [
    'one that would leave a sign',
    `
“-a b
^ The mark “ does not quote; to the server it is part of "“-a"`,
  ],
  [
    'a backslash in front',
    String.raw`
“a b\” c”
^^^^^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: "a b\” c"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('wrong-quotes', drawing);
});

test.each(['"a b"', 'don’t', "O'Neil", "users' rights", 'a', '"“a”"'])('%s is in order', (text) => {
  checkNone('wrong-quotes', text);
});

test.each([
  [
    'nothing between them',
    `
“”
^^ The marks “…” do not quote`,
  ],
  [
    'an escaped one',
    String.raw`
“a\” b”
^^^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: "a\” b"`,
  ],
  [
    'around a phrase',
    `
“a "b" c”
^ The mark “ does not quote; to the server it is part of "“a"
  Remove it: a "b" c”
        ^ The mark ” does not quote; to the server it is part of "c”"
  Remove it: “a "b" c`,
  ],
  [
    'an escaped one within',
    String.raw`
“a\“b”
^^^^^^ The marks “…” do not quote
  Change them to straight double quotes: "a\“b"`,
  ],
  [
    'around an apostrophe',
    `
‘don’t do’
^^^^^^^^^^ The marks ‘…’ do not quote, so these are loose words
  Change them to straight double quotes: "don’t do"`,
  ],
  [
    'straight ones around an apostrophe',
    `
'don't'
^^^^^^^ The marks '…' do not quote
  Change them to straight double quotes: "don't"`,
  ],
  [
    'at an operator',
    `
AND“
   ^ The mark “ does not quote; to the server it is part of "AND“"`,
  ],
  [
    'in front of an operator',
    `
“AND
^ The mark “ does not quote; to the server it is part of "“AND"`,
  ],
  [
    'alone',
    `
“
^ The mark “ does not quote; to the server it is part of "“"`,
  ],
  [
    'in front of a sign',
    `
”-a
^ The mark ” does not quote; to the server it is part of "”-a"`,
  ],
  [
    'of other languages',
    `
〝a〞
^^^ The marks 〝…〞 do not quote
  Change them to straight double quotes: "a"`,
  ],
  [
    'low ones',
    `
‚a b‘
^^^^^ The marks ‚…‘ do not quote, so these are loose words
  Change them to straight double quotes: "a b"`,
  ],
  [
    'two pairs',
    `
“a b” “c d”
^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: "a b" “c d”
      ^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: “a b” "c d"`,
  ],
  [
    'around a group',
    `
“a (b) c”
^^^^^^^^^ The marks “…” do not quote, so these are loose words
  Change them to straight double quotes: "a (b) c"`,
  ],
  [
    'within a word',
    `
a“b
 ^ The mark “ does not quote; to the server it is part of "a“b"
  Remove it: ab`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('wrong-quotes', drawing);
});

test.each([
  [
    'in front of what ends like an operator',
    `
“BAND
^ The mark “ does not quote; to the server it is part of "“BAND"
  Remove it: BAND`,
  ],
  [
    'in front of what begins like one',
    `
“ANDY
^ The mark “ does not quote; to the server it is part of "“ANDY"
  Remove it: ANDY`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('wrong-quotes', drawing);
});
