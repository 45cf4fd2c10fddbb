import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyFix } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { nearQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

/** Pieces whose order breaks a query in all the ways that operators, groups and ranges can be broken. */
const broken = fc
  .array(
    fc.constantFrom(
      ...[
        'AND ',
        'OR ',
        'NOT ',
        '-',
        'a ',
        'msg:',
        '(',
        ')',
        '[1 TO 2',
        '[1 TO ',
        ']',
        '"a b',
        '" ',
        '22:52:12 ',
      ],
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) => parts.join(''));

test('pressing the first fix of the first finding again and again ends', () => {
  fc.assert(
    fc.property(fc.oneof(broken, nearQuery), (query) => {
      let text = query;
      let presses = 0;
      for (; presses <= 100; presses += 1) {
        const fix = parse(text).findings[0]?.fixes[0];
        if (!fix) break;
        const fixed = applyFix(text, fix);
        expect(fixed).not.toBe(text);
        text = fixed;
      }
      expect(presses, query).toBeLessThan(100);
    }),
    { numRuns: rounds(20_000) },
  );
});

test.each([
  ['a AND (logCode:[9000 TO 9999', 'a AND (logCode:[9000 TO 9999])'],
  ['AND OR a', ' a'],
  ['AND a', ' a'],
  ['msg:x AND NOT', 'msg:x'],
  ['NOT AND a', ' a'],
  ['22:52:12', '"22:52:12"'],
])('the first fix of %s leaves no error', (query, fixed) => {
  const fix = parse(query).findings[0]?.fixes[0];
  expect(fix && applyFix(query, fix)).toBe(fixed);
  expect(parse(fixed).findings).toEqual([]);
});

test.each(['NOT msg:-x', 'AND', '(logCode:[9000 TO'])('%s has no first fix that leaves an error', (query) => {
  expect(parse(query).findings[0]?.fixes).toEqual([]);
});
