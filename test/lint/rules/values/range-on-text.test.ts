import { test } from 'vitest';
import { toSchema } from '../../../../src/language/meaning/schema.ts';
import { checkFindings, checkNone, keywords, texts } from '../check-findings.ts';

test.each([
  [
    'on a text field',
    `
msg:[9 TO 10]
    ^^^^^^^^^ A range on "msg" compares letter by letter, where "10" comes before "9"`,
  ],
  [
    'of levels',
    `
logLevel:[WARNING TO SEVERE]
         ^^^^^^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values
  List the values: logLevel:(SEVERE OR WARNING)`,
  ],
  [
    'of levels without the ends',
    `
logLevel:{FINE TO SEVERE}
         ^^^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values
  List the values: logLevel:(WARNING OR INFO)`,
  ],
  [
    'without what is between',
    `
logLevel:{INFO TO WARNING}
         ^^^^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values`,
  ],
  [
    'of levels and others',
    `
logLevel:[A TO SEVERE]
         ^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values`,
  ],
  [
    'open',
    `
logLevel:[* TO WARNING]
         ^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values`,
  ],
  [
    'without a field',
    `
[9000 TO 9999] AND a
^^^^^^^^^^^^^^ A range without a field is held against all default fields, on text letter by letter
  Ask logCode: logCode:[9000 TO 9999] AND a`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('range-on-text', drawing);
});

test.each([
  [
    'a comparison',
    `
msg:<html>
    ^^^^^^ The sign makes this a range on "msg", which compares letter by letter
  Put it in quotes: msg:"<html>"`,
    { dialect: 'lucene' },
  ],
  [
    'numbers on a keyword field',
    `
requestID:[9 TO 10]
          ^^^^^^^^^ A range on "requestID" compares letter by letter, where "10" comes before "9"`,
    { schema: keywords },
  ],
  [
    'without a field for it',
    `
[1 TO 5]
^^^^^^^^ A range without a field is held against all default fields, on text letter by letter`,
    { schema: texts },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('range-on-text', drawing, given);
});

test.each([
  'logCode:[9 TO 10]',
  'elapsed:[1 TO *]',
  'msg:[* TO *]',
  'nosuch:[1 TO 2]',
  '[a TO b]',
  '>5',
  'msg:a',
])('%s is in order', (text) => {
  checkNone('range-on-text', text);
});

test.each([['requestID:[a TO b]', { schema: keywords }]] as const)('%s is in order there', (text, given) => {
  checkNone('range-on-text', text, given);
});

test.each([
  [
    'with one level between',
    `
logLevel:{FINE TO WARNING}
         ^^^^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values
  List the values: logLevel:INFO`,
  ],
  [
    'from a level to itself',
    `
logLevel:[severe TO severe]
         ^^^^^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values
  List the values: logLevel:SEVERE`,
  ],
  [
    'without one end',
    `
logLevel:[SEVERE TO WARNING}
         ^^^^^^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values
  List the values: logLevel:SEVERE`,
  ],
  [
    'without both ends',
    `
logLevel:{SEVERE TO SEVERE}
         ^^^^^^^^^^^^^^^^^^ A range on "logLevel" compares letter by letter, not in the order of its known values`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('range-on-text', drawing);
});

test.each([String.raw`log\*:[1 TO 5]`, '[a TO 5]'])('%s is in order too', (text) => {
  checkNone('range-on-text', text);
});

test.each([
  [
    'a comparison behind a backslash',
    String.raw`
msg:\>5
    ^^^ The sign makes this a range on "msg", which compares letter by letter
  Put it in quotes: msg:">5"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('range-on-text', drawing, { dialect: 'lucene' });
});

test.each(['msg:<', String.raw`log\*:>5`])('%s is in order there', (text) => {
  checkNone('range-on-text', text, { dialect: 'lucene' });
});

test('a range over one default field is the business of that field', () => {
  const [msg, took] = [
    { name: 'msg', type: 'text', about: '' },
    { name: 'took', type: 'decimal', about: '' },
  ] as const;
  checkNone('range-on-text', '[1 TO 5]', { schema: toSchema([msg], ['msg']) });
  const both = toSchema([msg, took], ['msg', 'took']);
  checkFindings(
    'range-on-text',
    `
[1 TO 5]
^^^^^^^^ A range without a field is held against all default fields, on text letter by letter
  Ask took: took:[1 TO 5]`,
    { schema: both },
  );
});
