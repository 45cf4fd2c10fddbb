import { describe, expect, test } from 'vitest';
import { boolFilter, type Filter, matchNoneFilter } from '../../src/language/meaning/filter.ts';
import { documentedSchema, type Field, type Schema } from '../../src/language/meaning/schema.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toDuckdbStatement } from '../../src/language/translate/duckdb.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

const msg: Field = { name: 'msg', type: 'text', about: '' };
const now = Date.UTC(2026, 0, 2);

/** The condition of a query in its statement, and the reasons of its losses. */
function conditionOf(query: string, schema: Schema = documentedSchema) {
  return written(
    toDuckdbStatement(resolveScored(parse(query).query, { schema, now, engine: engines.elasticsearch })),
  );
}

function conditionOfFilter(filter: Filter) {
  return written(toDuckdbStatement({ filter, boosts: new Map() }));
}

function written({ sql, losses }: ReturnType<typeof toDuckdbStatement>) {
  const [, condition] = /^SELECT \* FROM logs WHERE (.*)$/s.exec(sql) ?? [];
  return { condition, reasons: losses.map(({ reason }) => reason) };
}

/** The condition on a text for what its words, joined, contain. */
function has(joined: string, name = 'msg'): string {
  const each = joined
    .trim()
    .split(' ')
    .map((word) => `contains(lower("${name}"), '${word}')`);
  return `(${each.join(' AND ')} AND contains(words("${name}"), '${joined}'))`;
}

const hasWord = `("msg" IS NOT NULL AND (regexp_matches("msg", '^[0-9A-Za-z]') OR words("msg") IS NOT NULL))`;

describe('without a loss', () => {
  test.each([
    ['msg:"timed out"', has(' timed out ')],
    ['logCode:[1 TO *]', '"logCode" >= 1'],
    ['logCode:[-5 TO 9003]', '"logCode" >= -5 AND "logCode" <= 9003'],
    [
      'logCode:[-9223372036854775808 TO 9007199254740993]',
      '"logCode" >= (-9223372036854775808)::BIGINT AND "logCode" <= (9007199254740993)::BIGINT',
    ],
    // A number with a fraction alone would be a DECIMAL.
    ['elapsed:[0.25 TO 2}', '"elapsed" >= 2.5e-1 AND "elapsed" < 2'],
    [
      'msg:a AND NOT msg:t*d',
      `(${has(' a ')} AND NOT coalesce(regexp_matches(words("msg"), ' (?:t[^ ]*d) '), false))`,
    ],
    ['msg:a OR msg:b', `((${has(' a ')} OR ${has(' b ')}))`],
    ['*:*', 'true'],
    ['NOT *:*', '(NOT coalesce(true, false))'],
  ])('%s', (query, condition) => {
    expect(conditionOf(query)).toEqual({ condition, reasons: [] });
  });
});

test('no log', () => {
  expect(conditionOfFilter(matchNoneFilter)).toEqual({ condition: 'false', reasons: [] });
});

test('any of several fields', () => {
  const names = ['msg', 'source', 'className', 'username', 'stackTraces', 'serviceTypes', 'logLevel'];
  const each = names.map((name) => has(' a ', name));
  expect(conditionOf('a')).toEqual({ condition: `(${each.join(' OR ')} OR false)`, reasons: [] });
});

describe('texts', () => {
  test.each([
    ["O'Neil", `'O''Neil'`],
    ['', `''`],
    ['a\nb', `('a' || chr(10) || 'b')`],
    ['\0', 'chr(0)'],
    ['\u2028x', `(chr(8232) || 'x')`],
    ['\u2029', 'chr(8233)'],
    ['\u{e0001}', 'chr(917505)'],
    // Half of a surrogate pair is no text to a database.
    ['\ud800', `'\ufffd'`],
  ])('%j', (term, literal) => {
    const field: Field = { name: 'machine', type: 'keyword', about: '' };
    expect(conditionOfFilter({ kind: 'term', field, term })).toEqual({
      condition: `"machine" = ${literal}`,
      reasons: [],
    });
  });
});

describe('what a statement leaves out', () => {
  const required = has(' a ');
  const expansions = 'It is not limited to the 50 nearest terms of the case';
  const notLike = (kind: string) => `DuckDB has no condition for this ${kind} on "msg"`;

  test.each<[query: string, condition: string, reasons: readonly string[]]>([
    [
      'msg:a OR +msg:b',
      `(${has(' b ')})`,
      ['Its optional parts are left out: they only change the order by relevance'],
    ],
    ['msg:a^2', required, ['Its boost 2 is left out: it only changes the order by relevance']],
    ['msg:"b a"~1', `(${has(' b ')} AND ${required})`, [notLike('phrase')]],
    // Behind a NOT a statement would select too little.
    ['msg:a AND NOT msg:"b a"~1', `(${required} AND NOT coalesce(false, false))`, [notLike('phrase')]],
    [
      'msg:a AND NOT (msg:b AND NOT msg:"b a"~1)',
      `(${required} AND NOT coalesce((${has(' b ')} AND NOT coalesce((${has(' b ')} AND ${required}), false)), false))`,
      [notLike('phrase')],
    ],
    ['msg:/a&~(b)/', `regexp_matches(words("msg"), ' (?:a) ')`, [notLike('regexp')]],
    [
      'msg:ab~1',
      `regexp_matches(words("msg"), ' (?:(?:a(?:b[^ ]{0,1}|[^ ]?|[^ ]b)|[^ ]?b|[^ ]ab|ba)) ')`,
      [expansions],
    ],
    ['msg:a AND NOT msg:ab~1', `(${required} AND NOT coalesce(false, false))`, [expansions]],
    ['msg:ab~0', has(' ab '), []],
    [
      `msg:/${[...'abcdefghijkl'].map((letter) => `.{900}${letter}`).join('|')}/`,
      hasWord,
      [notLike('regexp')],
    ],
    [
      'time:[now-1d TO now]',
      '"time" >= epoch_ms(1767225600000::BIGINT) AND "time" <= epoch_ms(1767312000000::BIGINT)',
      ['"now-1d" is fixed at 2026-01-01T00:00:00.000Z', '"now" is fixed at 2026-01-02T00:00:00.000Z'],
    ],
  ])('%s', (query, condition, reasons) => {
    expect(conditionOf(query)).toEqual({ condition, reasons });
  });

  test('a fuzzy term that stands for all terms near enough loses nothing', () => {
    const { losses } = toDuckdbStatement(resolveScored(parse('msg:ab~1').query));
    expect(losses).toEqual([]);
  });

  test.each<[kind: string, filter: Filter, condition: string]>([
    ['wildcard', { kind: 'wildcard', field: msg, pattern: `a?${'b'.repeat(10_000)}` }, hasWord],
    [
      'fuzzy',
      { kind: 'fuzzy', field: msg, term: 'abcdefghijklmnopqrst', edits: 2 },
      `(${has('abcd')} OR ${has('efgh')} OR ${has('ijkl')} OR ${has('mnop')} OR ${has('qrst')})`,
    ],
  ])('a %s that is too large', (kind, filter, condition) => {
    expect(conditionOfFilter(filter)).toEqual({ condition, reasons: [notLike(kind)] });
  });

  test('the boosts of all parts that stay, beside the parts that do not', () => {
    const boost = (value: number) => `Its boost ${value} is left out: it only changes the order by relevance`;
    const optional = 'Its optional parts are left out: they only change the order by relevance';
    const reasons = (query: string) => conditionOf(query).reasons;
    expect(reasons('msg:a^2 OR msg:b^3')).toEqual([boost(2), boost(3)]);
    expect(reasons('+msg:a^2 msg:b^3')).toEqual([boost(2), optional]);
    expect(reasons('+msg:a^2 NOT msg:b^3')).toEqual([boost(2), boost(3)]);
    expect(reasons('(a^2 OR (+msg:b msg:c))^4')).toEqual([boost(4), boost(2), optional]);
    expect(reasons('+msg:a msg:"b c"~1')).toEqual([optional]);
  });

  test('a fuzzy term whose terms are known is those', () => {
    const field: Field = { name: 'msg', type: 'text', about: '' };
    const fuzzy: Filter = {
      kind: 'fuzzy',
      field,
      term: 'ab',
      edits: 1,
      maxExpansions: 50,
      expansion: ['ab', 'b'],
    };
    expect(conditionOfFilter(fuzzy)).toEqual({
      condition: `(${has(' ab ')} OR ${has(' b ')})`,
      reasons: [],
    });
  });

  test('the same part before a NOT and behind it', () => {
    const field: Field = { name: 'msg', type: 'text', about: '' };
    const sloppy: Filter = { kind: 'phrase', field, terms: ['a', 'b'], slop: 1 };
    const { condition } = conditionOfFilter(boolFilter({ must: [sloppy], mustNot: [sloppy] }));
    const words = `(${has(' a ')} AND ${has(' b ')})`;
    expect(condition).toBe(`(${words} AND NOT coalesce(false, false))`);
  });
});

describe('fields that a case has no column for', () => {
  const reason = (name: string, type: string) => `A case has no column for "${name}" of the type ${type}`;

  test.each<[name: string, type: Field['type'], reasons: readonly string[]]>([
    ['mood', 'keyword', [reason('mood', 'keyword')]],
    ['msg', 'integer', [reason('msg', 'integer')]],
    ['logCode', 'keyword', [reason('logCode', 'keyword')]],
    ['time', 'integer', [reason('time', 'integer')]],
    ['logCode', 'decimal', []],
    ['msg', 'keyword', []],
  ])('%s of the type %s', (name, type, reasons) => {
    const exists: Filter = { kind: 'exists', field: { name, type, about: '' } };
    const present = `"${name}" IS NOT NULL`;
    const isLost = 0 < reasons.length;
    expect(conditionOfFilter(exists)).toEqual({ condition: isLost ? 'true' : present, reasons });
    expect(conditionOfFilter(boolFilter({ mustNot: [exists] }))).toEqual({
      condition: `(NOT coalesce(${isLost ? 'false' : present}, false))`,
      reasons,
    });
    const twice = boolFilter({ mustNot: [boolFilter({ mustNot: [exists] })] });
    expect(conditionOfFilter(twice)).toEqual({
      condition: `(NOT coalesce((NOT coalesce(${isLost ? 'true' : present}, false)), false))`,
      reasons,
    });
  });

  test('keywords of other deployments are looked for in the columns of texts', () => {
    expect(conditionOf('logLevel:SEVERE', keywordSchema)).toEqual({
      condition: `"logLevel" = 'SEVERE'`,
      reasons: [],
    });
  });
});
