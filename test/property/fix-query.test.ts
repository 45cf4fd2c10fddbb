import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixQuery } from '../../src/language/lint/check-query.ts';
import { validate } from '../../src/language/lint/validate.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { anyText, documentedQuery, doubtfulQuery, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const text = fc.oneof(
  documentedQuery,
  luceneQuery,
  doubtfulQuery,
  anyText,
  doubtfulQuery.map((each) => `“${each}” && a`),
);
const runs = { numRuns: rounds(500) };

test('fixing twice changes nothing, and adds no line', () => {
  let changed = 0;
  fc.assert(
    fc.property(text, (query) => {
      const once = fixQuery(query);
      if (once.text !== query) changed += 1;
      expect(once.text === query).toBe(once.applied.length === 0);
      const { tooComplex } = once;
      expect(fixQuery(once.text)).toEqual({ text: once.text, applied: [], tooComplex });
      expect(once.text.split(/[\r\n]/).length).toBeLessThanOrEqual(query.split(/[\r\n]/).length);
    }),
    runs,
  );
  // The generator reaches queries with safe fixes.
  expect(changed).toBeGreaterThan(0);
});

test('a fix without a mark keeps the logs that the server selects, and leaves no error behind', () => {
  fc.assert(
    fc.property(text, (query) => {
      const { text: fixed, applied } = fixQuery(query);
      if (applied.some(({ fix }) => fix.isSafe)) return;
      const [before, after] = [parse(query), parse(fixed)];
      if (query !== fixed) expect(after.findings).toEqual([]);
      if (before.findings.length === 0) {
        expect(compare(resolve(before.query), resolve(after.query)).same).not.toBe(false);
      }
    }),
    runs,
  );
});

test.each([
  ['logCode:[1 to 5]', 'logCode:[1 TO 5]'],
  ['logCode:[1\tTO 5]', 'logCode:[1 TO 5]'],
  ['msg:“timed out”', 'msg:"timed out"'],
  ['a || b', 'a OR b'],
  // Several fixes, or one that guesses.
  ['logLevel:SEVERE OR a AND b', 'logLevel:SEVERE OR a AND b'],
  ['(a OR b AND c', '(a OR b AND c'],
  ['levle:SEVERE', 'levle:SEVERE'],
  ['msg:don’t', 'msg:don’t'],
  // It selects nothing, so no change of it would.
  ['levle:SEVERE AND don’t', 'levle:SEVERE AND don’t'],
])('%s becomes %s', (query, fixed) => {
  expect(fixQuery(query).text).toBe(fixed);
});

test('a severity that is off leaves its fixes out', () => {
  expect(validate(parse('a && b').query)).toHaveLength(1);
  expect(fixQuery('a && b', { severities: new Map([['undocumented-syntax', 'off']]) }).text).toBe('a && b');
});
