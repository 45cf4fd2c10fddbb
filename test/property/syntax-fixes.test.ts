import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkQuery } from '../../src/language/lint/check-query.ts';
import { applyFix, type Finding } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { syntaxCodes } from '../../src/language/parse/syntax.ts';
import { brokenQuery, nearQuery } from '../../src/testing/query-text.ts';
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
        '"a b"',
        '/x ',
        '\\',
        '\\u00',
        '^',
        '~ ',
        'elas:name:"v" ',
        '22:52:12 ',
      ],
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) => parts.join(''));

const anyBroken = fc.oneof(broken, brokenQuery, nearQuery);

test('each fix of a broken text removes its finding, and adds no error', () => {
  let tried = 0;
  fc.assert(
    fc.property(anyBroken, (text) => {
      const findings = findingsIn(text);
      const errors = parse(text).findings;
      fc.pre(0 < errors.length);
      for (const finding of findings) {
        for (const fix of finding.fixes) {
          tried += 1;
          const fixed = applyFix(text, fix);
          const about = `${finding.code}: ${fix.title}: ${fixed}`;
          expect(parse(fixed).findings.length, about).toBeLessThanOrEqual(errors.length);
          // Without its colon a value goes on to the next one, which is then the second.
          if (fix.title === 'Remove ":"') continue;
          const after = findingsIn(fixed).filter((other) => isAlike(other, finding));
          if (isError(finding))
            expect(after.length, about).toBeLessThan(
              findings.filter((other) => isAlike(other, finding)).length,
            );
        }
      }
    }),
    { numRuns: rounds(10_000) },
  );
  expect(tried).toBeGreaterThan(0);
});

test('pressing the first fix again and again ends', () => {
  fc.assert(
    fc.property(anyBroken, (query) => {
      let text = query;
      let presses = 0;
      for (; presses <= mostPresses; presses += 1) {
        const fix = findingsIn(text).find(({ fixes }) => 0 < fixes.length)?.fixes[0];
        if (!fix) break;
        const fixed = applyFix(text, fix);
        expect(fixed).not.toBe(text);
        text = fixed;
      }
      expect(presses, text).toBeLessThanOrEqual(mostPresses);
    }),
    { numRuns: rounds(10_000) },
  );
});

/** Long texts have a dozen mistakes, and some of their fixes show others. */
const mostPresses = 40;

function findingsIn(text: string): readonly Finding[] {
  return checkQuery(text, { now: 0 }).findings;
}

function isAlike(one: Finding, other: Finding): boolean {
  return one.code === other.code && one.message === other.message;
}

function isError(finding: Finding): boolean {
  return finding.code in syntaxCodes;
}

test.each([
  ['a AND (logCode:[9000 TO 9999', 'a AND (logCode:[9000 TO 9999])'],
  ['AND OR a', ' a'],
  ['AND a', ' a'],
  ['msg:x AND NOT', 'msg:x'],
  ['NOT AND a', ' a'],
  ['22:52:12', '"22:52:12"'],
  ['elas:name:"v"', 'elas:name"v"'],
  ['(logCode:- ', '(logCode:- ) '],
  ['a "b\\', 'a "b\\\\"'],
  ['NOT OR msg:a', ' msg:a'],
  [String.raw`\u00\u0`, String.raw`\\u00\\u0`],
])('the first fix of %s leaves no error', (query, fixed) => {
  const fix = parse(query).findings[0]?.fixes[0];
  expect(fix && applyFix(query, fix)).toBe(fixed);
  expect(parse(fixed).findings).toEqual([]);
});

test.each(['NOT msg:-x', 'AND', '(logCode:[9000 TO', '~', '(^2)', '(\\'])(
  '%s has no first fix that leaves an error',
  (query) => {
    expect(parse(query).findings[0]?.fixes).toEqual([]);
  },
);
