import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/lint/validate.ts';
import { parse } from '../../../../src/language/parse/parse.ts';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'a group that is not closed',
    `
/a(b/
    ^ A ")" is missing`,
    { dialect: 'lucene' },
  ],
  [
    'on a keyword field',
    `
logLevel:/A(/
            ^ A character is missing at the end`,
    { dialect: 'lucene', schema: keywords },
  ],
  [
    'too much work',
    `
*a??????????????
^^^^^^^^^^^^^^^^ The pattern is too complex: the engine would need more than 10,000 states for it`,
    { dialect: 'lucene' },
  ],
  [
    'a negative similarity',
    `
a~-1
 ^^^ The similarity must be a number of at least 0, got "-1"`,
    { dialect: 'lucene' },
  ],
  [
    'a negative slop',
    `
"a b"~-1
     ^^^ The slop must be a number of at least 0, got "-1"`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('refused-pattern', drawing, given);
});

// Each number is that of the longest such term that Lucene 8.7 takes: it was asked.
test.each([
  ['\u00e4\u00f6\u00fc\u00df', '~1', 475],
  ['\u00e4\u00f6\u00fc\u00df', '~', 80],
  ['\u00e4', '~2', 311],
  ['\u65e5\u672c\u8a9e\u6f22\u5b57', '~', 41],
  ['\u{1f600}\u{1f380}\u{1f3c0}\u{1f680}', '~', 41],
  ['\u{1f600}\u{10348}\u{1f000}\u{1d49c}', '~2', 34],
] as const)('%s again and again, with %s, has at most %i characters', (part, tilde, size) => {
  const letters = [...part.repeat(4 * size)];
  const text = (length: number) => `logLevel:${letters.slice(0, length).join('')}${tilde}`;
  const message = 'The term is too long for a "~": the engine would need more than 10,000 states for it';
  const found = (length: number) =>
    validate(parse(text(length)).query, { dialect: 'lucene', schema: keywords })
      .filter(({ code }) => code === 'refused-pattern')
      .map(({ from, to, message }) => ({ from, to, message }));
  expect(found(size)).toEqual([]);
  expect(found(size + 1)).toEqual([{ from: 'logLevel:'.length, to: text(size + 1).length, message }]);
  expect(found(4 * size)).toHaveLength(1);
});

test.each([
  '/ti(m|n)e/',
  'tim*',
  't?me',
  'a~1',
  `${'abcdefghij'.repeat(90)}~`,
  `\u00e4${'b'.repeat(62)}~`,
  '"a b"~3',
  '/a/b',
  'logCode:/a(/',
  '"a"~-1',
  'logCode:"a b"~-1',
  // Without a field it is no comparison, but a word.
  `>${'a'.repeat(1001)}`,
  `msg:[${'a'.repeat(1000)} TO *]`,
  `msg:[* TO ${'a'.repeat(1001)}]`,
  `msg:[${'b'.repeat(1001)} TO a]`,
])('%s is in order', (text) => {
  checkNone('refused-pattern', text);
});

test.each([
  [
    'a regular expression',
    `/${'a'.repeat(1001)}/`,
    'A regular expression may have 1,000 characters at most',
    1001,
  ],
  [
    'a prefix',
    `${'a'.repeat(1001)}*`,
    'It is too long: the engine follows at most 1,000 characters of a pattern or a lower bound',
    0,
  ],
  [
    'a lower bound',
    `msg:[${'é'.repeat(501)} TO *]`,
    'It is too long: the engine follows at most 1,000 characters of a pattern or a lower bound',
    5,
  ],
  [
    'an excluded lower bound',
    `msg:>${'a'.repeat(1000)}`,
    'It is too long: the engine follows at most 1,000 characters of a pattern or a lower bound',
    4,
  ],
])('%s that is too long', (_title, text, message, from) => {
  const findings = validate(parse(text).query, {
    dialect: 'lucene',
    severities: new Map([['range-on-text', 'off']]),
  });
  expect(findings).toEqual([
    expect.objectContaining({
      code: 'refused-pattern',
      severity: 'error',
      message: expect.stringContaining(message),
      from,
    }),
  ]);
});

test('costly patterns share the work that one may take, and plain ones are looked at all the same', () => {
  const costly = Array.from({ length: 40 }, (_, number) => `w${number}*a${'?'.repeat(11)}`);
  const refusalsOf = (patterns: readonly string[]): readonly string[] => {
    const text = patterns.join(' OR ');
    return validate(parse(text).query, { dialect: 'lucene' })
      .filter(({ code }) => code === 'refused-pattern')
      .map(({ from, to, message }) => `${text.slice(from, to)} ${message}`);
  };
  expect(refusalsOf(costly.slice(0, 1))).toEqual([]);
  const refusals = refusalsOf([...costly, '/ti(m|n)e.*/', 'conn*time?out*', '/a(/']);
  expect(refusals.slice(-2)).toEqual([
    `${costly.at(-1)} The pattern is too complex: finding out what it matches would take too long`,
    '/ A character is missing at the end',
  ]);
  expect(refusals.length).toBeLessThan(costly.length);
});

test('of very many patterns the first ones are looked at', () => {
  const patterns = Array.from({ length: 1100 }, (_, number) => `msg:/a${number}(/`);
  const [last] = validate(parse(patterns.join(' OR ')).query, { dialect: 'lucene' })
    .filter(({ code }) => code === 'refused-pattern')
    .slice(-1);
  expect(last?.message).toBe('A character is missing at the end (and 974 more like this)');
});
