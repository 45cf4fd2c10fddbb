import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'a domain and a user',
    String.raw`
username:DOMAIN\bob
         ^^^^^^^^^^ A backslash before a letter says nothing, so this asks for "DOMAINbob"
  Keep it, in quotes: username:"DOMAIN\\bob"`,
  ],
  [
    'in a phrase',
    String.raw`
msg:"C:\foo\bar.txt"
    ^^^^^^^^^^^^^^^^ A backslash before a letter says nothing, so this asks for "C:foobar.txt"
  Double it: msg:"C:\\foo\\bar.txt"`,
  ],
  [
    'in a path with a star',
    String.raw`
msg:"C:\temp\*.log"
    ^^^^^^^^^^^^^^^ A backslash before a letter says nothing, so this asks for "C:temp*.log"
  Double it: msg:"C:\\temp\\*.log"`,
  ],
  [
    'in a range',
    String.raw`
msg:[\a TO "\b c"]
     ^^ A backslash before a letter says nothing, so this asks for "a"
  Double it: msg:[\\a TO "\b c"]
           ^^^^^^ A backslash before a letter says nothing, so this asks for "b c"
  Double it: msg:[\a TO "\\b c"]`,
  ],
  [
    'some say something',
    String.raw`
a\:b\c\u0041\\d
^^^^^^^^^^^^^^^ A backslash before a letter says nothing, so this asks for "a:bcA\d"
  Keep it, in quotes: "a:b\\cA\\d"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('lost-backslash', drawing);
});

test.each([
  [
    'in a wildcard',
    String.raw`
foo\b*
^^^^^^ A backslash before a letter says nothing, so this asks for "foob*"
  Double it: foo\\b*`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('lost-backslash', drawing, given);
});

test.each([
  String.raw`a\:b`,
  String.raw`\AND`,
  String.raw`\u0041`,
  String.raw`a\ b`,
  String.raw`"a\\b"`,
  String.raw`"say \"hi\""`,
  String.raw`C:\temp\x`,
  String.raw`/\d/`,
])('%s is in order', (text) => {
  checkNone('lost-backslash', text);
});

test.each([
  [
    'what begins like the number of a character',
    String.raw`
a\u00zz
^^^^^^^ A backslash before a letter says nothing, so this asks for "a\u00zz"
  Keep it, in quotes: "a\\u00zz"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('lost-backslash', drawing);
});

test.each([String.raw`"\AND"`, String.raw`a\u0041`])('%s is in order too', (text) => {
  checkNone('lost-backslash', text);
});
