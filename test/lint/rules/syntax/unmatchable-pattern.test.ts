import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/lint/validate.ts';
import { compare } from '../../../../src/language/logic/compare.ts';
import { matchNoneFilter } from '../../../../src/language/meaning/filter.ts';
import { match } from '../../../../src/language/meaning/match.ts';
import { resolve } from '../../../../src/language/meaning/resolve.ts';
import { documentedSchema } from '../../../../src/language/meaning/schema.ts';
import { engines } from '../../../../src/language/parse/engine.ts';
import { parse } from '../../../../src/language/parse/parse.ts';
import { rounds } from '../../../effort.ts';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

const code = 'unmatchable-pattern';

test.each([
  [
    'a dash',
    `
msg:*foo-bar* AND a
    ^^^^^^^^^ A pattern is looked for among single words, and none has "-" in it
  Put the phrase in quotes: msg:"foo-bar" AND a`,
  ],
  [
    'open inside',
    `
msg:foo-b?r*
    ^^^^^^^^ A pattern is looked for among single words, and none has "-" in it`,
  ],
  [
    'an escaped dash, on all default fields',
    String.raw`
foo\-bar*
^^^^^^^^^ A pattern is looked for among single words, and none has "-" in it
  Put the phrase in quotes: "foo-bar"`,
  ],
  [
    'a blank',
    String.raw`
msg:*timed\ out*
    ^^^^^^^^^^^^ A pattern is looked for among single words, and none has a blank in it
  Put the phrase in quotes: msg:"timed out"`,
  ],
  [
    'a regular expression',
    `
msg:/.*Timed out.*/
    ^^^^^^^^^^^^^^^ A pattern is looked for among single words, and none has a blank in it
  Put the phrase in quotes: msg:"Timed out"`,
  ],
  [
    'an expression that matches no text',
    `
msg:/x#/
    ^^^^ A pattern is looked for among single words, and none fits this one`,
  ],
  [
    'nothing but a dash',
    `
msg:*-*
    ^^^ A pattern is looked for among single words, and none has "-" in it`,
  ],
  [
    'a similar word',
    String.raw`
msg:a\ b\ -\ c~ OR b
    ^^^^^^^^^^ A similar word is looked for among single words, and none has a blank in it
  Put the phrase in quotes: msg:"a b - c" OR b`,
  ],
  [
    'numbers',
    `
logCode:90*
        ^^^ "logCode" holds numbers, and no pattern matches those`,
  ],
  [
    'a similar number',
    `
logCode:9003~1^2
            ^^ "logCode" holds numbers, and none is similar to a word
  Remove it: logCode:9003^2`,
  ],
  [
    'dates',
    `
time:/2024.*/
     ^^^^^^^^ "time" holds dates, and no pattern matches those`,
  ],
  [
    'names of fields',
    String.raw`
_exists_:(m* OR so?rce)
          ^^ "_exists_" takes the name of a field, and no pattern of names: this matches nothing
  Escape the star: _exists_:(m\* OR so?rce)
                ^^^^^^ "_exists_" takes the name of a field, and no pattern of names: this matches nothing`,
  ],
  [
    'a name of no field',
    `
_exists_:/x.*/
         ^^^^^ "_exists_" takes the name of a field, and no pattern of names: this matches nothing`,
  ],
])('%s', (_title, drawing) => {
  checkFindings(code, drawing, { dialect: 'lucene' });
});

test('several fields of numbers', () => {
  const drawing = String.raw`
e\*:90*
    ^^^ The fields hold numbers, and no pattern matches those`;
  const schema = {
    fields: new Map(
      (['eins', 'elf'] as const).map((name) => [name, { name, type: 'integer', about: '' } as const]),
    ),
    defaults: [],
  };
  checkFindings(code, drawing, { dialect: 'lucene', schema });
});

test.each([
  'msg:time*',
  'msg:*foo.bar*',
  'msg:/time.out/',
  'msg:/timed( out)?/',
  'msg:foo-bar~',
  'msg:"foo-bar*"',
  'logCode:*',
  String.raw`log\*:90*`,
  String.raw`_exists_:m\*`,
  'nosuch:a-b*',
  '*:*',
  'msg:/a b/',
])('%s is in order, or others say so', (text) => {
  checkNone(code, text, { dialect: 'lucene' });
});

test('a keyword may have any value', () => {
  checkNone(code, 'requestID:550e8400-*', { dialect: 'lucene', schema: keywords });
});

test('the server refuses most patterns, and a rule of its own says so', () => {
  checkNone(code, 'msg:*foo-bar*');
});

test('an engine without _exists_ has a field of that name, which is unknown', () => {
  checkNone(code, '_exists_:m*', { dialect: 'lucene', engine: engines.lucene });
});

/** Patterns of few characters, half of which are in no token. */
const pattern = fc
  .array(fc.constantFrom('a', '9', '*', '?', '.', '-', String.raw`\ `, 'É', ':', '_'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((units) => units.join(''));
const item = fc.oneof(
  pattern,
  pattern.map((text) => `/${text.replaceAll(':', ' ')}/`),
  fc.tuple(pattern, fc.constantFrom('', '1', '2')).map(([text, edits]) => `${text}~${edits}`),
);
const clause = fc
  .tuple(fc.constantFrom('msg:', 'logCode:', 'elapsed:', '_exists_:', ''), item)
  .map(([field, text]) => field + text)
  .filter((text) => !text.startsWith('-') && parse(text).findings.length === 0);
const log = fc.record({
  msg: fc.string({ unit: fc.constantFrom(...'aa9.- éÉ:_*'), maxLength: 6 }),
  logCode: fc.constantFrom(9, 99, 9999),
});

test('a reported pattern selects no log, and is proved to', () => {
  fc.assert(
    fc.property(clause, fc.array(log, { maxLength: 8 }), (text, logs) => {
      const { query } = parse(text);
      const isReported = validate(query, { dialect: 'lucene' }).some((finding) => finding.code === code);
      const filter = resolve(query, { schema: documentedSchema, now: 0 });
      if (!isReported) return;
      expect(compare(filter, matchNoneFilter)).toEqual({ same: true });
      expect(logs.filter((values) => match(filter, values))).toEqual([]);
    }),
    { numRuns: rounds(1000) },
  );
});
