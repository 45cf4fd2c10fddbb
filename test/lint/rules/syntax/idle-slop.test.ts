import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/lint/validate.ts';
import { resolve } from '../../../../src/language/meaning/resolve.ts';
import { applyFix } from '../../../../src/language/parse/finding.ts';
import { parse } from '../../../../src/language/parse/parse.ts';
import { rounds } from '../../../effort.ts';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

const code = 'idle-slop';

test.each([
  [
    'one word',
    `
msg:"timeout"~3 AND a
             ^^ "~3" has no effect: "timeout" is no phrase of several words
  Remove it: msg:"timeout" AND a`,
  ],
  [
    'no word',
    `
msg:"--"~
        ^ "~" has no effect: "--" is no phrase of several words
  Remove it: msg:"--"`,
  ],
  [
    'a number',
    `
logCode:"9003"~2^3
              ^^ "~2" has no effect: only text has words that could stand apart
  Remove it: logCode:"9003"^3`,
  ],
  [
    'a fraction',
    `
"timed out"~1.5
           ^^^^ A slop is a whole number: the engine takes "~1.5" as 1
  Change to ~1: "timed out"~1`,
  ],
  [
    'less than one',
    `
"timed out"~0.7
           ^^^^ A slop is a whole number: the engine takes "~0.7" as 0
  Remove it: "timed out"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings(code, drawing, { dialect: 'lucene' });
});

test('a keyword', () => {
  const drawing = `
requestID:"a b"~2
               ^^ "~2" has no effect: only text has words that could stand apart
  Remove it: requestID:"a b"`;
  checkFindings(code, drawing, { dialect: 'lucene', schema: keywords });
});

test.each([
  '"timed out"~3',
  '"timed out"~',
  '"timed out"~2.0',
  '"timed out"~x',
  '"timed out"',
  'timeout~1',
  '_exists_:"msg"~1',
  'nosuch:"a"~1',
])('%s is in order, or others say so', (text) => {
  checkNone(code, text, { dialect: 'lucene' });
});

test('without what is reported the query means the same', () => {
  const phrase = fc.constantFrom('a', 'a b', 'a-b', '--', '9003', 'a b a', '1.5');
  const slop = fc.oneof(
    fc.constantFrom('', '0', '1.5', '2.0', '.5', '1.', 'x', '99999999999.5', '1.05', '2e3', '1.5e3', '-1'),
    fc.double({ min: 0, max: 40, noNaN: true }).map(String),
  );
  const field = fc.constantFrom('msg:', 'logCode:', 'time:', '', '_exists_:');
  fc.assert(
    fc.property(field, phrase, slop, (name, words, written) => {
      const text = `${name}"${words}"~${written}`;
      const { query } = parse(text);
      const found = validate(query, { dialect: 'lucene', now: 0 }).filter((each) => each.code === code);
      for (const fix of found.flatMap(({ fixes }) => fixes)) {
        const fixed = parse(applyFix(text, fix));
        expect(fixed.findings).toEqual([]);
        expect(resolve(fixed.query, { now: 0 })).toEqual(resolve(query, { now: 0 }));
      }
    }),
    { numRuns: rounds(500) },
  );
});
