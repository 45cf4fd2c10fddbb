import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/lint/validate.ts';
import { resolve } from '../../../../src/language/meaning/resolve.ts';
import { engines } from '../../../../src/language/parse/engine.ts';
import { applyFix } from '../../../../src/language/parse/finding.ts';
import { parse } from '../../../../src/language/parse/parse.ts';
import { rounds } from '../../../effort.ts';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

const code = 'wildcard-in-quotes';

test.each([
  [
    'at the end of a word',
    `
msg:"time*" AND a
    ^^^^^^^ In quotes "*" is no wildcard: "time*" finds whole words, as without it
  Remove it: msg:"time" AND a`,
  ],
  [
    'several in a phrase',
    `
"*time* re?used"
^^^^^^^^^^^^^^^^ In quotes "*" is no wildcard: "*time* re?used" finds whole words, as without it
  Remove it: "time re used"`,
  ],
  [
    'a regular expression',
    `
msg:"/.*timed out.*/"
    ^^^^^^^^^^^^^^^^^ In quotes "*" is no wildcard: "/.*timed out.*/" finds whole words, as without it
  Put the phrase in quotes: msg:"timed out"`,
  ],
  [
    'a regular expression without its slashes',
    `
msg:".*timed out.*"
    ^^^^^^^^^^^^^^^ In quotes "*" is no wildcard: ".*timed out.*" finds whole words, as without it
  Put the phrase in quotes: msg:"timed out"`,
  ],
  [
    'a regular expression with a gap',
    `
msg:"timed.*out"
    ^^^^^^^^^^^^ In quotes "*" is no wildcard: "timed.*out" finds whole words, as without it
  Remove it: msg:"timed out"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings(code, drawing);
});

test.each([
  [
    'a pattern alone',
    `
a AND (msg:"ti*e?t")
           ^^^^^^^^ In quotes "*" is no wildcard: "ti*e?t" finds whole words, as without it
  Remove the quotes: a AND (msg:ti*e?t)
  Remove it: a AND (msg:"ti e t")`,
  ],
  [
    'something touches the quotes',
    `
"time*"a
^^^^^^^ In quotes "*" is no wildcard: "time*" finds whole words, as without it
  Remove it: "time"a`,
  ],
  [
    'a star in front of what looks like a regular expression',
    `
"*a.*"
^^^^^^ In quotes "*" is no wildcard: "*a.*" finds whole words, as without it
  Remove it: "a.*"`,
  ],
  [
    'with a boost',
    `
"time*"^2
^^^^^^^ In quotes "*" is no wildcard: "time*" finds whole words, as without it
  Remove it: "time"^2`,
  ],
])('%s, where patterns are allowed', (_title, drawing) => {
  checkFindings(code, drawing, { dialect: 'lucene' });
});

test('an engine that takes no star in front', () => {
  const drawing = `
msg:"*time"
    ^^^^^^^ In quotes "*" is no wildcard: "*time" finds whole words, as without it
  Remove it: msg:"time"`;
  checkFindings(code, drawing, { dialect: 'lucene', engine: engines.lucene });
});

test.each([
  '"time"',
  String.raw`"time\*"`,
  '"SELECT * FROM"',
  '"*** ERROR ***"',
  '"***error***"',
  '"*.gdb"',
  '"what happened?"',
  '"/rest?f=json"',
  'time*',
  '"***"',
  'logCode:"90*"',
])('%s is in order, or others say so', (text) => {
  checkNone(code, text, { dialect: 'lucene' });
});

test('a keyword may have the mark in its value', () => {
  checkNone(code, 'requestID:"a*"', { schema: keywords });
});

test('without what is reported the query means the same', () => {
  const phrase = fc.string({ unit: fc.constantFrom(...'aab9*?*?..* -_:/é中'), maxLength: 8 });
  fc.assert(
    fc.property(fc.constantFrom('msg:', ''), phrase, (name, words) => {
      const text = `${name}"${words}"`;
      const { query } = parse(text);
      const found = validate(query, { now: 0 }).filter((each) => each.code === code);
      for (const fix of found.flatMap(({ fixes }) => fixes)) {
        const fixed = parse(applyFix(text, fix)).query;
        const tokens = (read: typeof query) => resolve(read, { now: 0 });
        if (name !== '') expect(tokens(fixed)).toEqual(tokens(query));
        expect(validate(fixed, { now: 0 }).filter((each) => each.code === code)).toEqual([]);
      }
    }),
    { numRuns: rounds(1000) },
  );
});
