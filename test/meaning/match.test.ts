import { describe, expect, test } from 'vitest';
import {
  boolFilter,
  disMaxFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { compareCodePoints, type FieldValues, match } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';

const [msg, machine, logCode, elapsed, time]: readonly [Field, Field, Field, Field, Field] = [
  { name: 'msg', type: 'text', about: '' },
  { name: 'machine', type: 'keyword', about: '' },
  { name: 'logCode', type: 'integer', about: '' },
  { name: 'elapsed', type: 'decimal', about: '' },
  { name: 'time', type: 'date', about: '' },
];

const log: FieldValues = {
  msg: 'Request timed-out',
  machine: 'Pod A',
  logCode: 9003,
  elapsed: 1.5,
  time: 1000,
};

const has = (term: string): Filter => ({ kind: 'term', field: msg, term });
const [yes, no] = [has('timed'), has('nothing')];

describe('a clause', () => {
  test.each<[name: string, filter: Filter, expected: boolean]>([
    ['a token', has('timed'), true],
    ['a text that is no token', has('Request'), false],
    ['the value of a keyword', { kind: 'term', field: machine, term: 'Pod A' }, true],
    ['a part of it', { kind: 'term', field: machine, term: 'Pod' }, false],
    ['words in a row', { kind: 'phrase', field: msg, terms: ['timed', 'out'], slop: 0 }, true],
    ['words apart', { kind: 'phrase', field: msg, terms: ['request', 'out'], slop: 0 }, false],
    ['words apart, one move', { kind: 'phrase', field: msg, terms: ['request', 'out'], slop: 1 }, true],
    ['a prefix', { kind: 'prefix', field: msg, prefix: 'time' }, true],
    ['a prefix of nothing', { kind: 'prefix', field: msg, prefix: 'timer' }, false],
    ['a wildcard', { kind: 'wildcard', field: machine, pattern: 'P?d*' }, true],
    ['a regular expression', { kind: 'regexp', field: msg, pattern: 'tim' }, false],
    ['a word nearly', { kind: 'fuzzy', field: msg, term: 'timer', edits: 1 }, true],
    ['a field with a value', { kind: 'exists', field: machine }, true],
    ['a field with a number', { kind: 'exists', field: logCode }, true],
    ['a field without a value', { kind: 'exists', field: { ...msg, name: 'username' } }, false],
    ['all', matchAllFilter, true],
    ['none', matchNoneFilter, false],
  ])('%s', (_, filter, expected) => expect(match(filter, log)).toBe(expected));

  test('a text without a token', () => {
    expect(match({ kind: 'exists', field: msg }, { msg: '---' })).toBe(false);
    expect(match({ kind: 'exists', field: msg, byNorms: true }, { msg: '---' })).toBe(true);
    expect(match({ kind: 'exists', field: msg, byNorms: true }, {})).toBe(false);
  });

  test('a number is a term of a field that holds terms, and a text no number', () => {
    expect(match(has('9003'), { msg: 9003 })).toBe(true);
    expect(match({ kind: 'range', field: logCode }, { logCode: '9003' })).toBe(false);
    expect(match({ kind: 'range', field: logCode }, { logCode: 2n ** 60n })).toBe(true);
  });
});

describe('a range', () => {
  const bound = <V>(value: V, inclusive: boolean) => ({ value, inclusive });

  test.each<[name: string, range: Partial<Extract<Filter, { kind: 'range' }>>, expected: boolean]>([
    ['open', {}, true],
    ['from the value', { lower: bound(9003, true) }, true],
    ['from beyond the value', { lower: bound(9003, false) }, false],
    ['from below', { lower: bound(9002, false) }, true],
    ['from above', { lower: bound(9004, true) }, false],
    ['to the value', { upper: bound(9003, true) }, true],
    ['to before the value', { upper: bound(9003, false) }, false],
    ['to above', { upper: bound(9004, false) }, true],
    ['to below', { upper: bound(9002, true) }, false],
    ['around', { lower: bound(1, true), upper: bound(9999, true) }, true],
    ['below', { lower: bound(1, true), upper: bound(2, true) }, false],
    ['above', { lower: bound(9998, true), upper: bound(9999, true) }, false],
  ])('%s', (_, ends, expected) => {
    expect(match({ kind: 'range', field: logCode, ...ends }, log)).toBe(expected);
    expect(match({ kind: 'range', field: logCode, ...ends }, {})).toBe(false);
  });

  test('of a decimal field knows a zero below zero, others do not', () => {
    const from = (field: Field): Filter => ({ kind: 'range', field, upper: bound(-0, true) });
    expect(match(from(elapsed), { elapsed: 0 })).toBe(false);
    expect(match(from(logCode), { logCode: 0 })).toBe(true);
    expect(match(from(time), { time: 0 })).toBe(true);
  });

  test('of terms holds when one of them is in it', () => {
    const terms = (lower: string, upper: string): Filter => ({
      kind: 'termRange',
      field: msg,
      lower: bound(lower, true),
      upper: bound(upper, false),
    });
    expect(match(terms('out', 'p'), log)).toBe(true);
    expect(match(terms('p', 'q'), log)).toBe(false);
    expect(match({ kind: 'termRange', field: msg }, { msg: '---' })).toBe(false);
  });
});

describe('a level', () => {
  test.each<[name: string, filter: Filter, expected: boolean]>([
    ['all of what is required', boolFilter({ must: [yes, yes] }), true],
    ['not all of it', boolFilter({ must: [yes, no] }), false],
    ['any of what is optional', boolFilter({ should: [no, yes] }), true],
    ['none of it', boolFilter({ should: [no, no] }), false],
    ['an optional part beside a required one', boolFilter({ must: [yes], should: [no] }), true],
    ['nothing that is prohibited', boolFilter({ must: [yes], mustNot: [no] }), true],
    ['something that is prohibited', boolFilter({ must: [yes], mustNot: [no, yes] }), false],
    ['only prohibitions', boolFilter({ mustNot: [no] }), true],
    ['nothing at all', boolFilter({}), true],
    ['any of some filters', disMaxFilter([no, yes]), true],
    ['none of some filters', disMaxFilter([no, no]), false],
    ['one filter', disMaxFilter([yes]), true],
    ['no filter', disMaxFilter([]), false],
  ])('%s', (_, filter, expected) => expect(match(filter, log)).toBe(expected));
});

test('texts are in the order of their code points', () => {
  const ordered = ['', 'a', 'aa', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10000}a', '\u{10ffff}'];
  expect(ordered.toReversed().sort(compareCodePoints)).toEqual(ordered);
  expect(compareCodePoints('ab', 'ab')).toBe(0);
});

test('what would take too long is refused', () => {
  const terms = Array<string>(600).fill('a');
  expect(() => match({ kind: 'phrase', field: msg, terms, slop: 1 }, log)).toThrow(
    'The query is too complex: 600 words of the sloppy phrase',
  );
});
