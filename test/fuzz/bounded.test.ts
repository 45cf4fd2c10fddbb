import { describe, expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { match, QueryTooComplex } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toDuckdb } from '../../src/language/translate/duckdb.ts';
import { largeQueries } from './large-queries.ts';

const textOf = (shape: string) => {
  const [, text] = largeQueries.find(([each]) => each === shape) ?? ['', ''];
  expect(text).not.toBe('');
  return text;
};
const filterOf = (text: string) => resolve(parse(text).query);

// Each of these took from seconds to minutes, or all of the stack. A limit of time would fail on a busy machine: the runner has one.
describe('10 kB take a bounded time', () => {
  test.each(['a sloppy phrase of two words', 'a sloppy phrase of one word', 'costly regular expressions'])(
    '%s is too complex to be run or compared, and an error of check',
    (shape) => {
      const text = textOf(shape);
      const filter = filterOf(text);
      expect(() => match(filter, { msg: 'a b a' })).toThrow(QueryTooComplex);
      expect(() => toDuckdb(filter)).toThrow(/^The query is too complex: .* write a shorter one/);
      expect(compare(filter, filterOf(`${text} OR msg:x`))).toEqual({
        undecided: 'The filters are too complex to compare',
      });
      expect(compare(filter, filterOf(text))).toEqual({ same: true });
      const codes = validate(parse(text).query, { dialect: 'lucene' }).map(({ code }) => code);
      expect(codes).toContain('refused-pattern');
    },
  );

  test.each([
    ['a phrase', 'ab zzz'],
    ['a sloppy phrase of different words', 'w0 zzz'],
    ['a sloppy phrase of as many words as are taken', 'a '.repeat(4000)],
    ['a regular expression that is too deep', 'a'],
    ['one long wildcard', 'a'],
    ['one long fuzzy word', 'ab'],
  ])('%s is run, translated and compared', (shape, msg) => {
    const text = textOf(shape);
    const filter = filterOf(text);
    expect(match(filter, { msg })).toBe(false);
    expect(toDuckdb(filter).sql).not.toBe('');
    const comparison = compare(filter, filterOf(`${text} OR msg:zzz`));
    if (comparison.same === undefined) return;
    expect(comparison).toMatchObject({ same: false, example: { selectedBy: 'b' } });
  });
});
