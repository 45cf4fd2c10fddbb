import { describe, expect, test } from 'vitest';
import { boolFilter, type Filter, matchNoneFilter } from '../../src/language/meaning/filter.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import {
  parameterText,
  textLiteral,
  toClickhouse,
  toClickhouseStatement,
} from '../../src/language/translate/clickhouse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

const msg: Field = { name: 'msg', type: 'text', about: '' };
const now = Date.UTC(2026, 0, 2);

function scoredOf(query: string) {
  return resolveScored(parse(query).query, { now, engine: engines.elasticsearch });
}

/** The condition of a filter, the values of its parameters, and the reasons of its losses. */
function written(filter: Filter) {
  const { sql, parameters, losses } = toClickhouse(filter);
  return { sql, values: parameters.map(({ value }) => value), reasons: losses.map(({ reason }) => reason) };
}

describe('without a loss', () => {
  test.each([
    ['msg:timeout', 'has(`msg_tokens`, {p1:String})', ['timeout']],
    [
      'msg:"timed out"',
      '(hasAll(`msg_tokens`, {p1:Array(String)}) AND hasSubstr(`msg_tokens`, {p1:Array(String)}))',
      [['timed', 'out']],
    ],
    ['logCode:[1 TO *]', '`logCode` >= {p1:Int64}', ['1']],
    [
      'logCode:[-9223372036854775808 TO 9007199254740993]',
      '`logCode` >= {p1:Int64} AND `logCode` <= {p2:Int64}',
      ['-9223372036854775808', '9007199254740993'],
    ],
    ['elapsed:[0.25 TO 2}', '`elapsed` >= {p1:Float64} AND `elapsed` < {p2:Float64}', ['0.25', '2']],
    // A log without a time has the least one, so an open start is none.
    [
      'time:{* TO 1970-01-01T00:00:00Z]',
      '`time` >= {p1:Int64} AND `time` <= {p2:Int64}',
      ['-8640000000000000', '999'],
    ],
    [
      'msg:a AND NOT msg:t*d',
      '(has(`msg_tokens`, {p1:String}) AND NOT coalesce(arrayExists(token -> match(token, {p2:String}), `msg_tokens`), false))',
      ['a', '\\A(?:t(?s:.)*d)\\z'],
    ],
    ['msg:ou*', 'arrayExists(token -> startsWith(token, {p1:String}), `msg_tokens`)', ['ou']],
    [
      'msg:[a TO c}',
      'arrayExists(token -> token >= {p1:String} AND token < {p2:String}, `msg_tokens`)',
      ['a', 'c'],
    ],
    [
      'msg:(a OR b OR "c d") OR source:c OR msg:a',
      '((hasAny(`msg_tokens`, {p1:Array(String)}) OR (hasAll(`msg_tokens`, {p2:Array(String)}) AND hasSubstr(`msg_tokens`, {p2:Array(String)})) OR has(`source_tokens`, {p3:String})))',
      [['a', 'b'], ['c', 'd'], 'c'],
    ],
    ['*:*', 'true', []],
    ['NOT *:*', '(NOT coalesce(true, false))', []],
  ])('%s', (query, sql, values) => {
    expect(written(scoredOf(query).filter)).toEqual({ sql, values, reasons: [] });
  });

  test('no log', () => {
    expect(written(matchNoneFilter)).toEqual({ sql: 'false', values: [], reasons: [] });
  });

  test('a keyword is its column, which is empty if absent', () => {
    const { query } = parse('logLevel:SEVERE AND requestID:a*');
    expect(
      written(resolveScored(query, { schema: keywordSchema, engine: engines.elasticsearch }).filter),
    ).toEqual({
      sql: "(`logLevel` = {p1:String} AND (`requestID` != '' AND startsWith(`requestID`, {p2:String})))",
      values: ['SEVERE', 'a'],
      reasons: [],
    });
  });

  test('keywords are one list, and long lists are several', () => {
    const words = ['a', '', ...['x', 'y', 'z'].map((letter) => letter.repeat(12_000))];
    const terms = words.map((term): Filter => ({ kind: 'term', field: { ...msg, type: 'keyword' }, term }));
    expect(written({ kind: 'disMax', filters: terms })).toEqual({
      sql: '(`msg` IN {p1:Array(String)} OR false OR `msg` = {p2:String})',
      values: [[words[0], words[2], words[3]], words[4]],
      reasons: [],
    });
  });

  test('a phrase with a slop', () => {
    const { sql, values, reasons } = written({ kind: 'phrase', field: msg, terms: ['a', 'b'], slop: 2 });
    expect(sql).toContain('BETWEEN start AND start + 2');
    expect(values).toEqual(['a', 'b', 'a', 'b']);
    expect(reasons).toEqual([]);
  });
});

describe('what is left out', () => {
  const twice: Filter = { kind: 'phrase', field: msg, terms: ['a', 'b', 'a'], slop: 1 };
  const reason = 'ClickHouse has no condition for this phrase on "msg"';

  test('selects more, or behind a NOT less', () => {
    expect(written(twice)).toEqual({
      sql: '(has(`msg_tokens`, {p1:String}) AND has(`msg_tokens`, {p2:String}))',
      values: ['a', 'b'],
      reasons: [reason],
    });
    expect(written(boolFilter({ mustNot: [twice] }))).toMatchObject({
      sql: '(NOT coalesce(false, false))',
      reasons: [reason],
    });
    expect(written(boolFilter({ mustNot: [boolFilter({ mustNot: [twice] })] })).sql).toContain('has(');
  });

  test.each([
    ['msg:/a&~(b)/', ['ClickHouse has no condition for this regexp on "msg"']],
    ['msg:ab~1', ['It is not limited to the 50 nearest terms of the cluster']],
    ['time:[now-1d TO *]', ['"now-1d" is fixed at 2026-01-01T00:00:00.000Z']],
  ])('%s', (query, reasons) => {
    expect(written(scoredOf(query).filter).reasons).toEqual(reasons);
  });

  test('fields without a column', () => {
    const mood: Filter = { kind: 'exists', field: { name: 'mood', type: 'keyword', about: '' } };
    const lost = ['A cluster has no column for "mood" of the type keyword'];
    expect(written(mood)).toEqual({ sql: 'true', values: [], reasons: lost });
    expect(written(boolFilter({ mustNot: [mood] })).sql).toBe('(NOT coalesce(false, false))');
  });

  test('boosts and optional parts are named by the statement', () => {
    const { losses } = toClickhouseStatement(scoredOf('+msg:a^2 msg:b'));
    expect(losses.map(({ reason: each }) => each)).toEqual([
      'Its boost 2 is left out: it only changes the order by relevance',
      'Its optional parts are left out: they only change the order by relevance',
    ]);
  });
});

test('a statement sets its parameters', () => {
  expect(toClickhouseStatement(scoredOf('msg:"timed out"')).text).toBe(
    "SET param_p1 = '[\\'timed\\',\\'out\\']';\n" +
      "SELECT * EXCEPT '_tokens$' FROM searchable_logs WHERE (hasAll(`msg_tokens`, {p1:Array(String)}) AND hasSubstr(`msg_tokens`, {p1:Array(String)}));",
  );
});

test.each([
  ["O'Neil", "O'Neil", "'O\\'Neil'"],
  ['a\\b', 'a\\\\b', "'a\\\\\\\\b'"],
  ['\0', '\\x00', "'\\\\x00'"],
  ['\u2028', '\\xe2\\x80\\xa8', "'\\\\xe2\\\\x80\\\\xa8'"],
])('the value %j', (value, text, literal) => {
  const written = parameterText({ name: 'p1', type: 'String', value });
  expect([written, textLiteral(written)]).toEqual([text, literal]);
});

test('half of a surrogate pair becomes U+FFFD', () => {
  const machine: Field = { name: 'machine', type: 'keyword', about: '' };
  expect(written({ kind: 'term', field: machine, term: '\ud800' }).values).toEqual(['\ufffd']);
});

test('the printed statement of a phrase with a slop sets what a Distributed table needs', () => {
  const setting = 'SET allow_push_predicate_ast_for_distributed_subqueries = 0;\nSELECT';
  expect(toClickhouseStatement(scoredOf('NOT msg:"timed out"~1')).text).toContain(setting);
  expect(toClickhouseStatement(scoredOf('NOT msg:"timed out"')).text).not.toContain('allow_push');
});
