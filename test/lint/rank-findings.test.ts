import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkQuery } from '../../src/language/index.ts';
import { validate } from '../../src/language/lint/validate.ts';
import { applyFix } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { rounds } from '../effort.ts';

test.each([
  ['a OR b AND c', ['mixed-operators']],
  ['a OR b OR c AND d', ['mixed-operators']],
  ['logCode:(9000 9003) AND msg:x OR b', ['run-as-one-value', 'mixed-operators']],
  // The hint is about something else.
  ['logLevel:severe AND msg:timeout OR msg:refused', ['mixed-operators', 'depends-on-type']],
  // No warning says it.
  ['+logLevel:SEVERE msg:timeout', ['refused-syntax', 'optional-part']],
])('%s has the findings %j', (text, codes) => {
  expect(checkQuery(text).findings.map(({ code }) => code)).toEqual(codes);
});

test('no error or warning is lost, and no fix of a hint', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'msg:c',
    'logLevel:severe',
    'AND',
    'OR',
    'NOT',
    '(',
    ')',
    'logCode:(1 2)',
    '&&',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = pieces.join(' ');
      const { query, findings } = parse(text);
      const all = [...findings, ...validate(query, { now: 0 })];
      const ranked = checkQuery(text, { now: 0 }).findings;
      const weighty = ({ severity }: { readonly severity: string }) => severity !== 'hint';
      expect(ranked.filter(weighty).length).toBe(all.filter(weighty).length);
      const results = (from: typeof all) =>
        new Set(from.flatMap(({ fixes }) => fixes.map((fix) => applyFix(text, fix))));
      expect(results([...ranked])).toEqual(results(all));
    }),
    { numRuns: rounds(500) },
  );
});
