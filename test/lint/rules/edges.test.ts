import { expect, test } from 'vitest';
import { validate } from '../../../src/language/lint/validate.ts';
import { applyFix } from '../../../src/language/parse/finding.ts';
import { parse } from '../../../src/language/parse/parse.ts';

/** Applies the fixes of one rule to a query; undefined where the rule finds nothing. */
function mended(code: string, text: string): readonly string[] | undefined {
  const finding = validate(parse(text).query, { dialect: 'lucene' }).find((each) => each.code === code);
  return finding?.fixes.map((fix) => applyFix(text, fix));
}

test.each<[code: string, text: string, expected: readonly string[] | undefined]>([
  ['value-type', 'logCode:1,2,3', ['logCode:(1 OR 2 OR 3)']],
  ['value-type', 'elapsed:1,5', ['elapsed:1.5']],
  ['value-type', 'elapsed:1,2,3', []],
  ['value-type', 'elapsed:500ms', ['elapsed:0.5']],
  ['value-type', 'elapsed:15min', ['elapsed:900']],
  ['value-type', 'elapsed:1.5h', ['elapsed:5400']],
  ['unknown-value', 'logLevel:VER', ['logLevel:VERBOSE']],
  // Two letters begin too many words.
  ['unknown-value', 'logLevel:VE', undefined],
  ['part-of-dotted-name', 'ZipException', ['(ZipException OR *.ZipException)']],
  ['loose-words', 'msg:connection refused', ['msg:"connection refused"', 'msg:(connection refused)']],
  ['loose-words', 'msg:connection~1 refused', undefined],
  ['empty-range', 'logCode:[9 TO 1]', ['logCode:[1 TO 9]']],
])('%s: %s', (code, text, expected) => {
  expect(mended(code, text)).toEqual(expected);
});
