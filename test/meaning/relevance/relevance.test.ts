import { describe, expect, test } from 'vitest';
import type { Filter } from '../../../src/language/meaning/filter.ts';
import { type FieldValues, toDocument } from '../../../src/language/meaning/match.ts';
import { documentedSchema, toSchema } from '../../../src/language/meaning/schema.ts';
import {
  countsOf,
  explainScore,
  joinStatistics,
  needsOf,
  scoreDocument,
  scoreLines,
  statisticsOf,
  toScorer,
} from '../../../src/language/meaning/score.ts';
import { resolveScored, withoutProhibited } from '../../../src/language/meaning/scored.ts';
import { parse } from '../../../src/language/parse/parse.ts';

/** A term that one of two documents has which have the field: ln 2. */
const half = Math.log(2);

/** The share of its weight that a term gets for a frequency and a length relative to the average. */
const part = (frequency: number, length = 1) => frequency / (frequency + 1.2 * (0.25 + 0.75 * length));

const keywords = toSchema([{ name: 'logLevel', type: 'keyword', about: 'the severity' }], ['logLevel']);

/** Scores as those of Lucene, which has no factor for words and phrases. */
function scorerOf(query: string, logs: readonly FieldValues[], schema = documentedSchema) {
  const scored = { ...resolveScored(parse(query).query, { schema }), termFactor: 1 };
  return toScorer(scored, statisticsOf(logs.map(toDocument), needsOf(scored.filter)));
}

function checkScores(
  query: string,
  logs: readonly FieldValues[],
  expected: readonly (number | undefined)[],
  schema = documentedSchema,
): void {
  const scorer = scorerOf(query, logs, schema);
  const scores = logs.map((log) => scoreDocument(scorer, toDocument(log)));
  expect(scores.map((score) => score !== undefined)).toEqual(expected.map((score) => score !== undefined));
  for (const [index, score] of scores.entries()) expect(score ?? 0).toBeCloseTo(expected[index] ?? 0, 5);
}

describe('a word', () => {
  test('counts the more the rarer it is among the logs that have the field', () => {
    checkScores(
      'msg:a',
      [{ msg: 'a' }, { msg: 'b' }, { source: 'a' }],
      [half * part(1), undefined, undefined],
    );
    const rarer = Math.log(1 + 3.5 / 1.5);
    checkScores(
      'msg:a',
      [{ msg: 'a' }, { msg: 'b' }, { msg: 'c' }, { msg: 'd' }],
      [rarer * part(1), undefined, undefined, undefined],
    );
  });

  test('counts the more the more often it occurs, though ever less', () => {
    checkScores('msg:a', [{ msg: 'a a' }, { msg: 'b b' }], [half * part(2), undefined]);
    checkScores('msg:a', [{ msg: 'a a a' }, { msg: 'b b b' }], [half * part(3), undefined]);
  });

  test('counts the more the shorter the field is beside the average', () => {
    const everywhere = Math.log(1 + 0.5 / 2.5);
    checkScores(
      'msg:a',
      [{ msg: 'a' }, { msg: 'a b c' }],
      [everywhere * part(1, 1 / 2), everywhere * part(1, 3 / 2)],
    );
  });

  test('lengths that share a byte are equally long', () => {
    const text = (length: number) => ({ msg: ['a', ...new Array<string>(length - 1).fill('b')].join(' ') });
    const everywhere = Math.log(1 + 0.5 / 2.5);
    const score = everywhere * part(1, 40 / 40.5);
    checkScores('msg:a', [text(40), text(41)], [score, score]);
  });

  test('in a keyword field has no length', () => {
    checkScores(
      'logLevel:SEVERE',
      [{ logLevel: 'SEVERE' }, { logLevel: 'INFO' }],
      [half * part(1), undefined],
      keywords,
    );
  });

  test('counts as often as it is asked for', () => {
    checkScores('msg:a msg:a', [{ msg: 'a' }, { msg: 'b' }], [2 * half * part(1), undefined]);
  });

  test('that no log has scores nothing', () => {
    checkScores('msg:a msg:zz', [{ msg: 'a' }, { msg: 'b' }], [half * part(1), undefined]);
  });
});

describe('clauses', () => {
  const logs = [{ msg: 'a b' }, { msg: 'a c' }, { msg: 'c d' }, { msg: 'd d' }];
  const [once, twice] = [Math.log(1 + 3.5 / 1.5), Math.log(1 + 2.5 / 2.5)];

  test('add up', () => {
    checkScores('msg:a msg:b', logs, [(twice + once) * part(1), twice * part(1), undefined, undefined]);
  });

  test('that are optional beside a required one add up too, and filter nothing', () => {
    checkScores('+msg:a msg:b', logs, [(twice + once) * part(1), twice * part(1), undefined, undefined]);
  });

  test('that are prohibited score nothing', () => {
    checkScores('msg:a NOT msg:b', logs, [undefined, twice * part(1), undefined, undefined]);
    checkScores('NOT msg:b', logs, [undefined, 0, 0, 0]);
  });

  test('in a group that does not match as a whole score nothing', () => {
    checkScores('msg:c (+msg:a +msg:b)', logs, [
      (twice + once) * part(1),
      twice * part(1),
      twice * part(1),
      undefined,
    ]);
  });

  test('over several fields count by the best of them', () => {
    checkScores(
      'a',
      [{ msg: 'a', source: 'a' }, { msg: 'b' }, { source: 'b' }, { source: 'b' }],
      [Math.log(1 + 2.5 / 1.5) * part(1), undefined, undefined, undefined],
    );
  });

  test('count as much as a boost says, that of a group for all in it', () => {
    checkScores('msg:a^3', [{ msg: 'a' }, { msg: 'b' }], [3 * half * part(1), undefined]);
    checkScores('(msg:a^3)^0.5', [{ msg: 'a' }, { msg: 'b' }], [1.5 * half * part(1), undefined]);
    checkScores(
      '(msg:a logCode:7^4)^2',
      [{ msg: 'a', logCode: 7 }, { msg: 'b' }],
      [2 * half * part(1) + 8, undefined],
    );
    checkScores('*:*^2 *:*', [{ msg: 'a' }], [3]);
  });
});

describe('what is there or not scores 1', () => {
  test.each([
    'logCode:7',
    'logCode:[1 TO 9]',
    'msg:[a TO b]',
    'msg:*',
    '_exists_:msg',
    'msg:a*',
    'msg:?',
    'msg:/[ab]/',
    '*:*',
    'logCode:7 OR msg:zz',
  ])('%s', (query) => {
    checkScores(query, [{ msg: 'a a', logCode: 7 }], [1]);
  });
});

describe('a phrase', () => {
  test('counts as much as its words together', () => {
    checkScores('msg:"a b"', [{ msg: 'a b' }, { msg: 'c d' }], [2 * half * part(1), undefined]);
    checkScores('msg:"a b"', [{ msg: 'a b a b' }, { msg: 'c d e f' }], [2 * half * part(2), undefined]);
  });

  test('counts wherever it begins', () => {
    checkScores('msg:"a a"', [{ msg: 'a a a' }, { msg: 'b b b' }], [2 * half * part(2), undefined]);
  });

  test('with words apart counts the less the more moves apart they are', () => {
    checkScores('msg:"a b"~2', [{ msg: 'a x b' }, { msg: 'c d e' }], [2 * half * part(1 / 2), undefined]);
    checkScores('msg:"a b"~2', [{ msg: 'b a' }, { msg: 'c d' }], [2 * half * part(1 / 3), undefined]);
  });
});

describe('a word that may be misspelt', () => {
  test('counts as much as it is alike', () => {
    checkScores('msg:abcd~1', [{ msg: 'abcx' }, { msg: 'zzzz' }], [0.75 * half * part(1), undefined]);
  });

  test('is as rare as its most frequent spelling', () => {
    const logs = [{ msg: 'abcx' }, { msg: 'abcd' }, { msg: 'abcd' }];
    const frequent = Math.log(1 + 1.5 / 2.5);
    checkScores('msg:abcd~1', logs, [0.75 * frequent * part(1), frequent * part(1), frequent * part(1)]);
  });

  test('is nowhere when no log has a word like it', () => {
    checkScores('msg:zzzz~1', [{ msg: 'a' }], [undefined]);
    checkScores('msg:a OR msg:zzzz~1', [{ msg: 'a' }, { msg: 'b' }], [half * part(1), undefined]);
  });

  test('stands for no word that these logs do not have', () => {
    const field = { name: 'msg', type: 'text', about: '' } as const;
    const filter: Filter = { kind: 'fuzzy', field, term: 'abcd', edits: 1, expansion: ['abcx', 'abcy'] };
    const documents = [{ msg: 'abcx' }, { msg: 'zzzz' }].map(toDocument);
    const scorer = toScorer({ filter, boosts: new Map() }, statisticsOf(documents, needsOf(filter)));
    const [score = 0, other] = documents.map((document) => scoreDocument(scorer, document));
    expect(score).toBeCloseTo(0.75 * half * part(1), 5);
    expect(other).toBeUndefined();
  });

  test('never counts less than nothing', () => {
    checkScores('msg:a~2', [{ msg: 'xy' }, { msg: 'long' }], [0, undefined]);
  });
});

test('a score is finite however large a boost is', () => {
  const huge = `msg:a^${'9'.repeat(60)}`;
  const score = scoreDocument(
    scorerOf(`(${huge})^${'9'.repeat(40)} ${huge}`, [{ msg: 'a' }]),
    toDocument({ msg: 'a' }),
  );
  expect(score).toBeGreaterThan(1e20);
  expect(score).toBeLessThan(Number.POSITIVE_INFINITY);
});

test('the statistics of several sets of documents are those of all of them', () => {
  const logs = [{ msg: 'a b' }, { msg: 'a' }, { source: 'a' }, { msg: 'ab' }].map(toDocument);
  const needs = needsOf(resolveScored(parse('a OR b~1').query).filter);
  const joined = joinStatistics([statisticsOf(logs.slice(0, 1), needs), statisticsOf(logs.slice(1), needs)]);
  expect(joined).toEqual(statisticsOf(logs, needs));
});

test('statistics count the terms that are asked for, or near to one of those, and no others', () => {
  const logs = [{ msg: 'a bx cy zz', source: 'a' }, { msg: 'a a' }, { logCode: 1 }].map(toDocument);
  const needs = needsOf(resolveScored(parse('msg:a OR msg:b~1 OR msg:c~1 OR msg:d').query).filter);
  const terms = new Map([
    ['a', 2],
    ['bx', 1],
    ['cy', 1],
  ]);
  expect(statisticsOf(logs, needs)).toEqual(new Map([['msg', { documents: 2, tokens: 6, terms }]]));
});

describe('boosts', () => {
  const boostsOf = (query: string) => [...resolveScored(parse(query).query).boosts.values()];

  test.each<[query: string, boosts: readonly number[]]>([
    ['msg:a', []],
    ['msg:a^1', []],
    ['msg:a^0', [0]],
    ['msg:a^2.5', [2.5]],
    ['msg:a~1^2', [2]],
    ['msg:"a b"^2~1', [2]],
    ['msg:[a TO b]^2', [2]],
    ['(msg:a)^2', [2]],
    ['(msg:a^3)^2', [6]],
    // Analysis leaves nothing of it.
    ['msg:"--"^2', []],
    ['msg:a AND msg:', []],
  ])('%s', (query, boosts) => expect(boostsOf(query)).toEqual(boosts));
});

test('what has to be counted is each term, phrase or other clause', () => {
  const { leaves } = scorerOf('msg:a logCode:7 NOT msg:b', [{ msg: 'a' }]);
  const kinds = leaves.map(({ kind, filter }) => `${kind} ${filter.kind}`);
  expect(kinds.sort()).toEqual(['counted term', 'tested range', 'tested term']);
});

test.each(['msg:a', 'msg:a AND msg:b'])('%s prohibits nothing and stays as it is', (query) => {
  const scored = resolveScored(parse(query).query);
  expect(withoutProhibited(scored).filter).toBe(scored.filter);
});

test('logs that match are scored alike without what is prohibited', () => {
  const scored = resolveScored(parse('(msg:a NOT msg:b)^2').query);
  const rest = withoutProhibited(scored);
  const documents = [{ msg: 'a' }, { msg: 'c' }].map(toDocument);
  const scores = [scored, rest].map((each) =>
    documents.map((document) =>
      scoreDocument(toScorer(each, statisticsOf(documents, needsOf(each.filter))), document),
    ),
  );
  expect(scores[0]).toEqual(scores[1]);
  expect(toScorer(rest, new Map()).leaves.some(({ kind }) => kind === 'tested')).toBe(false);
});

test('words and phrases count 2.2 times beside ranges, as OpenSearch 1.3.20 answered', () => {
  const logs = [
    { msg: 'connection timed out', source: 'Sharing', logCode: 9003 },
    { msg: 'foo bar', source: 'timed', logCode: 9004 },
    { msg: '2024', logCode: -5 },
  ].map(toDocument);
  const scored = resolveScored(parse('msg:timed OR source:timed OR logCode:>9003').query);
  const scorer = toScorer(scored, statisticsOf(logs, needsOf(scored.filter)));
  const scores = logs.map((log) => scoreDocument(scorer, log));
  expect(scores).toEqual([expect.closeTo(0.81427324, 6), expect.closeTo(1.6931472, 6), undefined]);
});

test('a score is explained by what it is made of', () => {
  const logs = [{ msg: 'a a b', source: 'a' }, { msg: 'c d e' }];
  const scorer = scorerOf('a AND logCode:[* TO 5] OR logCode:[1 TO *]', [
    { ...logs[0], logCode: 3 },
    { msg: 'c d e' },
  ]);
  const explained = explainScore(scorer, countsOf(scorer, toDocument({ ...logs[0], logCode: 3 })));
  expect(explained && scoreLines(explained)).toEqual([
    '2.43322 the sum of',
    '  0.433217 the best of',
    '    0.433217 the message (msg) has the word "a": 2 times in 3 tokens, weight 0.693147',
    '    0.130765 what logged it (source) has the word "a": once in 1 token, weight 0.287682',
    '  1 the code of the message (logCode) is 5 or less',
    '  1 the code of the message (logCode) is 1 or more',
  ]);
  expect(explainScore(scorer, countsOf(scorer, toDocument({ msg: 'x' })))).toBeUndefined();
});
