import { describe, expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { simplify } from '../../src/language/logic/simplify.ts';
import { describe as inWords } from '../../src/language/meaning/describe.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { match, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { expandOver } from '../../src/language/meaning/scored.ts';
import { type EngineName, engineNames, engines } from '../../src/language/parse/engine.ts';
import { applyFix } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';

function filterFor(text: string, engine: EngineName): Filter {
  return resolve(parse(text).query, { engine: engines[engine] });
}

const all = engineNames;

/** Each query, a log, and the engines to which the log matches. */
test.each<[string, Parameters<typeof match>[1], readonly EngineName[]]>([
  ['msg:*', { msg: 'a' }, all],
  ['msg:*', { msg: '---' }, ['elasticsearch', 'opensearch']],
  ['msg:*', { msg: '' }, ['elasticsearch', 'opensearch']],
  ['msg:*', {}, []],
  ['msg:[* TO *]', { msg: '---' }, []],
  ['_exists_:msg', { msg: 'a' }, ['deployment', 'elasticsearch', 'opensearch']],
  ['_exists_:msg', { msg: '---' }, ['elasticsearch', 'opensearch']],
  ['logCode:*', { logCode: 1 }, ['deployment', 'elasticsearch', 'opensearch']],
  ['logCode:[* TO *]', { logCode: 1 }, all],
  ['logCode:>1', { logCode: 2 }, ['deployment', 'elasticsearch', 'opensearch']],
  ['ms\\*:a', { msg: 'a' }, ['deployment', 'elasticsearch', 'opensearch']],
  ['msg:["*" TO b]', { msg: '0' }, all],
  ['requestID:["*" TO b]', { requestID: '(' }, []],
  ['NOT a', { msg: 'b' }, ['deployment', 'elasticsearch', 'opensearch']],
  ['b OR (NOT a)', { msg: 'c' }, ['deployment', 'elasticsearch', 'opensearch']],
  ['NOT (NOT a)', { msg: 'a' }, ['deployment', 'elasticsearch', 'opensearch']],
  ['b AND NOT a', { msg: 'b' }, all],
  ['ab~', { msg: 'xyab' }, ['deployment', 'lucene']],
  ['ab~', { msg: 'ab' }, all],
  ['abcde~', { msg: 'abcdexx' }, ['deployment', 'lucene']],
  ['abcde~', { msg: 'abcdex' }, all],
  ['abcdef~', { msg: 'abcdefxx' }, all],
  ['abcdef~AUTO', { msg: 'abcdefxx' }, all],
  // Answers of OpenSearch 1.3.20: the whole part of the number, at most two.
  ['abcdef~1.9', { msg: 'abcdefx' }, all],
  ['abcdef~1.9', { msg: 'abcdefxx' }, []],
  ['abcdef~0.5', { msg: 'abcdefx' }, ['deployment', 'lucene']],
  ['abcdef~7', { msg: 'abcdefxx' }, all],
])('%s on %j', (text, log, expected) => {
  expect(all.filter((engine) => match(filterFor(text, engine), log))).toEqual(expected);
});

describe('the nearest terms', () => {
  const documents = ['tile tilt', 'tiles', 'mile', 'til', 'xtilex'].map((msg) => toDocument({ msg }));

  test('are the most similar ones, then the first in the order of code points', () => {
    const nearest = (maxExpansions: number): unknown => {
      const field = { name: 'msg', type: 'text', about: '' } as const;
      const fuzzy: Filter = { kind: 'fuzzy', field, term: 'tile', edits: 2, maxExpansions };
      return expandOver(fuzzy, documents);
    };
    expect(nearest(1)).toMatchObject({ expansion: ['tile'] });
    expect(nearest(3)).toMatchObject({ expansion: ['tile', 'mile', 'tiles'] });
    // An edit of a shorter term weighs more than one of a longer one.
    expect(nearest(9)).toMatchObject({ expansion: ['tile', 'mile', 'tiles', 'tilt', 'til', 'xtilex'] });
  });

  test('are no limit to a log alone, and none at all without a limit', () => {
    const filter = filterFor('msg:tile~2', 'lucene');
    expect(match(filter, { msg: 'xtilex' })).toBe(true);
    const unlimited = filterFor('msg:tile~2', 'deployment');
    expect(expandOver(unlimited, documents)).toBe(unlimited);
  });

  test('are said of an engine that has a limit', () => {
    expect(inWords(filterFor('msg:tile~', 'elasticsearch'))).toContain('one of the 50 nearest of the index');
    expect(inWords(filterFor('msg:tile~', 'deployment'))).not.toContain('nearest');
  });
});

describe('a text without any token', () => {
  const [exists, any] = [filterFor('msg:*', 'elasticsearch'), filterFor('msg:[* TO *]', 'elasticsearch')];

  test('tells a value from a token', () => {
    const compared = compare(exists, any);
    expect(compared).toMatchObject({ same: false, example: { selectedBy: 'a' } });
    if (compared.same === false) expect(match(exists, compared.example.values)).toBe(true);
    const both: Filter = { kind: 'bool', must: [exists, any], should: [], mustNot: [] };
    expect(compare(both, any)).toEqual({ same: true });
    expect(compare(exists, { ...both, must: [any], should: [exists] })).toMatchObject({ same: false });
  });

  test('is not lost to simpler filters', () => {
    const both: Filter = { kind: 'bool', must: [exists, any], should: [], mustNot: [] };
    for (const log of [{ msg: '---' }, { msg: 'a' }, {}])
      for (const filter of [both, { ...both, must: [exists], mustNot: [any] }])
        expect(match(simplify(filter), log)).toBe(match(filter, log));
  });
});

describe('check', () => {
  const codes = (text: string, engine: EngineName) =>
    validate(parse(text).query, { dialect: 'lucene', engine: engines[engine] })
      .filter(({ code }) => ['refused-pattern', 'only-excludes', 'unknown-field'].includes(code))
      .map(({ code }) => code);

  test.each<[string, readonly EngineName[]]>([
    ['*a', ['lucene']],
    ['?a', ['lucene']],
    ['\\*a*', ['lucene']],
    ['msg:*', ['lucene']],
    ['*:*', []],
    ['a*', []],
    ['\\?a*', []],
    ['a~0.7', ['elasticsearch']],
    ['a~3', ['elasticsearch']],
    ['a~1.5', ['deployment', 'elasticsearch', 'lucene']],
    ['a~-0.5', ['deployment', 'elasticsearch', 'lucene']],
    ['a~-1', all],
    ['a~x', ['elasticsearch', 'opensearch']],
    ['a~Infinity', all],
    ['a~AUTO', []],
    ['a~2', []],
    ['_exists_:msg', ['lucene']],
    ['ms\\*:a', ['lucene']],
    ['NOT a', ['lucene']],
    ['a OR (NOT b)', ['lucene']],
    ['a AND NOT b', []],
  ])('%s', (text, expected) => {
    expect(all.filter((engine) => 0 < codes(text, engine).length)).toEqual(expected);
  });

  test('offers to exclude from all logs', () => {
    const text = 'NOT a AND NOT b';
    const [finding] = validate(parse(text).query, { dialect: 'lucene', engine: engines.lucene });
    const [fix] = finding?.fixes ?? [];
    if (!fix) throw new Error('There is no fix');
    const mended = applyFix(text, fix);
    expect(mended).toBe('*:* AND NOT a AND NOT b');
    expect(compare(filterFor(mended, 'lucene'), filterFor(text, 'deployment'))).toEqual({ same: true });
  });
});
