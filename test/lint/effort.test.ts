import { describe, expect, test } from 'vitest';
import { fixQuery } from '../../src/language/lint/check-query.ts';
import { plan } from '../../src/language/logic/plan.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';

const numbers = Array.from({ length: 1300 }, (_, index) => index);

describe('the fixes of a long query are bounded by steps', () => {
  test.each([
    ['a word repeated', Array(1500).fill('a').join(' OR ')],
    ['operators mixed at every depth', `${'(a OR b AND '.repeat(199)}a${')'.repeat(199)}`],
    ['the same regular expression', '/.*a.{9}/ '.repeat(1000)],
    [
      'many regular expressions',
      numbers
        .slice(0, 600)
        .map((each) => `/.*a${each}.{9}/`)
        .join(' '),
    ],
  ])('%s', (_, text) => {
    expect(fixQuery(text)).toEqual({ text, applied: [], tooComplex: true });
  });

  test('fixes that are marked need no proof, so any number of them is applied', () => {
    const text = numbers
      .slice(0, 300)
      .map((each) => `a${each}`)
      .join(' && ');
    const fixed = fixQuery(text);
    expect(fixed.text).toBe(text.replaceAll('&&', 'AND'));
    expect(fixed.applied).toHaveLength(299);
    const [first] = fixed.applied;
    expect(first?.before.slice(first.finding.from, first.finding.to)).toBe('&&');
  });
});

test('a query whose patterns take too long has no structured form, and says why', () => {
  const text = numbers
    .slice(0, 600)
    .map((each) => `logLevel:/.*a${each}.{9}/`)
    .join(' ');
  const filter = resolve(parse(text).query);
  const { necessary, residual, reasons } = plan(filter);
  expect({ necessary, residual }).toEqual({ necessary: {}, residual: filter });
  expect(reasons).toEqual([{ parameter: 'logLevel', reason: expect.stringContaining('too complex') }]);
});

test('a group that is too deep is an operand', () => {
  for (const text of ['NOT ', 'msg:', 'a AND ', 'msg:a OR NOT msg:']) {
    const { findings } = parse('('.repeat(200) + text + '('.repeat(2) + 'a' + ')'.repeat(202));
    expect(findings.map(({ code }) => code)).toEqual(['too-deep']);
  }
});
