import { describe, expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { relate } from '../../src/language/logic/relate.ts';
import {
  complexityOfBoth,
  match,
  matchDocument,
  QueryTooComplex,
  toDocument,
} from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { needsOf, statisticsOf, toScorer } from '../../src/language/meaning/score.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
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

  // The patterns of a filter, and those of two that are compared, share the effort of one.
  test.each([
    'costly regular expressions',
    'regular expressions of nested bounds',
    'regular expressions of long bounded runs',
  ])('%s are too complex for each way to match a document', (shape) => {
    const text = textOf(shape);
    const { query } = parse(text);
    const scored = resolveScored(query);
    const document = toDocument({ msg: 'a b a' });
    expect(() => matchDocument(scored.filter, document)).toThrow(QueryTooComplex);
    expect(() => toScorer(scored, statisticsOf([document], needsOf(scored.filter)))).toThrow(QueryTooComplex);
    const other = filterOf(`${text} OR msg:x`);
    expect(complexityOfBoth(filterOf(text), other)).toMatch(/too long/);
    expect(relate(filterOf(text), other)).toEqual({
      kind: undefined,
      empty: [],
      examples: {},
      undecided: 'The filters are too complex to compare',
    });
  });

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
