import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSearchParameter } from '../../src/emulator/export-logs.ts';
import { validate } from '../../src/language/lint/validate.ts';
import { applyFix } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { rounds } from '../effort.ts';
import { refusedQuery } from './refused-query.ts';

/** The errors that `check` finds in the documented language. */
function errorsIn(text: string) {
  const { query, findings } = parse(text);
  return [...findings, ...validate(query)].filter(({ severity }) => severity === 'error');
}

function isAccepted(text: string): boolean {
  return 'search' in readSearchParameter(text, 0);
}

describe('there is an error in a text exactly when the deployment refuses it', () => {
  test.each([
    ['a/b*c/d', false],
    ['path:/a+b/c', false],
    ['https://h/a/b?c=d', false],
    ['/^fizz b?u[A-z]/', false],
    ['“tim* out”', false],
    ['msg=C++', false],
    ['1e+5 TO 2e+6', false],
    ['timeout~+1', false],
    ['/a(/', false],
    ['timeout~-1', false],
    ['a '.repeat(147), false],
    [String.raw`a/b\*c/d`, true],
    ['https://h/a/b"?c=d"', true],
    ['elapsed:[* TO 5]', true],
    ['/a b/', true],
    ['a '.repeat(146), true],
  ])('%s', (text, accepted) => {
    expect({ accepted: isAccepted(text), errors: errorsIn(text).length === 0 }).toEqual({
      accepted,
      errors: accepted,
    });
  });

  test('in any text', () => {
    fc.assert(
      fc.property(refusedQuery, (text) => {
        expect(errorsIn(text).map(({ code }) => code).length === 0, text).toBe(isAccepted(text));
      }),
      { numRuns: rounds(3000) },
    );
  });
});

test('a fix for a character that the deployment refuses leads to a query with fewer of them', () => {
  const refusedIn = (text: string) =>
    validate(parse(text).query).filter(({ code }) => code === 'refused-syntax');
  fc.assert(
    fc.property(refusedQuery, (text) => {
      fc.pre(parse(text).findings.length === 0);
      const refused = refusedIn(text);
      for (const fix of refused.flatMap(({ fixes }) => fixes)) {
        const fixed = applyFix(text, fix);
        expect(parse(fixed).findings, `${fix.title}: ${fixed}`).toEqual([]);
        expect(refusedIn(fixed).length, `${fix.title}: ${fixed}`).toBeLessThan(refused.length);
      }
    }),
    { numRuns: rounds(2000) },
  );
});
