import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'a group of a field',
    `
logLevel:(SEVERE OR WARNING)
         ^^^^^^^^^^^^^^^^^^^ The documentation does not say whether "logLevel" may have a group`,
  ],
  [
    'an escape',
    String.raw`
foo\-bar
^^^^^^^^ The documentation does not mention escapes, as in "foo\-bar"`,
  ],
  [
    'open ends',
    `
elapsed:[* TO 5] OR logCode:[5 TO *]
         ^ The documentation does not mention ranges with an open end
                                  ^ The documentation does not mention ranges with an open end`,
  ],
  [
    'mixed brackets',
    `
elapsed:[1 TO 5}
               ^ The documentation does not mention ranges from "[" to "}"`,
  ],
  [
    'quotes',
    `
time:["2024-01-01T00:00:00" TO 2024-01-02]
      ^^^^^^^^^^^^^^^^^^^^^ The documentation does not mention ranges with quotes`,
  ],
  [
    'a sign that is refused elsewhere',
    `
time:[2024-01-01T00:00:00+02:00 TO 2024-01-02]
      ^^^^^^^^^^^^^^^^^^^^^^^^^ The documentation does not mention the bound "2024-01-01T00:00:00+02:00", which the server may refuse`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('unmentioned-syntax', drawing);
});

test.each(['a', '(a OR b)', 'elapsed:[1 TO 5]', String.raw`"a\\b"`])('%s is in order', (text) => {
  checkNone('unmentioned-syntax', text);
});

test.each([['logLevel:(a OR b) elapsed:[* TO 5}', { dialect: 'lucene' }]] as const)(
  '%s is in order there',
  (text, given) => {
    checkNone('unmentioned-syntax', text, given);
  },
);
