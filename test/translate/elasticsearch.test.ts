import { describe, expect, test } from 'vitest';
import { boolFilter, type Filter } from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import type { FieldType } from '../../src/language/meaning/schema.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toElasticsearch } from '../../src/language/translate/elasticsearch.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

const schema = { ...keywordSchema, defaults: keywordSchema.defaults.filter(({ name }) => name === 'msg') };

function translated(text: string) {
  const { query, findings } = parse(text);
  expect(findings).toEqual([]);
  return toElasticsearch(resolve(query, { schema }));
}

describe('clauses', () => {
  test.each<[string, object]>([
    ['timeout', { term: { msg: { value: 'timeout' } } }],
    ['logLevel:SEVERE', { term: { logLevel: { value: 'SEVERE' } } }],
    ['"timed out"', { match_phrase: { msg: { query: 'timed out', slop: 0, analyzer: 'whitespace' } } }],
    ['"timed out"~2', { match_phrase: { msg: { query: 'timed out', slop: 2, analyzer: 'whitespace' } } }],
    ['logCode:9003', { term: { logCode: { value: 9003 } } }],
    ['logCode:[9000 TO 9999]', { range: { logCode: { gte: 9000, lt: 10_000 } } }],
    ['logCode:{-1.5 TO -0.5}', { term: { logCode: { value: -1 } } }],
    ['logCode:[* TO -1.5]', { range: { logCode: { lt: -1 } } }],
    ['logCode:[1e30 TO *]', { match_none: {} }],
    ['logCode:[* TO *]', { exists: { field: 'logCode' } }],
    ['elapsed:{0.5 TO 1]', { range: { elapsed: { gt: 0.5, lte: 1 } } }],
    ['time:[2024-01-01 TO *]', { range: { time: { gte: 1_704_067_200_000, format: 'epoch_millis' } } }],
    ['time:1000000', { range: { time: { gte: 1_000_000, lt: 1_000_001, format: 'epoch_millis' } } }],
    ['msg:[a TO b}', { range: { msg: { gte: 'a', lt: 'b' } } }],
    ['logLevel:[* TO *]', { exists: { field: 'logLevel' } }],
    ['logLevel:*', { exists: { field: 'logLevel' } }],
    ['msg:*', { range: { msg: { gte: '' } } }],
    ['msg:[* TO *]', { range: { msg: { gte: '' } } }],
    ['time:[now-1d/d TO now}', { range: { time: { gte: 'now-1d/d', lt: 'now', format: 'epoch_millis' } } }],
    [
      'time:{now TO 2024-01-01T00:00:00.000Z]',
      { range: { time: { gt: 'now', lte: 1_704_067_200_000, format: 'epoch_millis' } } },
    ],
    ['time:now', { range: { time: { gte: 'now', lte: 'now', format: 'epoch_millis' } } }],
    ['ti*', { prefix: { msg: { value: 'ti' } } }],
    ['t?me', { wildcard: { msg: { value: 't?me' } } }],
    ['/t.me/', { regexp: { msg: { value: 't.me', flags: 'ALL' } } }],
    ['*:*', { match_all: {} }],
    ['nosuch:a', { match_none: {} }],
  ])('%s', (text, query) => {
    // An end that is absent must not be a key without a value.
    expect(translated(text)).toStrictEqual({ query, losses: [] });
  });
});

test('a range of numbers in which no value lies, or over no numbers, matches nothing', () => {
  const field = (type: FieldType) => ({ name: 'x', type, about: '' });
  const fromOne = { lower: { value: 1, inclusive: true } };
  const none: readonly Filter[] = [
    { kind: 'range', field: field('text'), ...fromOne },
    { kind: 'range', field: field('keyword'), ...fromOne },
    { kind: 'range', field: field('integer'), lower: { value: Number.POSITIVE_INFINITY, inclusive: true } },
  ];
  for (const filter of none) expect(toElasticsearch(filter).query).toEqual({ match_none: {} });
});

describe('levels', () => {
  const term = (value: string) => ({ term: { msg: { value } } });

  test.each<[string, object]>([
    ['a "b"', { bool: { should: [term('a'), term('b')], minimum_should_match: 1 } }],
    ['a AND b', { bool: { must: [term('a'), term('b')] } }],
    ['a AND NOT b', { bool: { must: [term('a')], must_not: [term('b')] } }],
    [
      'a AND b OR c',
      { bool: { must: [term('a'), term('b')], should: [term('c')], minimum_should_match: 0 } },
    ],
    ['NOT a', { bool: { must_not: [term('a')] } }],
  ])('%s', (text, query) => {
    expect(translated(text).query).toEqual(query);
  });

  test('an empty one is all logs, and one clause over several fields a dis_max', () => {
    expect(toElasticsearch(boolFilter({})).query).toEqual({ match_all: {} });
    expect(toElasticsearch(resolve(parse('a').query)).query).toMatchObject({
      dis_max: { queries: { length: 8 } },
    });
  });
});

test('boosts are those of the clauses', () => {
  const { query } = parse('a^2 OR ("b c"^3 AND msg:[d TO *]^0.5 AND (e f)^4) OR msg:*^5 OR g~1^6 OR *:*^7');
  const { filter, boosts } = resolveScored(query, { schema, engine: engines.elasticsearch });
  const text = JSON.stringify(toElasticsearch(filter, { boosts }).query);
  expect([...text.matchAll(/"boost":([0-9.]+)/g)].map(([, boost]) => Number(boost))).toEqual([
    2, 3, 0.5, 4, 5, 6, 7,
  ]);
});

describe('losses', () => {
  test.each([['tine~1', '1024 nearest terms']])('%s', (text, reason) => {
    const { losses } = translated(text);
    expect(losses).toHaveLength(1);
    expect(losses[0]?.reason).toContain(reason);
  });

  test('a fuzzy term is asked for as it is written', () => {
    expect(translated('tine~1').query).toEqual({
      fuzzy: { msg: { value: 'tine', fuzziness: 1, max_expansions: 1024 } },
    });
  });

  test('too many clauses', () => {
    const terms = Array.from(
      { length: 1025 },
      (_, at): Filter => ({
        kind: 'term',
        field: { name: 'msg', type: 'text', about: '' },
        term: `w${at}`,
      }),
    );
    expect(toElasticsearch(boolFilter({ should: terms })).losses[0]?.reason).toContain('1024 clauses');
    expect(toElasticsearch(boolFilter({ should: terms.slice(1) })).losses).toEqual([]);
    expect(toElasticsearch({ kind: 'disMax', filters: terms }).losses).toHaveLength(1);
  });
});
