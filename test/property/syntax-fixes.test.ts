import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkQuery } from '../../src/language/lint/check-query.ts';
import { applyFix, type Finding } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { syntaxCodes } from '../../src/language/parse/syntax.ts';
import {
  brokenQuery,
  documentedQuery,
  doubtfulQuery,
  luceneQuery,
  nearQuery,
} from '../../src/testing/query-text.ts';
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
        'a:b:tim* ',
        'https://x.y/z?a=b&c=d ',
        '[1 2] ',
        '[1\t2]',
        '[1-2]',
        ': ',
        '} ',
        '() ',
        '+',
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
      fc.pre(0 < parse(text).findings.length);
      const errors = errorsByCode(findings);
      for (const finding of findings) {
        for (const fix of finding.fixes) {
          tried += 1;
          const fixed = applyFix(text, fix);
          const about = `${finding.code}: ${fix.title}: ${text} -> ${fixed}`;
          for (const [code, count] of errorsByCode(findingsIn(fixed)))
            expect(count, `${code} by ${about}`).toBeLessThanOrEqual(errors.get(code) ?? 0);
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

/** The number of errors by code, what the server refuses included. */
function errorsByCode(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code, severity } of findings)
    if (severity === 'error' && code !== 'refused-pattern') counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

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

/** Whether two findings say the same, whatever a hint that is folded into one of them adds behind a semicolon. */
function isAlike(one: Finding, other: Finding): boolean {
  return one.code === other.code && ownMessage(one) === ownMessage(other);
}

function ownMessage({ message }: Finding): string {
  return message.split(';', 1).join();
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
  ['NOT msg:-x', 'NOT msg:"-x"'],
  ['-logCode:-5 OR b', '-logCode:"-5" OR b'],
  ['NOT msg:NOT x', 'NOT msg:x'],
  ['NOT msg:-"a b"', 'NOT msg:"a b"'],
  ['a OR -msg:+(b c)', 'a OR -msg:(b c)'],
  ['logCode:-1', 'logCode:"-1"'],
  ['elapsed:-1.5 AND a', 'elapsed:"-1.5" AND a'],
  ['msg:-x', '-msg:x'],
  ['msg:-"1 a"', '-msg:"1 a"'],
  ['a AND () OR b', 'a OR b'],
  ['() AND a', 'a'],
  ['NOT () a', 'a'],
  ['msg:() a', 'a'],
  ['a NOT ()', 'a'],
  ['b (a AND ()) OR b', 'b (a) OR b'],
  ['a()b', 'a b'],
  ['~ OR a', ' a'],
  ['} OR a', ' a'],
  [') AND a', ' a'],
  ['(~ AND OR a)', '( a)'],
  ['https://x.y/z?f=json', '"https://x.y/z?f=json"'],
  ['http://x.y/z?a=b&c=d', '"http://x.y/z?a=b&c=d"'],
  ['/a/b/c?x=1', '"/a/b/c?x=1"'],
  ['msg:a AND https://a.b/c?d=e', 'msg:a AND "https://a.b/c?d=e"'],
  ['msg:https://a.b/c?d=e', 'msg:"https://a.b/c?d=e"'],
  ['22:52:12*', '"22:52:12*"'],
  ['a:b:tim*', 'a:"b:tim*"'],
  ['logCode:[9000\t9999]', 'logCode:[9000 TO 9999]'],
  ['logCode:[1-2]', 'logCode:[1 TO 2]'],
  [String.raw`\u00\u0`, String.raw`\\u00\\u0`],
])('the first fix of %s leaves no error', (query, fixed) => {
  const fix = parse(query).findings[0]?.fixes[0];
  expect(fix && applyFix(query, fix)).toBe(fixed);
  expect(parse(fixed).findings).toEqual([]);
});

test.each([
  ['https://x.y/z?f=json', ['"https://x.y/z?f=json"']],
  ['22:52:12*', ['"22:52:12*"']],
  ['a:b:tim*', ['a:"b:tim*"', '"a:b:tim*"']],
  ['a:b:c', ['a:"b:c"', 'a:bc', '"a:b:c"']],
  ['a:b:"c"', ['a:b"c"']],
  ['a AND () OR b', ['a OR b']],
  ['a AND (()) OR b', []],
  // Without its contents the outer group would be empty.
  ['(() AND ', ['(() AND) ', '(() ']],
  ['~ OR', ['~']],
])('the fixes of %s lead to %j', (query, results) => {
  const fixes = findingsIn(query).flatMap((finding) => finding.fixes);
  expect(fixes.map((fix) => applyFix(query, fix))).toEqual(results);
});

test.each([
  ['(b:c || a:b:clogCode:[9000 TO 9999', 'range-on-text'],
  ['OR:9003 msg', 'value-in-run'],
])('%s has no %s: its colon is there, and asked twice it would stay', (query, code) => {
  expect(findingsIn(query).map((finding) => finding.code)).not.toContain(code);
});

test('a fix of a query without a syntax error leaves it without one, and adds nothing that the server refuses', () => {
  let tried = 0;
  fc.assert(
    fc.property(fc.oneof(doubtfulQuery, documentedQuery, luceneQuery), (text) => {
      const findings = findingsIn(text);
      const errors = errorsByCode(findings);
      for (const { code, fixes } of findings) {
        for (const fix of fixes) {
          tried += 1;
          const fixed = applyFix(text, fix);
          for (const [error, count] of errorsByCode(findingsIn(fixed)))
            expect(count, `${error} by ${code}: ${fix.title}: ${fixed}`).toBeLessThanOrEqual(
              errors.get(error) ?? 0,
            );
        }
      }
    }),
    { numRuns: rounds(2000) },
  );
  expect(tried).toBeGreaterThan(0);
});

test.each(['NOT msg:NOT', '()', '(())', 'AND', '(logCode:[9000 TO', '~', '(^2)', '(\\'])(
  '%s has no first fix that leaves an error',
  (query) => {
    expect(parse(query).findings[0]?.fixes).toEqual([]);
  },
);
