import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkQuery } from '../../src/language/lint/check-query.ts';
import { matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { type IndexedCorpus, indexCorpus } from './search-node.ts';
import { type SearchNode, startNode } from './start-node.ts';

/** Queries that a server refuses, or reads in another way than people do, with its answers and those of `check`. */

const logs = [
  { msg: 'connection timed out', source: 'Sharing', logCode: 9003, elapsed: 1.5, time: 1_704_067_200_000 },
  { msg: 'foo bar', source: 'timed', logCode: 9004, elapsed: 2, time: 1_709_164_800_000 },
  { msg: '2024', logCode: -5, time: 1_735_689_600_000 },
  { msg: 'x', logCode: 2n ** 53n + 1n },
  { msg: 'x', logCode: 2n ** 63n - 1n },
];

let node: SearchNode;
let indexed: IndexedCorpus;
beforeAll(async () => {
  node = await startNode();
  indexed = await indexCorpus(node, 'answers', { schema: documentedSchema, logs, defaultOperator: 'or' });
});
afterAll(async () => node[Symbol.asyncDispose]());

const engine = engines.opensearch;

/** The logs that a query selects here. */
function hitsOf(text: string): readonly number[] {
  const filter = resolve(parse(text).query, { engine });
  return logs.flatMap((log, id) => (matchDocument(filter, toDocument(log)) ? [id] : []));
}

function findingsOf(text: string) {
  return checkQuery(text, { engine, dialect: 'lucene' }).findings;
}

/** What `check` warns of: a strict server refuses these, and a lenient one selects what is here. */
describe('a strict server refuses what check warns of, and a lenient one finds what is found here', () => {
  test.each<[query: string, code: string]>([
    ['logCode:abc', 'value-type'],
    ['logCode:"a b"', 'value-type'],
    ['logCode:>abc', 'value-type'],
    ['elapsed:[a TO b]', 'value-type'],
    ['logCode:9223372036854775808', 'value-type'],
    ['time:yesterday', 'value-type'],
    ['time:[2024-02-30 TO *]', 'value-type'],
    ['logCode:9*', 'unmatchable-pattern'],
    ['logCode:90?4', 'unmatchable-pattern'],
    ['logCode:9004~1', 'unmatchable-pattern'],
    ['time:2024~', 'unmatchable-pattern'],
  ])('%s', async (query, code) => {
    const [strict] = await indexed.searchStrictly([query]);
    const [lenient] = await indexed.search([query]);
    expect(strict).toHaveProperty('refusal');
    expect(lenient).toEqual({ hits: hitsOf(query) });
    expect(findingsOf(query).map((finding) => finding.code)).toContain(code);
  });
});

/** What `check` says of queries that every server reads, though not as people do. */
describe('any server finds what is found here, and check says why it is little', () => {
  test.each<[query: string, code: string]>([
    // The words of a run are one text for the field of numbers.
    ['9003 timed', 'value-in-run'],
    // `analyze_wildcard` is off: a pattern stands for one word.
    ['msg:time-d*', 'unmatchable-pattern'],
    ['msg:Time?-d*', 'unmatchable-pattern'],
    ['logCode:/9.*/', 'unmatchable-pattern'],
    // `default_operator` is OR, and there is no precedence.
    ['msg:foo OR msg:timed AND source:Sharing', 'mixed-operators'],
    ['msg:(>=foo bar)', 'range-on-text'],
    ['nosuch:x', 'unknown-field'],
    ['msg:"---"', 'empty-part'],
    ['time:[* TO 2024-02-30]', 'value-type'],
    ['time:[* TO 2024-02]', 'half-rounded-date'],
    ['elapsed:[2 TO 1]', 'empty-range'],
  ])('%s', async (query, code) => {
    expect(await indexed.search([query])).toEqual([{ hits: hitsOf(query) }]);
    expect(findingsOf(query).map((finding) => finding.code)).toContain(code);
  });
});

const times = (count: number, part: (index: number) => string, between: string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(between);

const word = (index: number) => `w${index}`;

/** Queries around a limit: those of a pair are one character or clause apart. */
describe('the limits of a server are those of check', () => {
  test.each<[name: string, query: string, isRefused: boolean]>([
    ['1,024 clauses on one field', `msg:(${times(1024, word, ' OR ')})`, false],
    ['1,025 clauses on one field', `msg:(${times(1025, word, ' OR ')})`, true],
    ['1,024 words of a run', `msg:(${times(1024, word, ' ')})`, false],
    ['1,025 words of a run', `msg:(${times(1025, word, ' ')})`, true],
    ['1,025 times one word', `msg:(${times(1025, () => 'w', ' OR ')})`, true],
    ['1,025 phrases', times(1025, (index) => `msg:"a b${index}"`, ' OR '), true],
    ['1,025 ranges', times(1025, (index) => `logCode:[${index} TO 9]`, ' OR '), true],
    ['2,000 words of a phrase', `msg:"${times(2000, word, ' ')}"`, false],
    ['a regular expression of 1,000 characters', `msg:/${'a'.repeat(1000)}/`, false],
    ['a regular expression of 1,001 characters', `msg:/${'a'.repeat(1001)}/`, true],
    ['a prefix of 1,000 characters', `msg:${'a'.repeat(1000)}*`, false],
    ['a prefix of 1,001 characters', `msg:${'a'.repeat(1001)}*`, true],
    ['a lower bound of 1,000 bytes', `msg:[${'a'.repeat(1000)} TO *]`, false],
    ['a lower bound of 1,001 bytes', `msg:[${'a'.repeat(1001)} TO *]`, true],
    ['a lower bound of 500 é', `msg:[${'é'.repeat(500)} TO b]`, false],
    ['a lower bound of 501 é', `msg:[${'é'.repeat(501)} TO 中]`, true],
    ['an excluded lower bound of 999 bytes', `msg:{${'a'.repeat(999)} TO *]`, false],
    ['an excluded lower bound of 1,000 bytes', `msg:>${'a'.repeat(1000)}`, true],
    ['an upper bound of 1,001 bytes', `msg:[* TO ${'a'.repeat(1001)}]`, false],
    ['a range of one text of 1,001 bytes', `msg:[${'a'.repeat(1001)} TO ${'a'.repeat(1001)}]`, false],
    ['a range of no text of 1,001 bytes', `msg:[${'b'.repeat(1001)} TO ${'a'.repeat(1001)}]`, false],
    ['both bounds of 1,001 bytes', `msg:[${'a'.repeat(1001)} TO ${'b'.repeat(1001)}]`, true],
    ['a prefix of 501 é', `msg:${'é'.repeat(501)}*`, true],
    ['states of /.*a.{12}/', 'msg:/.*a.{12}/', false],
    ['states of /.*a.{13}/', 'msg:/.*a.{13}/', true],
    ['200 groups', `${'('.repeat(200)}msg:a${')'.repeat(200)}`, false],
  ])('%s', async (_, query, isRefused) => {
    const [answer] = await indexed.searchStrictly([query]);
    expect(answer && 'refusal' in answer).toBe(isRefused);
    expect(findingsOf(query).some(({ severity }) => severity === 'error')).toBe(isRefused);
  });

  test.each<[name: string, query: string]>([
    // The server counts the clauses of each level alone, and Elasticsearch 8 all of a query, as here.
    ['600 clauses in each of two groups', `(${times(600, word, ' OR ')}) AND (${times(600, word, ' OR ')})`],
    ['400 words on eight default fields', times(400, word, ' OR ')],
    // It follows groups until its stack ends, and then answers nothing any more; here 200 are read.
    ['1,000 groups', `${'('.repeat(1000)}msg:a${')'.repeat(1000)}`],
  ])('but it answers %s, which check refuses', async (_, query) => {
    const [answer] = await indexed.search([query]);
    expect(answer).toHaveProperty('hits');
    expect(findingsOf(query).some(({ severity }) => severity === 'error')).toBe(true);
  });
});

test('it counts the work for a pattern, where Lucene before version 8.9 counts states, as here', async () => {
  const query = `msg:${'a*'.repeat(300)}`;
  const [answer] = await indexed.searchStrictly([query]);
  expect(JSON.stringify(answer)).toContain('would require more than 10000 effort');
  expect(findingsOf(query).some(({ severity }) => severity === 'error')).toBe(false);
});

test('whole numbers are exact to 64 bits', async () => {
  for (const query of [
    'logCode:9007199254740993',
    'logCode:9007199254740992',
    'logCode:[9007199254740993 TO *]',
    'logCode:{9007199254740993 TO *]',
    'logCode:9223372036854775807',
    'logCode:[9223372036854775807 TO *]',
    'logCode:{9223372036854775806 TO *}',
    'logCode:[* TO 9223372036854775806]',
  ])
    expect([query, await indexed.searchStrictly([query])]).toEqual([query, [{ hits: hitsOf(query) }]]);
});
