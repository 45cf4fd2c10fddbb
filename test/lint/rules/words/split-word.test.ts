import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'a hyphen',
    `
time-out
^^^^^^^^ "time-out" is cut into "time" and "out", and any of them alone finds a log
  Put it in quotes: "time-out"`,
  ],
  [
    'an identifier',
    `
550e8400-e29b-41d4-a716-446655440000
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ "550e8400-e29b-41d4-a716-446655440000" is cut into "550e8400", "e29b", "41d4" and 2 more, and any of them alone finds a log
  Put it in quotes: "550e8400-e29b-41d4-a716-446655440000"`,
  ],
  [
    'a mail address',
    `
username:maria@example.com
         ^^^^^^^^^^^^^^^^^ "maria@example.com" is cut into "maria" and "example.com", and any of them alone finds a log
  Put it in quotes: username:"maria@example.com"`,
  ],
  [
    'excluded',
    `
NOT foo-bar
    ^^^^^^^ "foo-bar" is cut into "foo" and "bar", and any of them alone excludes a log
  Put it in quotes: NOT "foo-bar"`,
  ],
  [
    'known values',
    `
logLevel:SEVERE,WARNING
         ^^^^^^^^^^^^^^ "SEVERE,WARNING" is cut into "severe" and "warning", and any of them alone finds a log
  Make it a list of alternatives: logLevel:(SEVERE OR WARNING)
  Put it in quotes: logLevel:"SEVERE,WARNING"`,
  ],
  [
    'an escaped blank',
    String.raw`
msg:timed\ out
    ^^^^^^^^^^ "timed\ out" is cut into "timed" and "out", and any of them alone finds a log
  Put it in quotes: msg:"timed out"`,
  ],
  [
    'a script without blanks',
    `
接続
^^ "接続" is cut into "接" and "続", and any of them alone finds a log
  Put it in quotes: "接続"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('split-word', drawing);
});

test.each([
  [
    'with a boost',
    `
foo-bar^2
^^^^^^^^^ "foo-bar" is cut into "foo" and "bar", and any of them alone finds a log
  Put it in quotes: "foo-bar"^2`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('split-word', drawing, given);
});

test.each([
  '"time-out"',
  'rel_11.2',
  '10.1.2.3',
  'com.vendor.Foo',
  "don't",
  'C#',
  'logCode:9-5',
  'timeout,',
  'foo-bar~1',
  'logLevel=SEVERE',
  String.raw`DOMAIN\a-b`,
  'msg:>a-b',
  'http://a/b',
])('%s is in order', (text) => {
  checkNone('split-word', text);
});

test.each([['requestID:550e8400-e29b', { schema: keywords }]] as const)(
  '%s is in order there',
  (text, given) => {
    checkNone('split-word', text, given);
  },
);

test.each([
  [
    'a list with what is unknown',
    `
logLevel:SEVERE,foo
         ^^^^^^^^^^ "SEVERE,foo" is cut into "severe" and "foo", and any of them alone finds a log
  Put it in quotes: logLevel:"SEVERE,foo"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('split-word', drawing);
});

test.each([
  [
    'a list with a boost',
    `
logLevel:SEVERE,INFO^2
         ^^^^^^^^^^^^^ "SEVERE,INFO" is cut into "severe" and "info", and any of them alone finds a log
  Put it in quotes: logLevel:"SEVERE,INFO"^2`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('split-word', drawing, { dialect: 'lucene' });
});
